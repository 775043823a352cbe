import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type DaemonRecord, type Places, placesOf, prepareFolders, socketPath } from '../../client/paths.ts';
import { Fault, faultBody } from '../../client/protocol/faults.ts';
import { clearHome } from '../support/clear-home.ts';

/** A fresh home for one test, removed after it. */
export function temporaryHome(test: TestContext): string {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'svc-client-')));
  test.after(() => clearHome(home));
  return home;
}

export function placesIn(home: string): Places {
  const places = placesOf({ env: { SVC_HOME: home }, uid: process.getuid!(), home, temporary: home });
  prepareFolders(places);
  return places;
}

/** What a peer's script may do beside answering. */
export interface Line {
  readonly notify: (method: string, params: unknown) => void;
  readonly hangUp: () => void;
  readonly id: string | number;
}

/** Answers one method; a thrown Fault is the error, `silence` is no answer at all. */
export type Script = (method: string, params: Record<string, unknown>, line: Line) => unknown;
export const silence = Symbol('silence');

export interface Peer {
  readonly socket: string;
  /** Every byte that clients sent. */
  readonly received: () => string;
  /** Methods in the order of arrival. */
  readonly methods: string[];
  readonly close: () => Promise<void>;
}

export interface PeerOptions {
  readonly places: Places;
  readonly script: Script;
  readonly name?: string;
  readonly version?: string;
  /** Bytes of one write; 1 tears every message and every letter apart. */
  readonly pieceBytes?: number;
}

/** The far side of the wire, for what a real daemon would never do: hang, lie about its version, leave in mid-sentence. */
export async function openPeer(test: TestContext, options: PeerOptions): Promise<Peer> {
  const { places, version = '0.1.0' } = options;
  const socket = socketPath(places, options.name ?? 'peer.sock');
  let received = '';
  const methods: string[] = [];
  const open = new Set<Socket>();
  const server = createServer(client => {
    open.add(client);
    client.on('error', () => client.destroy());
    client.on('close', () => open.delete(client));
    let rest = '';
    client.on('data', chunk => {
      received += chunk.toString('utf8');
      rest += chunk.toString('utf8');
      for (let at = rest.indexOf('\n'); at >= 0; at = rest.indexOf('\n')) {
        const message = JSON.parse(rest.slice(0, at));
        rest = rest.slice(at + 1);
        methods.push(message.method);
        void answer(client, message, options, version);
      }
    });
  });
  const mask = process.umask(0o177);
  await new Promise<void>(resolve => server.listen(socket, resolve));
  process.umask(mask);
  writeRecord(places, { socket, version });
  const close = () =>
    new Promise<void>(resolve => {
      for (const client of open) client.destroy();
      server.close(() => resolve());
    });
  test.after(close);
  return { socket, received: () => received, methods, close };
}

export function writeRecord(places: Places, changes: Partial<DaemonRecord>): void {
  const record: DaemonRecord = {
    pid: process.pid,
    startTicks: 0,
    host: 'test',
    version: '0.1.0',
    build: 'test',
    protocol: 1,
    socket: join(places.runtime, 'svc.sock'),
    url: null,
    tokenFile: places.tokenFile,
    ...changes,
  };
  mkdirSync(places.runtime, { recursive: true, mode: 0o700 });
  writeFileSync(places.daemonFile, JSON.stringify(record), { mode: 0o600 });
}

interface Incoming {
  readonly id?: string | number;
  readonly method: string;
  readonly params: Record<string, unknown>;
}

async function answer(client: Socket, message: Incoming, { script, pieceBytes }: PeerOptions, version: string) {
  const { id, method, params } = message;
  const say = (what: object) => send(client, what, pieceBytes);
  if (id === undefined) {
    script(method, params, { id: '', notify: () => undefined, hangUp: () => client.destroy() });
    return;
  }
  const line: Line = {
    id,
    notify: (name, body) => say({ jsonrpc: '2.0', method: name, params: body }),
    hangUp: () => client.destroy(),
  };
  try {
    const own = method === 'initialize' ? { server: 'svc', version, protocol: 1, capabilities: [] } : undefined;
    const result = (await script(method, params, line)) ?? own;
    if (result !== silence) say({ jsonrpc: '2.0', id, result: result ?? null });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const data = { ...faultBody(error), reason: error.reason };
    say({ jsonrpc: '2.0', id, error: { code: error.row.rpc, message: error.message, data } });
  }
}

function send(client: Socket, message: object, pieceBytes = Number.POSITIVE_INFINITY): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    client.write(bytes.subarray(at, Math.min(bytes.length, at + pieceBytes)));
    if (!Number.isFinite(pieceBytes)) return;
  }
}
