import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareProtos } from '../../../../daemon/analysis/contracts/breaking/proto/compare-proto.ts';
import { connectedProtos } from '../../../../daemon/analysis/contracts/breaking/proto/connected.ts';
import type { ProtoSide } from '../../../../daemon/analysis/contracts/breaking/proto/types.ts';
import { parseProto } from '../../../../daemon/extract/api-contract/proto/parse-proto.ts';
import type { ProtoSchema } from '../../../../daemon/model/proto-schema.ts';

/** Files by their paths; a text alone is the contract `a.proto`. */
type Files = string | Readonly<Record<string, string>>;

export function sideOf(files: Files, head: string): ProtoSide {
  const named = typeof files === 'string' ? { 'a.proto': files } : files;
  const schemas = new Map<string, ProtoSchema>();
  const unread = new Map<string, { readonly line: number; readonly message: string }>();
  for (const [path, text] of Object.entries(named)) {
    const { schema, problem } = parseProto(head + text);
    if (path === 'a.proto') assert.equal(problem, undefined, text);
    if (problem === undefined) schemas.set(path, schema);
    else unread.set(path, problem);
  }
  return { path: 'a.proto', files: schemas, unread };
}

export const proto3 = 'syntax = "proto3"; package p; ';
export const proto2 = 'syntax = "proto2"; package p; ';

export function changesOf(before: Files, after: Files, head = proto3): readonly string[] {
  return compareProtos(sideOf(before, head), sideOf(after, head)).changes.map(one =>
    [one.id, one.severity, one.compatibility.join('+') || '-', one.subject].join(' '),
  );
}

export interface Rule {
  readonly rule: string;
  readonly head?: string;
  readonly before: Files;
  readonly after: Files;
  readonly there: readonly string[];
  /** The way back. */
  readonly back: readonly string[];
}

export const message = (fields: string): string => `message M { ${fields} }`;

/** Each rule holds there and back, and a revision has no changes from itself. */
export function testRules(rules: readonly Rule[]): void {
  for (const { rule, head, before, after, there, back } of rules) {
    test(`protobuf changes: ${rule}`, () => {
      assert.deepEqual(bySeverity(changesOf(before, after, head)), bySeverity(there));
      assert.deepEqual(bySeverity(changesOf(after, before, head)), bySeverity(back));
      const [old, now] = connectedOf(before, after, head);
      assert.deepEqual(changesOf(old, now, head), changesOf(before, after, head), 'by connected files alone');
      assert.deepEqual(changesOf(before, before, head), []);
    });
  }
}

/** Two revisions without files that have nothing to do with the contract. */
function connectedOf(before: Files, after: Files, head = proto3): readonly [Files, Files] {
  const sides = [before, after].map(files => (typeof files === 'string' ? { 'a.proto': files } : files));
  const bytes = sides.map(
    files => new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(head + text)])),
  );
  const wanted = connectedProtos('a.proto', bytes);
  const [old, now] = sides.map(files => Object.fromEntries(Object.entries(files).filter(([path]) => wanted.has(path))));
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
