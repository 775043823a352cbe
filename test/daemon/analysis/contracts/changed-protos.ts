import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareProtos } from '../../../../daemon/analysis/contracts/breaking/proto/compare-proto.ts';
import { connectedProtos } from '../../../../daemon/analysis/contracts/breaking/proto/connected.ts';
import { type ProtoSide, pathsOf } from '../../../../daemon/analysis/contracts/breaking/proto/types.ts';
import { parseProto } from '../../../../daemon/extract/api-contract/proto/parse-proto.ts';
import type { ProtoSchema } from '../../../../daemon/model/proto-schema.ts';

/** Files by their paths; a text alone is the contract `a.proto`. */
type Files = string | Readonly<Record<string, string>>;

export function sideOf(files: Files, head: string, path = 'a.proto'): ProtoSide {
  const named = typeof files === 'string' ? { 'a.proto': files } : files;
  const schemas = new Map<string, ProtoSchema>();
  const unread = new Map<string, { readonly line: number; readonly message: string }>();
  for (const [one, text] of Object.entries(named)) {
    const { schema, problem } = parseProto(head + text);
    if (one === path) assert.equal(problem, undefined, text);
    if (problem === undefined) schemas.set(one, schema);
    else unread.set(one, problem);
  }
  return { path, files: schemas, unread };
}

export const proto3 = 'syntax = "proto3"; package p; ';
export const proto2 = 'syntax = "proto2"; package p; ';

export function changesOf(before: Files, after: Files, head = proto3): readonly string[] {
  return toldOf(sideOf(before, head), sideOf(after, head));
}

function toldOf(before: ProtoSide, after: ProtoSide): readonly string[] {
  return compareProtos(before, after).changes.map(one =>
    [one.id, one.severity, one.compatibility.join('+') || '-', one.subject].join(' '),
  );
}

export interface Rule {
  readonly rule: string;
  readonly head?: string;
  /** Of the contract where it is not `a.proto`. */
  readonly path?: string;
  readonly before: Files;
  readonly after: Files;
  readonly there: readonly string[];
  /** The way back. */
  readonly back: readonly string[];
}

export const message = (fields: string): string => `message M { ${fields} }`;

/** Each rule holds there and back, and a revision has no changes from itself. */
export function testRules(rules: readonly Rule[]): void {
  for (const { rule, head = proto3, path = 'a.proto', before, after, there, back } of rules) {
    test(`protobuf changes: ${rule}`, () => {
      const [old, now] = [sideOf(before, head, path), sideOf(after, head, path)];
      assert.deepEqual(bySeverity(toldOf(old, now)), bySeverity(there));
      assert.deepEqual(bySeverity(toldOf(now, old)), bySeverity(back));
      const [few, later] = connectedOf(before, after, head, path);
      const connected = toldOf({ ...few, paths: pathsOf(old) }, { ...later, paths: pathsOf(now) });
      assert.deepEqual(connected, toldOf(old, now), 'by connected files alone');
      assert.deepEqual(toldOf(old, old), []);
    });
  }
}

/** Two revisions without files that have nothing to do with the contract. */
function connectedOf(before: Files, after: Files, head: string, path: string): readonly [ProtoSide, ProtoSide] {
  const sides = [before, after].map(files => (typeof files === 'string' ? { 'a.proto': files } : files));
  const bytes = sides.map(
    files => new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(head + text)])),
  );
  const wanted = connectedProtos(path, bytes);
  const [old, now] = sides.map(files =>
    sideOf(Object.fromEntries(Object.entries(files).filter(([one]) => wanted.has(one))), head, path),
  );
  return [old!, now!];
}

/** Of one severity by their names, since all of them stand on one line. */
function bySeverity(changes: readonly string[]): readonly string[] {
  const severities = ['breaking', 'risky', 'safe'].map(severity =>
    changes.filter(one => one.split(' ')[1] === severity),
  );
  assert.deepEqual(severities.flat(), changes);
  return severities.flatMap(some => some.sort());
}
