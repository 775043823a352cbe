import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { routesIn } from '../../../daemon/extract/contract-use/served-routes.ts';
import { readDocument } from '../../../daemon/extract/documents/read-document.ts';
import type { ExtractCalls } from '../../../daemon/jobs/extract-service.ts';
import { type DocsCall, docsReading } from '../../../daemon/operations/docs/docs-reading.ts';
import { openReaders } from '../../../daemon/operations/readers/open-readers.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { type AnalysedTree, analysedTree } from './analysed-tree.ts';

const tree = `-- package.json --
{ "name": "app" }
-- src/server.ts --
import express from 'express';
const app = express();
app.get('/users', () => {});
app.get('/orders', () => {});
app.listen(1);
-- src/load.ts --
export function loadConfig() {}
-- docs/a.md --
\`loadConfig()\` and \`GET /users/all\`
-- docs/b.md --
\`loadConfig()\`
`;

/** Reads in this thread, when it is let: what is asked for waits while it is held. */
function heldPool() {
  const waiting: (() => void)[] = [];
  let isHeld = false;
  let read = 0;
  const run = async (name: string, input: never): Promise<unknown> => {
    if (isHeld) await new Promise<void>(resolve => waiting.push(resolve));
    if (name === 'mentions') {
      const { texts } = input as Parameters<ExtractCalls['mentions']>[0];
      read += texts.length;
      return { mentions: texts.map(readDocument), retire: false };
    }
    const { files } = input as Parameters<ExtractCalls['routes']>[0];
    return { seen: files.map(one => routesIn(one.path, one.text)), retire: false };
  };
  return {
    /** How many documents were. */
    read: () => read,
    pool: { run } as unknown as NonNullable<Parameters<typeof docsReading>[0]>,
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
      for (const go of waiting.splice(0)) go();
    },
  };
}

async function documents(t: TestContext) {
  const held = heldPool();
  const analysed = await analysedTree(t, tree);
  const docs = docsReading(held.pool);
  const { signal } = new AbortController();
  const ask = (question: DocsCall['question']): Promise<Answered> =>
    analysed.about(async (reader, asked) => {
      const told = await docs.answer(reader, { asked, gone: { version: 1, rows: [] }, question }, signal);
      return told!.output as Answered;
    });
  return { ...held, ask, analysed };
}

interface Answered {
  readonly totalDocs?: number;
  readonly documents?: number;
  readonly reports?: readonly { readonly docPath: string; readonly stale: readonly { readonly rawText: string }[] }[];
}

const stale: DocsCall['question'] = { operation: 'docs.stale', input: { sync: false } };

async function changed({ folder, tree: indexed }: AnalysedTree, path: string, text: string): Promise<void> {
  folder.write(path, text);
  await indexed.changed(path);
}

test('a question that a publication overtakes leaves what is known of the newer snapshot', async t => {
  const { ask, hold, release, analysed } = await documents(t);
  hold();
  const overtaken = ask(stale);
  await changed(analysed, 'src/load.ts', 'export function loadConfig() {}\nexport function more() {}\n');
  release();
  const first = await ask(stale);
  assert.equal((await overtaken).totalDocs, 2);
  assert.deepEqual(
    first.reports?.map(one => [one.docPath, one.stale.map(({ rawText }) => rawText)]),
    [['docs/a.md', ['GET /users/all']]],
  );
  await changed(analysed, 'src/load.ts', 'export function loadConfig() {}\n');
  assert.deepEqual((await ask(stale)).reports, first.reports, 'the routes of files that are the same are known still');
});

test('a route that was served once is out of date where nothing like it is served any more', async t => {
  const { ask, analysed } = await documents(t);
  const routes = (health: string): string =>
    `import express from 'express';\nconst app = express();\napp.get('${health}', () => {});\napp.listen(1);\n`;
  await changed(analysed, 'docs/b.md', '`GET /health`\n');
  await changed(analysed, 'src/health.ts', routes('/health'));
  assert.deepEqual(staleIn(await ask(stale)), ['GET /users/all']);
  await changed(analysed, 'src/health.ts', routes('/alive'));
  assert.deepEqual(staleIn(await ask(stale)), ['GET /users/all', 'GET /health']);
  await changed(analysed, 'src/health.ts', routes('/health'));
  assert.deepEqual(staleIn(await ask(stale)), ['GET /users/all']);
});

function staleIn({ reports = [] }: Answered): readonly string[] {
  return reports.flatMap(one => one.stale.map(({ rawText }) => rawText));
}

test('a question that waits while all is read anew is about all documents', async t => {
  const { ask, hold, release, read } = await documents(t);
  hold();
  const waiting = ask(stale);
  const forced = ask({ operation: 'docs.index', force: true, most: 100 });
  release();
  assert.equal((await waiting).totalDocs, 2);
  assert.equal((await forced).documents, 2);
  assert.equal((await ask(stale)).totalDocs, 2);
  assert.equal(read(), 2, 'what two want is read once');
});

test('while somebody waits for what is read of it, a file of an index stays open', async t => {
  const analysed = await analysedTree(t, tree);
  const clock = fakeClock();
  const readers = openReaders({ cacheBytes: 1024, clock }, reader => reader);
  t.after(readers.close);
  const { indexFile } = analysed.tree.repo;
  const { kept, leave } = readers.hold(indexFile);
  await clock.advance(120_000);
  assert.equal(readers.of(indexFile), kept);
  leave();
  await clock.advance(120_000);
  assert.equal(readers.has(indexFile), false);
});
