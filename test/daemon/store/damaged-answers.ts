import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openIndexWriter } from '../../../daemon/store/index-db.ts';
import { type IndexReader, openIndexReader } from '../../../daemon/store/index-reader.ts';
import { linkBatch } from '../../../daemon/store/link-batch.ts';
import { holdsSoFar } from '../../../daemon/store/scrub.ts';
import { isSound } from '../../../daemon/store/seal.ts';
import { Database } from '../../../daemon/store/sqlite.ts';
import { StoreError } from '../../../daemon/store/store-faults.ts';
import { syntheticRepository } from '../../support/synthetic.ts';
import { everything } from './index-under-test.ts';

/** An index file at rest, as a daemon that ended in order leaves it; `logOfBefore` is the log that it once had. */
export function indexAtRest(
  t: TestContext,
  documents: number,
): { readonly file: string; readonly logOfBefore: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'svc-damage-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'index.db');
  const writer = openIndexWriter(file);
  const all = [...syntheticRepository(documents, 5, 20)];
  writer.putFacts(all.map(({ fact }) => fact));
  writer.publish('r', {
    entries: all.map(({ entry }) => entry),
    removed: [],
    linked: [linkBatch(all.map(({ linked }) => linked))],
    snapshotId: 'sha256:1',
    publishedAt: 1,
  });
  const removed = [all[0]!.entry.entry.path];
  writer.publish('r', { entries: [], removed, linked: [], snapshotId: 'sha256:2', publishedAt: 2 });
  const logOfBefore = readFileSync(`${file}-wal`);
  writer.close();
  return { file, logOfBefore };
}

/** The same numbers in each run. */
export function numbers(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const pageBytes = 4096;

/** So many of each. */
export interface Share {
  readonly flips: number;
  readonly pages: number;
  readonly cuts: number;
}

export const wholeShare: Share = { flips: 400, pages: 100, cuts: 100 };

/** Puts damaged bytes in the place of a file's, one way after the other; the last is a log of another run beside the whole file. */
export function* damages(file: string, share: Share, logOfBefore: Buffer, seed = 20): Generator<string> {
  const whole = readFileSync(file);
  const random = numbers(seed);
  for (let round = 0; round < share.flips; round++) {
    const damaged = Buffer.from(whole);
    const [at, bit] = [random(whole.length), random(8)];
    damaged[at]! ^= 1 << bit;
    writeFileSync(file, damaged);
    yield `bit ${bit} of byte ${at} flipped`;
  }
  for (let round = 0; round < share.pages; ) {
    const page = random(whole.length / pageBytes) * pageBytes;
    if (whole.subarray(page, page + pageBytes).every(byte => byte === 0)) continue;
    writeFileSync(file, Buffer.from(whole).fill(0, page, page + pageBytes));
    yield `page at ${page} zeroed`;
    round++;
  }
  for (let round = 0; round < share.cuts; round++) {
    const length = random(whole.length);
    writeFileSync(file, whole.subarray(0, length));
    yield `cut to ${length} bytes`;
  }
  writeFileSync(file, whole);
  writeFileSync(`${file}-wal`, logOfBefore);
  yield 'a log of another run';
  rmSync(`${file}-wal`, { force: true });
}

/** What a reader says when it is asked, by question; an answer is a text, or that the file is damaged. */
type Answers = ReadonlyMap<string, string>;
const damaged = 'damaged';

/** Asks all that hangs on rows: what there is, and of each symbol that is known to be there all about it. */
function answersOf(file: string, hashes: readonly string[]): Answers {
  const answers = new Map<string, string>();
  const ask = (what: string, question: () => unknown): void => {
    try {
      answers.set(what, JSON.stringify(question(), plainly) ?? 'nothing');
    } catch (error) {
      assert.ok(error instanceof StoreError && error.trouble === 'corrupt', `${what}: ${error}`);
      answers.set(what, damaged);
    }
  };
  let reader: IndexReader | undefined;
  ask('opened', () => {
    reader = openIndexReader(file);
  });
  if (reader === undefined) return answers;
  const { close, ...asked } = reader;
  ask('the newest snapshot', () => asked.snapshot('r'));
  ask('the manifest', () => asked.manifest('r')?.entries);
  ask('files passed over', () => [...asked.passedOver('r')]);
  ask('the catalogue', () => {
    const catalogue = asked.catalogue('r', 2)!;
    const found = catalogue.names.flatMap((name, at) =>
      [...catalogue.order.subarray(catalogue.starts[at], catalogue.ends[at])].map(definition => ({ definition, name })),
    );
    return asked.rows(catalogue, found);
  });
  ask('what files import', () => asked.fileGraph('r', 2));
  ask('what is foreign', () => [asked.externals('r'), asked.foreignNames('r')]);
  for (const hash of hashes) {
    for (const seq of [1, 2]) {
      ask(`symbol ${hash} at ${seq}`, () => asked.symbol('r', seq, hash));
      ask(`references of ${hash} at ${seq}`, () => asked.references('r', seq, hash, everything));
    }
  }
  close();
  return answers;
}

const plainly = (_: string, value: unknown): unknown =>
  value instanceof Map || value instanceof Set ? [...value] : value;

/** The answers that differ from those of the whole file, and are not that it is damaged. */
function wrongAnswers(given: Answers, truth: Answers): readonly string[] {
  return [...given].flatMap(([what, answer]) => (answer === damaged || answer === truth.get(what) ? [] : [what]));
}

/** A copy of a file that nothing seals: its writer died. */
function unsealedCopy(file: string): string {
  copyFileSync(file, `${file}.unsealed`);
  return `${file}.unsealed`;
}

/** Damages a file that nothing seals in as many ways, and asks a reader all that it can be asked. */
export function rightOrNone(t: TestContext, share: Share): void {
  const { file: sealed, logOfBefore } = indexAtRest(t, 6);
  const file = unsealedCopy(sealed);
  const hashes = symbolsIn(file);
  const truth = answersOf(file, hashes);
  assert.ok(hashes.length > 10 && [...truth.values()].every(answer => answer !== damaged));
  let [met, unnoticed] = [0, 0];
  for (const what of damages(file, share, logOfBefore, 21)) {
    // What SQLite itself finds is never asked anything.
    if (!isSound(file)) continue;
    const given = answersOf(file, hashes);
    // Digests of rows are compared at first reading; what leads to rows, by the comparison that begins before the first answer.
    if ([...given.values()].includes(damaged)) met++;
    else if (holdsSoFar(file, () => false)) {
      assert.deepEqual(wrongAnswers(given, truth), [], what);
      unnoticed++;
    }
    for (const part of ['-wal', '-shm']) rmSync(file + part, { force: true });
  }
  assert.ok(met > share.flips / 20, `${met} were met by digests of rows, ${unnoticed} change no answer`);
}

function symbolsIn(file: string): readonly string[] {
  const database = new Database(file, { readonly: true });
  const rows = database.prepare<[], { hash: Buffer }>('SELECT hash FROM symbol ORDER BY id').all();
  database.close();
  return rows.map(({ hash }) => hash.toString('hex'));
}
