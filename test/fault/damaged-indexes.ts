import assert from 'node:assert/strict';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import { Fault } from '../../client/protocol/faults.ts';
import { numbers, type Share } from '../daemon/store/damaged-answers.ts';
import { startDaemon, type TestDaemon, temporaryHome, until } from '../support/daemon.ts';
import { temporaryFolder } from '../support/repository.ts';

const tree =
  '-- a.ts --\nexport function alpha() {}\n-- b.ts --\nimport { alpha } from "./a.ts";\nalpha();\nalpha();\n';
const pageBytes = 4096;

interface Indexed {
  readonly id: string;
  readonly file: string;
  /** What lay beside the file while it was written to. */
  readonly log: Buffer;
}

/** Damages a file that nobody has open, and says how. */
type Hit = (one: Indexed, random: (below: number) => number) => string;

const flip: Hit = ({ file }, random) => {
  const bytes = readFileSync(file);
  const [at, bit] = [random(bytes.length), random(8)];
  bytes[at]! ^= 1 << bit;
  writeFileSync(file, bytes);
  return `bit ${bit} of byte ${at}`;
};

const zeroPage: Hit = ({ file }, random) => {
  const bytes = readFileSync(file);
  let at: number;
  do at = random(bytes.length / pageBytes) * pageBytes;
  while (bytes.subarray(at, at + pageBytes).every(byte => byte === 0));
  writeFileSync(file, bytes.fill(0, at, at + pageBytes));
  return `page at ${at}`;
};

const cut: Hit = ({ file }, random) => {
  const length = random(readFileSync(file).length);
  truncateSync(file, length);
  return `cut to ${length}`;
};

const staleLog: Hit = ({ file, log }) => {
  writeFileSync(`${file}-wal`, log);
  return 'a log of an earlier run';
};

/**
 * Damages the indexes of as many repositories, `perLife` at a time, while no daemon runs: each life of a daemon after that must
 * answer about each as if nothing had been, or that it can't yet, and must have logged each damage.
 */
export async function damageIndexes(
  t: TestContext,
  { flips, pages, cuts }: Share,
  perLife: number,
  seed: number,
): Promise<void> {
  const random = numbers(seed);
  const times = (count: number, hit: Hit): readonly Hit[] => Array.from({ length: count }, () => hit);
  const hits = [...times(flips, flip), ...times(pages, zeroPage), ...times(cuts, cut), staleLog];
  const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false' });
  const first = await startDaemon(t, home);
  const indexed = await indexedTrees(t, first, Math.min(perLife, hits.length));
  const right = await answers(first, indexed[0]!.id);
  assert.match(right, /^\["alpha",\[(\["b.ts",\d\],?){3}\]\]$/);
  assert.equal(await first.stop(), 0);
  let told = 0;
  for (let from = 0; from < hits.length; from += perLife) {
    const done = hits
      .slice(from, from + perLife)
      .map((hit, at) => ({ id: indexed[at]!.id, what: hit(indexed[at]!, random) }));
    const daemon = await startDaemon(t, home);
    for (const { id, what } of done) assert.equal(await answers(daemon, id), right, what);
    const corrupt = home.log().filter(({ msg }) => msg === 'index.corrupt');
    assert.deepEqual(
      corrupt
        .slice(told)
        .map(({ repo }) => repo)
        .sort(),
      done.map(({ id }) => id).sort(),
      'each is logged once',
    );
    told = corrupt.length;
    await atRest(daemon);
    assert.equal(await daemon.stop(), 0);
  }
}

async function indexedTrees(t: TestContext, daemon: TestDaemon, count: number): Promise<readonly Indexed[]> {
  const ids = Array.from({ length: count }, (_, at) => `r${at}`);
  for (const id of ids) await daemon.client.daemon.addRepo({ root: temporaryFolder(t, tree).root, id });
  await atRest(daemon);
  return Promise.all(
    ids.map(async id => {
      const { indexPath } = (await daemon.client.indexing.index({ repo: id, force: true })) as { indexPath: string };
      return { id, file: indexPath, log: readFileSync(`${indexPath}-wal`) };
    }),
  );
}

async function atRest({ client }: TestDaemon): Promise<void> {
  await until('all are indexed and watched', async () => {
    const { repos } = await client.daemon.listRepos({});
    return repos.every(
      ({ status, watching, pendingChanges }) => status === 'ready' && watching !== 'off' && pendingChanges === 0,
    );
  });
}

/** What the repository answers once it does; until then it must say that it can't, and when to ask again. */
export async function answers({ client }: TestDaemon, repo: string): Promise<string> {
  let told = '';
  await until(`${repo} answers`, async () => {
    try {
      const [found] = (await client.symbols.search({ repo, q: 'alpha' })).results;
      assert.equal(found?.name, 'alpha');
      const { references } = await client.symbols.refs({ repo, id: found.id });
      told = JSON.stringify([found.name, references.map(({ location }) => [location.file, location.line])]);
      return true;
    } catch (error) {
      assert.ok(error instanceof Fault, String(error));
      assert.equal(error.row.status, 503, `${repo}: ${error.message}`);
      assert.ok(error.extras.retryAfterSeconds !== undefined, 'Retry-After');
      return false;
    }
  });
  return told;
}
