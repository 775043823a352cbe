import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { Database } from '../../../daemon/store/sqlite.ts';
import { randomFrom } from '../../support/synthetic.ts';
import { clonesOf } from './delta-clones.ts';
import { dumpDifference } from './indexed-tree.ts';

/**
 * Changes an artifact in so many seeded ways, and holds that asking and taking in say the same of each, that neither asking
 * nor what is refused writes anything at all into the index, and that what is taken leaves it as the artifact itself would.
 */
export async function mutateDeltas(t: TestContext, count: number, seed: number): Promise<void> {
  const { built, dev, index, base, head, validate, ingest } = await clonesOf(t);
  const text = Buffer.from(JSON.stringify(built));
  dev.git('checkout', '--quiet', head);
  const before = index.dump();
  const writes = writesOf(t, index.repo.indexFile);
  const taken = { refused: 0, good: 0 };
  let after: ReturnType<typeof index.dump> | undefined;
  const random = randomFrom(seed);
  for (let round = 0; round < count; round++) {
    const mutant = mutated(text, random);
    const label = `seed ${seed}, round ${round}: ${describe(text, mutant)}`;
    const written = writes();
    const verdict = await validate(mutant);
    assert.equal(writes(), written, `${label}: asking writes nothing`);
    const answer = await ingest(mutant);
    const isValid = verdict !== 'refused' && verdict.problems.length === 0;
    const isTaken = answer !== 'refused' && answer.checked.problems.length === 0;
    assert.equal(isTaken, isValid, label);
    assert.equal(answer === 'refused', verdict === 'refused', label);
    if (verdict !== 'refused' && answer !== 'refused')
      assert.deepEqual(answer.checked.problems, verdict.problems, label);
    if (!isTaken) {
      taken.refused++;
      assert.equal(writes(), written, `${label}: what is refused writes nothing`);
      assert.equal(index.dump().hash, before.hash, `${label}\n${dumpDifference(before, index.dump())}`);
      continue;
    }
    taken.good++;
    after ??= index.dump();
    assert.equal(index.dump().hash, after.hash, `${label}: what is taken in is the tree, whatever the artifact says`);
    dev.git('checkout', '--quiet', base);
    await index.crawl();
    dev.git('checkout', '--quiet', head);
    assert.equal(index.dump().hash, before.hash, label);
  }
  assert.ok(taken.refused > count / 2 && taken.good > 0, JSON.stringify(taken));
}

/** Tells a number that is another one once anybody else has written the file. */
function writesOf(t: TestContext, file: string): () => unknown {
  const database = new Database(file, { readonly: true });
  t.after(() => database.close());
  return () => database.pragma('data_version', { simple: true });
}

type Random = () => number;

function describe(text: Uint8Array, mutant: Uint8Array): string {
  const at = text.findIndex((byte, index) => byte !== mutant[index]);
  const around = (bytes: Uint8Array) => Buffer.from(bytes.subarray(Math.max(0, at - 40), at + 60)).toString();
  return `…${around(text)}… became …${around(mutant)}…`;
}

/** An artifact's text with one thing changed: bytes of it, or a value. */
export function mutated(text: Buffer, random: Random): Buffer {
  return random() < 0.2 ? mutatedText(text, random) : mutatedValue(JSON.parse(text.toString()), random);
}

function mutatedText(text: Buffer, random: Random): Buffer {
  const at = Math.floor(random() * text.length);
  const kind = Math.floor(random() * 4);
  if (kind === 0) return Buffer.from(text.subarray(0, at));
  if (kind === 1) return Buffer.concat([text.subarray(0, at), text.subarray(at + 1 + Math.floor(random() * 20))]);
  const copy = Buffer.from(text);
  copy[at] = kind === 2 ? copy[at]! ^ (1 << Math.floor(random() * 8)) : Math.floor(random() * 256);
  return copy;
}

type Parent = Record<string, unknown> | unknown[];

/** One place anywhere in the value, chosen so that short branches have their share, is changed. */
function mutatedValue(value: unknown, random: Random): Buffer {
  const copy = structuredClone(value) as Parent;
  let parent = copy;
  let key = pickKey(parent, random);
  for (;;) {
    const child = (parent as Record<string, unknown>)[key];
    const isLeaf = typeof child !== 'object' || child === null || Object.keys(child).length === 0;
    if (isLeaf || random() < 0.15) break;
    parent = child as Parent;
    key = pickKey(parent, random);
  }
  change(parent, key, random);
  return Buffer.from(JSON.stringify(copy));
}

function pickKey(parent: Parent, random: Random): string {
  const keys = Object.keys(parent);
  return keys[Math.floor(random() * keys.length)]!;
}

const oddities: readonly unknown[] = [
  ...[null, true, 0, -1, 1, 1.5, 1e308, 2 ** 53, '', 'x', '../../etc/passwd', '/etc/passwd', 'a\u0000b', '__proto__'],
  ...['\ud800', 'a'.repeat(64), `sha256:${'0'.repeat(64)}`, `svc:x:sym:${'0'.repeat(32)}`, [], {}, [[]], { a: 1 }],
];

function change(parent: Parent, key: string, random: Random): void {
  const holder = parent as Record<string, unknown>;
  const value = holder[key];
  const choice = random();
  if (Array.isArray(parent) && choice < 0.3)
    parent.splice(Number(key), random() < 0.5 ? 1 : 0, ...(random() < 0.5 ? [value] : []));
  else if (Array.isArray(parent) && choice < 0.45) parent.push(...parent.splice(Number(key), 1));
  else if (choice < 0.5) delete holder[key];
  else if (choice < 0.55) holder[`${key}x`] = value;
  else if (typeof value === 'number' && choice < 0.8) holder[key] = value + (random() < 0.5 ? 1 : -1);
  else if (typeof value === 'string' && choice < 0.8) {
    const at = Math.floor(random() * value.length);
    holder[key] = value.slice(0, at) + (random() < 0.5 ? 'A' : '') + value.slice(at + 1);
  } else holder[key] = oddities[Math.floor(random() * oddities.length)];
}
