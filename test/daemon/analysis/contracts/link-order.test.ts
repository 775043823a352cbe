import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { linkContracts } from '../../../../daemon/analysis/contracts/link-contracts.ts';
import { areLinkedAlike } from '../../../../daemon/analysis/contracts/linked-alike.ts';
import type { ContractOutline } from '../../../../daemon/model/contract.ts';
import type { ContractEdge, LinkedMember } from '../../../../daemon/model/federation.ts';
import { edgesTold, memberOf } from '../../../support/contract-members.ts';

const seeds = 40;

test('whatever was synchronised in whatever order, the edges are the same', () => {
  let edges = 0;
  const tiers = new Set<string>();
  for (let seed = 1; seed <= seeds; seed++) {
    const random = randomNumbers(seed);
    const members = randomMembers(random);
    const linked = linkContracts(members);
    holds(linked.edges, members, seed);
    edges += linked.edges.length;
    for (const { tier, role } of linked.edges) tiers.add(`${tier} ${role}`);
    for (let round = 0; round < 4; round++) {
      const again = linkContracts(shuffled(members, random).map(member => reshuffled(member, random)));
      assert.equal(edgesTold(again.edges), edgesTold(linked.edges), `seed ${seed}`);
      assert.deepEqual(again, linked, `seed ${seed}`);
    }
  }
  assert.ok(edges > seeds * 5, `${edges} edges say something`);
  assert.deepEqual(
    [...tiers].sort(),
    [
      ...[
        'declared consumer',
        'declared dependent',
        'declared provider',
        'derived consumer',
        'derived dependent',
        'derived provider',
      ],
      ...['heuristic consumer', 'heuristic dependent', 'heuristic provider'],
    ],
    'every kind of edge came up',
  );
});

test('a repository that has to do with nothing changes nothing', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const members = randomMembers(randomNumbers(seed));
    const bystander = memberOf('bystander', new Map([['main.go', 'package main\n']]));
    assert.deepEqual(linkContracts([bystander, ...members]).edges, linkContracts(members).edges, `seed ${seed}`);
  }
});

test('a change of a contract that is said to change no edge changes none', () => {
  const told = { alike: 0, other: 0 };
  for (let seed = 1; seed <= seeds; seed++) {
    const random = randomNumbers(seed);
    const members = randomMembers(random);
    const linked = placesOf(linkContracts(members).edges);
    for (const member of members) {
      for (const contract of member.contracts.declared) {
        const before = changedOutline(contract.outline, random);
        const declared = member.contracts.declared.map(one => (one === contract ? { ...one, outline: before } : one));
        const changed = { ...member, contracts: { ...member.contracts, declared } };
        const edges = placesOf(linkContracts(members.map(one => (one === member ? changed : one))).edges);
        const outlines = { member: member.uid, path: contract.path, before, now: contract.outline };
        const isAlike = areLinkedAlike(members, outlines);
        if (isAlike) assert.deepEqual(edges, linked, `seed ${seed}: ${contract.path}`);
        told[isAlike ? 'alike' : 'other'] += edges.join() === linked.join() ? 1 : 0;
      }
    }
  }
  assert.ok(told.alike > told.other, `${JSON.stringify(told)}: mostly nothing has to be sought`);
});

function placesOf(edges: readonly ContractEdge[]): readonly string[] {
  return edges.map(edge => JSON.stringify({ ...edge, evidence: edge.evidence.length }));
}

/** A method, a type, a service or an operation more or less, or another place that code is generated into. */
function changedOutline(outline: ContractOutline, random: Random): ContractOutline {
  const line = 1 + Math.floor(random() * 90);
  if (outline.type === 'openapi') {
    const operations = outline.operations.map(one => ({ ...one, line }));
    return random() < 0.5 ? { ...outline, operations } : { ...outline, operations: operations.slice(1) };
  }
  const [first, ...others] = outline.services;
  const method = {
    name: `Get${Math.floor(random() * 3)}`,
    line,
    routes: random() < 0.5 ? [] : ['GET /cart/{id}/lines'],
  };
  const changes: readonly (() => ContractOutline)[] = [
    () => ({ ...outline, types: [...outline.types, { name: 'Other', line }] }),
    () => ({ ...outline, types: outline.types.map(one => ({ ...one, line })) }),
    () => ({ ...outline, types: [] }),
    () => ({ ...outline, services: others }),
    () => ({ ...outline, options: { ...outline.options, go_package: 'github.com/acme/x/gen/cart' } }),
    () => (first === undefined ? outline : { ...outline, services: [{ ...first, methods: [method] }, ...others] }),
  ];
  return changes[Math.floor(random() * changes.length)]!();
}

/** What is true of all edges. */
function holds(edges: readonly ContractEdge[], members: readonly LinkedMember[], seed: number): void {
  const byUid = new Map(members.map(member => [member.uid, member.contracts]));
  assert.equal(new Set(edges.map(({ id }) => id)).size, edges.length, `seed ${seed}: ids are unique`);
  for (const edge of edges) {
    const { id, from, contract, providers, tier, confidence, evidence } = edge;
    const about = `seed ${seed}: ${edgesTold([edge])}`;
    assert.ok(Number.isSafeInteger(id) && id > 0, about);
    assert.ok((from !== contract.uid || providers.length > 0) && !providers.includes(from), about);
    assert.ok(
      byUid.get(contract.uid)!.declared.some(({ path }) => path === contract.path),
      about,
    );
    assert.ok(
      providers.every(uid => byUid.has(uid)),
      about,
    );
    const sure = { declared: confidence === 1, derived: confidence === 0.85, heuristic: confidence <= 0.6 };
    assert.ok(sure[tier], about);
    const shown = byUid.get(from)!;
    const files = new Set([...shown.uses.map(({ at }) => at), ...shown.declared.map(({ path }) => path)]);
    assert.ok(evidence.length > 0 && evidence.every(({ file }) => files.has(file)), about);
  }
}

type Random = () => number;

const packages = ['shop.v1', 'shop.v2', 'legacy.shop', 'acme.pay.v1', ''];
const services = ['Cart', 'Pay', 'Mail', 'Ads', 'Ship'];

/** Repositories that declare, copy, implement, call and generate the same few services, as they happen to. */
function randomMembers(random: Random): readonly LinkedMember[] {
  const count = 3 + Math.floor(random() * 6);
  return Array.from({ length: count }, (_, at) => {
    const tree = new Map<string, string>();
    const files = 3 + Math.floor(random() * 7);
    for (let number = 0; number < files; number++) addFile(tree, number, count, random);
    const member = memberOf(`r${at}`, tree);
    return { ...member, uid: createHash('sha256').update(`${at} ${random()}`).digest('hex').slice(0, 12) };
  });
}

function addFile(tree: Map<string, string>, number: number, count: number, random: Random): void {
  const pick = <One>(all: readonly One[]): One => all[Math.floor(random() * all.length)]!;
  const service = pick(services);
  const of = pick(packages);
  const lower = service.toLowerCase();
  const place = of === '' ? lower : of.replaceAll('.', '/');
  const folder = pick(['proto', 'protos', `a/${place}`, place]);
  const route = pick([`/${lower}/{id}/lines`, `/${lower}`, '/health', `/get-${lower}`]);
  const called = pick([`"http://r${Math.floor(random() * count)}${route}"`, `base+"${route}"`]);
  const proto = (name: string, more = ''): string =>
    `syntax = "proto3";\n${name === '' ? '' : `package ${name};\n`}${more}message M { int32 a = 1; }\n`;
  const go = `import pb "github.com/acme/x/gen/${place}"`;
  const makers: readonly (() => readonly [path: string, content: string])[] = [
    () => [`${folder}/${lower}.proto`, proto(of, `service ${service}Service { rpc Get${service}(M) returns (M); }\n`)],
    () => [
      `${folder}/all.proto`,
      proto(of, services.map(one => `service ${one}Service { rpc A(M) returns (M); }\n`).join('')),
    ],
    () => [
      `${folder}/types.proto`,
      proto(of, `import "${pick([place, 'proto'])}/${pick(['cart', 'pay', 'types'])}.proto";\n`),
    ],
    () => [`server${number}.go`, `package main\n${go}\nfunc f() { pb.Register${service}ServiceServer(s, x) }\n`],
    () => [`client${number}.go`, `package main\n${go}\nvar c = pb.New${service}ServiceClient(conn)\n`],
    () => [`client${number}_test.go`, `package main\n${go}\nvar c = pb.New${service}ServiceClient(conn)\n`],
    () => [
      `gen/${lower}_pb2_grpc.py`,
      `# Generated by the gRPC Python protocol compiler plugin. DO NOT EDIT!\nA = '/${of === '' ? '' : `${of}.`}${service}Service/Get${service}'\n`,
    ],
    () => [
      `http${number}.go`,
      `package main\nimport "net/http"\nfunc f() {\n\thttp.Get(${called})\n\thttp.HandleFunc("${route}", h)\n}\n`,
    ],
    () => [
      `buf.yaml`,
      `version: v2\nname: buf.build/acme/${pick(services)}\ndeps:\n  - buf.build/acme/${pick(services)}\n`,
    ],
    () => [`buf.gen.yaml`, `version: v2\ninputs:\n  - proto_file: ${pick(['', '../x/'])}${folder}/${lower}.proto\n`],
    () => [
      `api${pick(['', 's'])}/openapi.yaml`,
      `openapi: 3.0.0\ninfo: { title: ${service} API, version: '1' }\npaths:\n  ${route}:\n    get: { responses: {} }\n`,
    ],
    () => [
      `src/${lower}.ts`,
      `/**\n * ${service} API\n *\n * The version of the OpenAPI document: 1\n *\n * NOTE: This class is auto generated by OpenAPI Generator (https://openapi-generator.tech).\n */\n`,
    ],
  ];
  const [path, content] = pick(makers)();
  tree.set(path, content);
}

function shuffled<One>(all: readonly One[], random: Random): readonly One[] {
  return all
    .map(one => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

/** The same repository, read anew. */
function reshuffled(member: LinkedMember, random: Random): LinkedMember {
  return random() < 0.5 ? member : (JSON.parse(JSON.stringify(member)) as LinkedMember);
}

/** mulberry32 */
function randomNumbers(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
