import { readFileSync } from 'node:fs';
import { type Client, createClient } from '../../client/client.ts';
import { httpCaller } from '../../client/http.ts';
import { readDaemonRecord } from '../../client/paths.ts';
import { addRepo, type TestDaemon, until } from './daemon.ts';
import { commitAs } from './dated-history.ts';
import { type Cleanup, gitRepository, type Workspace, writeTree } from './repository.ts';

/** Repositories of a shop: web asks checkout, checkout asks cart; each has owners, decisions and a history. */
export const shopTrees = {
  cart: `
-- .github/CODEOWNERS --
* @acme/cart
/proto/ @acme/api
-- docs/adr/0001-keep-carts-in-redis.md --
# 1. Keep carts in Redis

## Status

Accepted

## Context

Carts are "short-lived", 100% of them: AND nobody misses them.
-- docs/adr/0002-no-queue.md --
# 2. No queue between cart and checkout

## Status

Proposed
-- proto/cart.proto --
syntax = "proto3";
package shop.cart.v1;
service CartService {
  rpc GetCart(GetCartRequest) returns (Cart);
  rpc AddItem(Cart) returns (Cart);
}
message GetCartRequest { string id = 1; }
message Cart { string id = 1; }
-- main.go --
package main

import pb "github.com/acme/cart/gen/shop/cart/v1"

// main serves carts.
func main() {
	pb.RegisterCartServiceServer(srv, &server{})
}
-- store/redis.go --
// Package store keeps carts in Redis.
package store

func Get(id string) string {
	if id == "" {
		return ""
	}
	for i := 0; i < 3; i++ {
		if i == 2 && id != "x" {
			return id
		}
	}
	return id
}
`,
  checkout: `
-- CODEOWNERS --
* @acme/checkout
-- proto/checkout.proto --
syntax = "proto3";
package shop.checkout.v1;
service CheckoutService { rpc Place(Order) returns (Order); }
message Order { string id = 1; }
-- api/openapi.yaml --
openapi: 3.0.3
info: { title: Orders API, version: '2' }
paths:
  /orders/{id}/lines:
    get: { operationId: listLines, responses: {} }
-- main.go --
package main

import (
	"net/http"

	cart "github.com/acme/cart/gen/shop/cart/v1"
	pb "github.com/acme/checkout/gen/shop/checkout/v1"
)

var carts = cart.NewCartServiceClient(conn)

func main() {
	pb.RegisterCheckoutServiceServer(srv, &server{})
	http.HandleFunc("GET /orders/{id}/lines", lines)
}
-- pay/pay.go --
// Package pay charges cards.
package pay

func Charge(cents int) bool { return cents > 0 }
`,
  web: `
-- package.json --
{ "name": "web", "description": "What customers see of the shop." }
-- client/checkout.go --
package client

import pb "github.com/acme/checkout/gen/shop/checkout/v1"

var checkout = pb.NewCheckoutServiceClient(conn)
-- src/orders.ts --
/** Lines of an order. */
export const lines = (base: string, id: string) => fetch(\`\${base}/orders/\${id}/lines\`);
`,
} as const;

export type ShopName = keyof typeof shopTrees;
export const shopNames = Object.keys(shopTrees) as readonly ShopName[];

export function shopRepository(test: Cleanup, name: ShopName): Workspace {
  const repository = gitRepository(test);
  writeTree(repository.root, shopTrees[name]);
  commitAs(repository, { by: 'Ann', daysAgo: 40 });
  for (const daysAgo of [20, 9, 2]) {
    const [file] = { cart: ['store/redis.go'], checkout: ['pay/pay.go'], web: ['src/orders.ts'] }[name];
    repository.write(file!, `${readFileSync(repository.path(file!), 'utf8')}\n// ${daysAgo}\n`);
    commitAs(repository, { by: 'Ben', daysAgo });
  }
  return repository;
}

/** A federation of all three, as they are registered with a daemon, synchronised. */
export async function shopOf(
  test: Cleanup,
  daemon: TestDaemon,
  name = 'shop',
): Promise<Readonly<Record<ShopName, Workspace>>> {
  const { client } = daemon;
  const made = {} as Record<ShopName, Workspace>;
  await client.federation.create({ name, description: 'All that the shop runs on' });
  for (const id of shopNames) {
    made[id] = shopRepository(test, id);
    await addRepo(test, daemon, { root: made[id].root, id });
    await indexed(client, id);
    await client.federation.add({ name, repoId: id, tags: id === 'web' ? ['front'] : ['back', 'go'] });
  }
  await client.federation.sync({ name });
  return made;
}

export async function indexed(client: Client, repo: string): Promise<void> {
  await until(`${repo} is indexed`, async () => (await client.system.status({ repo })).index.snapshotId !== null);
}

/** How a daemon is asked over HTTP. */
export interface OverHttp {
  readonly client: Client;
  /** With the daemon's token. */
  send(method: string, target: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answered>;
}

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Of the text, where it is JSON. */
  readonly body: unknown;
}

export async function overHttp(test: Cleanup, { home }: Pick<TestDaemon, 'home'>): Promise<OverHttp> {
  await until('HTTP is open', () => typeof readDaemonRecord(home.places)?.url === 'string');
  const { url, tokenFile } = readDaemonRecord(home.places)!;
  const token = readFileSync(tokenFile, 'utf8').trim();
  const caller = httpCaller({ url: url!, token });
  test.after(() => caller.close());
  return {
    client: createClient(caller),
    send: async (method, target, body, headers = {}) => {
      const answer = await fetch(`${url}${target}`, {
        method,
        headers: {
          Authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
      return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : undefined };
    },
  };
}
