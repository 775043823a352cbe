import assert from 'node:assert/strict';
import { renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Fault } from '../../../client/protocol/faults.ts';
import { symbolId } from '../../../daemon/model/identity.ts';
import { uploadCodings } from '../../../daemon/operations/index-server/upload-codings.ts';
import { openIndexReader } from '../../../daemon/store/index-reader.ts';
import { retiredFile } from '../../../daemon/store/retired-files.ts';
import { temporaryHome, until } from '../../support/daemon.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { type HostedDaemon, hostedDaemon } from '../../support/hosted-daemon.ts';
import { gitRepository } from '../../support/repository.ts';
import { scipBytes } from '../../support/scip.ts';
import { documents, hashOf, metadata, sym } from '../jobs/uploads.ts';
import { rejects } from './expected-faults.ts';
import { tree } from './indexed-repository.ts';

const commit = 'ab'.repeat(20);
const first = scipBytes({ metadata, documents });
/** As the first, with one function more. */
const second = scipBytes({
  metadata,
  documents: [
    ...documents,
    {
      relativePath: 'src/more.ts',
      occurrences: [
        { range: [0, 9, 13], symbol: sym('more.ts', 'more().'), symbolRoles: 1 },
        { range: [1, 2, 8], symbol: sym('lib.ts', 'helper().') },
      ],
    },
  ],
});

const repo = 'acme/x';
const helper = symbolId(repo, hashOf('src/lib.ts', 'helper().'));
const more = symbolId(repo, hashOf('src/more.ts', 'more().'));
const indexFiles = (at: HostedDaemon): readonly string[] =>
  (at.filesOf(repo) ?? []).filter(name => name.startsWith('index-') && name.endsWith('.db'));
/** What answers, in short. */
const served = async (at: HostedDaemon) => {
  const { snapshotId, symbolCount, fileCount } = await at.ask('indexing.status', { repo });
  return { snapshotId, symbolCount, fileCount };
};
const syncSeq = (at: HostedDaemon): number | undefined =>
  at.state.database.lastSync(at.indexing.repositories.get(repo)!.registered.uid)?.seq;

async function withFirst(context: TestContext, options: Parameters<typeof hostedDaemon>[1] = {}) {
  const at = await hostedDaemon(context, options);
  const answer = await at.upload(repo, first, { commit });
  return { at, answer, before: await served(at) };
}

test('an upload creates its repository, is told of as any publication, and leaves nothing but its index', async context => {
  const at = await hostedDaemon(context);
  const seen: string[] = [];
  at.state.alsoObserve(one => seen.push(one.kind === 'repository.changed' ? `${one.kind} ${one.change}` : one.kind));
  const { data, meta } = await at.upload(repo, first, { commit });
  assert.deepEqual(
    { ...data, duration_ms: 0 },
    {
      ...{ repo_id: repo, commit, languages: ['typescript'], upload_type: 'full', duration_ms: 0, warnings: [] },
      stats: { files: 2, symbols: 5, refs: 6, call_edges: 3 },
    },
  );
  assert.equal(meta.sync_seq, 1);
  assert.deepEqual(at.uploads(), []);
  const { record, registered, epoch } = at.indexing.repositories.get(repo)!;
  assert.deepEqual([record.root, record.worktreeKey, registered.source], ['', registered.uid, 'upload']);
  assert.equal(record.indexFile, retiredFile(record.indexFile, epoch));
  assert.deepEqual(at.filesOf(repo), [`index-${epoch}.db`, `index-${epoch}.db.seal`]);
  assert.equal(statSync(record.indexFile).mode & 0o777, 0o600);
  assert.equal(at.state.database.hosted(registered.uid)?.commit, commit);
  assert.equal(at.state.database.hosted(registered.uid)?.indexer, 'scip-typescript 0.4.0');
  assert.deepEqual(
    seen.filter(kind => kind === 'snapshot.published' || kind.startsWith('repository.')),
    ['repository.changed added', 'snapshot.published'],
  );
  const job = (await at.ask('jobs.list', { type: 'upload-index' })).jobs[0]!;
  assert.deepEqual([job.status, job.repo, job.progress], ['completed', repo, 100]);
  const { repos } = await at.ask('daemon.listRepos', {});
  assert.deepEqual(
    repos.map(({ id, source, root, status, watching }) => ({ id, source, root, status, watching })),
    [{ id: repo, source: 'upload', root: '', status: 'ready', watching: 'off' }],
  );
});

test('a second upload takes the place of the first, which stays readable; the same bytes again change nothing', async context => {
  const { at, before } = await withFirst(context);
  const { epoch, record } = at.indexing.repositories.get(repo)!;
  await rejects(at.ask('symbols.get', { id: more }), 'symbolNotFound');
  const { data, meta } = await at.upload(repo, second, {});
  assert.deepEqual([data.commit, data.stats.files, meta.sync_seq], ['', 3, 2]);
  assert.equal((await at.ask('symbols.get', { id: more })).name, 'more');
  assert.equal((await at.ask('symbols.refs', { id: helper })).total, 3);
  const old = openIndexReader(retiredFile(at.indexing.repositories.get(repo)!.record.indexFile, epoch));
  assert.equal(old.snapshot(record.worktreeKey)?.snapshotId, before.snapshotId);
  old.close();
  const files = at.filesOf(repo);
  const again = await at.upload(repo, second, { commit });
  assert.deepEqual([again.meta.sync_seq, syncSeq(at)], [2, 2]);
  assert.deepEqual(at.filesOf(repo), files);
  assert.equal(at.state.database.hosted(at.indexing.repositories.get(repo)!.registered.uid)?.commit, commit);
});

const tenYearsMs = 10 * 365 * 86_400_000;

test('replaced indexes go once they are neither among the last five nor younger than a quarter of an hour, whatever is done to the clock (P18)', async context => {
  const clock = fakeClock(Date.now());
  const { at } = await withFirst(context, { clock });
  const line = (n: number) =>
    scipBytes({
      metadata,
      documents: [
        { relativePath: 'src/a.ts', occurrences: [{ range: [n, 0, 1], symbol: sym('a.ts', 'a.'), symbolRoles: 1 }] },
      ],
    });
  const epochs = [at.indexing.repositories.get(repo)!.epoch];
  for (let n = 0; n < 6; n++) {
    await at.upload(repo, line(n));
    epochs.push(at.indexing.repositories.get(repo)!.epoch);
  }
  await clock.advance(60_000);
  assert.equal(indexFiles(at).length, 7, 'all are young');
  clock.set(tenYearsMs);
  await clock.advance(60_000);
  assert.equal(indexFiles(at).length, 7, 'all are as young as they were');
  clock.set(-2 * tenYearsMs);
  await clock.advance(60_000);
  await clock.advance(16 * 60_000);
  await until('the oldest go', () => indexFiles(at).length === 5);
  assert.deepEqual(indexFiles(at), [...epochs.slice(2)].map(epoch => `index-${epoch}.db`).sort());
});

test('while an upload is under way another of the same repository is told to come again; one of another is not', async context => {
  const { at, before } = await withFirst(context);
  const slow = new PassThrough();
  const uploading = at.upload(repo, slow);
  slow.write(second.subarray(0, 100));
  await until('it has begun', () => at.uploads().length === 1);
  await assert.rejects(
    at.upload(repo, first),
    (error: unknown) => error instanceof Fault && error.reason === 'busy' && error.extras.retryAfterSeconds! > 0,
  );
  assert.equal((await at.upload('acme/y', first)).meta.sync_seq, 1);
  assert.deepEqual(await served(at), before);
  slow.end(second.subarray(100));
  assert.equal((await uploading).meta.sync_seq, 2);
  assert.equal((await at.upload(repo, first)).meta.sync_seq, 3);
});

test('a body that ends early, at each tenth of it, leaves the old index and no file', async context => {
  const { at, before } = await withFirst(context);
  for (let tenth = 0; tenth < 10; tenth++) {
    const cut = new Readable({ read() {} });
    cut.push(second.subarray(0, (second.length * tenth) / 10));
    const uploading = at.upload(repo, cut);
    await until('it has begun', () => at.uploads().length === 1);
    cut.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
    await rejects(uploading, 'invalidScip');
    assert.deepEqual([at.uploads(), await served(at)], [[], before], `cut at ${tenth} tenths`);
  }
  // A proxy that ends such a body in order makes it a truncated index.
  for (let tenth = 0; tenth < 10; tenth++) {
    await rejects(at.upload(repo, second.subarray(0, (second.length * tenth) / 10)), 'invalidScip');
    assert.deepEqual([at.uploads(), await served(at)], [[], before], `ended at ${tenth} tenths`);
  }
  assert.equal(indexFiles(at).length, 1);
});

test('a client that goes away ends its upload while bytes come, and leaves the job to its end once all are there', async context => {
  const { at, before } = await withFirst(context);
  const slow = new PassThrough();
  const gone = new AbortController();
  const uploading = at.upload(repo, slow, { abort: gone });
  slow.write(second.subarray(0, 100));
  await until('it has begun', () => at.uploads().length === 1);
  gone.abort();
  await rejects(uploading, 'cancelled');
  await until('it is over', () => isFree(at));
  assert.deepEqual([at.uploads(), await served(at)], [[], before]);

  const late = new AbortController();
  const begun: string[] = [];
  at.state.alsoObserve(one => {
    if (one.kind !== 'job.changed' || one.status !== 'running' || begun.length > 0) return;
    begun.push(one.id);
    late.abort();
  });
  await rejects(at.upload(repo, second, { abort: late }), 'cancelled');
  await until('its job ends', () => at.indexing.jobs.get(begun[0]!)?.state === 'completed');
  assert.equal((await served(at)).fileCount, 3);
  await until('its body is gone', () => at.uploads().length === 0);
});

test('a cancelled job leaves the old index, and what was made of the new one goes', async context => {
  const { at, before } = await withFirst(context);
  at.state.alsoObserve(one => {
    if (one.kind === 'job.changed' && one.status === 'running') queueMicrotask(() => cancelQuietly(at, one.id));
  });
  const told = await at.upload(repo, second).catch((error: unknown) => error);
  assert.ok(told instanceof Fault && told.reason === 'preconditionFailed', String(told));
  assert.deepEqual(told.extras.details?.['status'], 'cancelled');
  await until('it is over', () => at.uploads().length === 0);
  assert.deepEqual(await served(at), before);
  assert.equal(indexFiles(at).length, 1);
});

/** Whether nobody uploads to the repository: a body's file is gone a moment before its upload is over. */
function isFree({ indexing: { hosted } }: HostedDaemon): boolean {
  try {
    hosted.hold(repo)();
    return true;
  } catch {
    return false;
  }
}

function cancelQuietly({ indexing: { jobs } }: HostedDaemon, id: string): void {
  try {
    jobs.cancel(id);
  } catch {
    // It has ended.
  }
}

test('what is no index, too large or of no use is refused with its reason, and changes nothing', async context => {
  const { at, before } = await withFirst(context, { mostBytes: 200_000 });
  const gzipped = gzipSync(second);
  const twoTexts = scipBytes({
    metadata,
    documents: ['const a = 1;', 'const a = 2;'].map(text => ({ ...documents[0]!, text })),
  });
  const huge = scipBytes({ metadata, documents: [{ relativePath: 'a.ts', text: 'x'.repeat(300_000) }] });
  const table: readonly (readonly [string, Uint8Array, string | undefined, string])[] = [
    ['nothing', new Uint8Array(), undefined, 'invalidScip'],
    ['noise', Buffer.from('no index!'), undefined, 'invalidScip'],
    ['JSON', Buffer.from('{"documents": []}'), undefined, 'invalidScip'],
    ['an ELF file', Buffer.from('7f454c46020101000000000000000000', 'hex'), undefined, 'invalidScip'],
    ['tag 0', Buffer.from([0, 0, 0]), undefined, 'invalidScip'],
    ['a varint without end', Buffer.alloc(11, 0xff), undefined, 'invalidScip'],
    ['a length past the end', Buffer.from([0x0a, 0x7f, 0]), undefined, 'invalidScip'],
    ['half of a gzip file', gzipped.subarray(0, gzipped.length / 2), 'gzip', 'invalidScip'],
    ['what is no gzip', second, 'gzip', 'invalidScip'],
    ['gzip that inflates to noise', gzipSync('noise'), 'gzip', 'invalidScip'],
    ['no metadata', scipBytes({ documents }), undefined, 'invalidScip'],
    [
      'documents outside alone',
      scipBytes({ metadata, documents: [{ relativePath: '../x' }] }),
      undefined,
      'invalidScip',
    ],
    [
      'an unknown encoding',
      scipBytes({ metadata: { ...metadata, textDocumentEncoding: 9 }, documents }),
      undefined,
      'invalidScip',
    ],
    ['too many bytes', huge, undefined, 'tooLarge'],
    ['brotli', second, 'br', 'unsupportedMediaType'],
    ['two codings', gzipSync(gzipped), 'gzip, gzip', 'unsupportedMediaType'],
    ['what is no zstd', second, 'zstd', uploadCodings.includes('zstd') ? 'invalidScip' : 'unsupportedMediaType'],
    ['a coding of no name', second, ',', 'unsupportedMediaType'],
    ['two indexes in one body', Buffer.concat([second, second]), undefined, 'invalidScip'],
    ['two texts of one file', twoTexts, undefined, 'invalidScip'],
    [
      'a version from the future',
      scipBytes({ metadata: { ...metadata, version: 3 }, documents }),
      undefined,
      'invalidScip',
    ],
    ['a group that does not end', Buffer.concat([second, Buffer.from([0x4b])]), undefined, 'invalidScip'],
    ['a wire type that there is not', Buffer.concat([second, Buffer.from([0x4f])]), undefined, 'invalidScip'],
    ['a document that is a number', Buffer.concat([second, Buffer.from([0x10, 5])]), undefined, 'invalidScip'],
  ];
  for (const [what, body, encoding, reason] of table) {
    await rejects(at.upload(repo, body, encoding === undefined ? {} : { encoding }), reason as Fault['reason']).catch(
      error => assert.fail(`${what}: ${error}`),
    );
    assert.deepEqual([at.uploads(), await served(at)], [[], before], what);
  }
  assert.equal(indexFiles(at).length, 1);
});

test('a body that is said to be past the limit is refused before its first byte is read', async context => {
  const { at } = await withFirst(context, { mostBytes: 200_000 });
  const body = new Readable({ read: () => assert.fail('it was read') });
  await rejects(at.ask('indexServer.upload', { repo, body, length: 200_001 }), 'tooLarge');
  assert.equal(body.destroyed, false);
  const { length } = second;
  assert.equal((await at.ask('indexServer.upload', { repo, body: Readable.from([second]), length })).meta.sync_seq, 2);
});

test('what a small body inflates to is bounded as a large one is', async context => {
  const home = temporaryHome(context);
  home.configure('[limits]\nscip_bytes = 1048576\n');
  const at = await hostedDaemon(context, { home });
  const bomb = gzipSync(scipBytes({ metadata, documents: [{ relativePath: 'a.ts', text: ' '.repeat(4_000_000) }] }));
  assert.ok(bomb.length < 100_000);
  await rejects(at.upload(repo, bomb, { encoding: 'gzip' }), 'tooLarge');
  assert.equal(at.indexing.repositories.get(repo), undefined);
  assert.deepEqual([at.filesOf(repo), at.uploads()], [undefined, []]);
});

test('a gzip body is the index that it inflates to, and has to be called so', async context => {
  const { at, before } = await withFirst(context);
  for (const encoding of ['gzip', 'GZIP', 'x-gzip'])
    assert.equal((await at.upload(repo, gzipSync(first), { encoding })).meta.sync_seq, 1);
  for (const more of [{}, { encoding: 'identity' }]) {
    await assert.rejects(at.upload(repo, gzipSync(first), more), (fault: Fault) => {
      assert.match(fault.message, /is gzip: its Content-Encoding must say so/);
      return fault.reason === 'invalidScip';
    });
  }
  assert.deepEqual(await served(at), before);
  assert.ok(uploadCodings.includes('gzip'));
});

test('what of a good index can’t be taken in is told', async context => {
  const at = await hostedDaemon(context);
  const { data } = await at.upload(repo, scipBytes({ metadata, documents: [...documents, { relativePath: '../x' }] }));
  assert.equal(data.stats.files, 2);
  assert.match(data.warnings.join('\n'), /^left out, document: path: 1 time \("\.\.\/x"/);
});

test('ids are checked, and what is no upload is nobody’s to overwrite or delete', async context => {
  const at = await hostedDaemon(context, { configured: ['acme/configured'] });
  for (const id of ['../x', 'a//b', '/a', 'a/', '.hidden', 'a b', '-x', 'é', 'a'.repeat(513), 'a/../b', 'a\0'])
    await rejects(at.upload(id, first), 'invalidParameter');
  await rejects(at.upload('acme/configured', first), 'configRepo');
  await rejects(at.ask('indexServer.delete', { repo: 'acme/configured' }), 'configRepo');
  const { root } = gitRepository(context, tree);
  await at.ask('daemon.addRepo', { root, id: 'app' });
  await rejects(at.upload('app', first), 'configRepo');
  await rejects(at.ask('indexServer.delete', { repo: 'app' }), 'repoNotFound');
  at.indexing.repositories.addHosted('acme/mirror', 'mirror');
  await rejects(at.upload('acme/mirror', first), 'configRepo');
  await rejects(at.ask('indexServer.delete', { repo: 'acme/mirror' }), 'repoNotFound');
  await rejects(at.ask('indexServer.delete', { repo: 'acme/none' }), 'repoNotFound');
  await rejects(at.ask('indexServer.upload', { repo }), 'preconditionFailed');
  for (const bad of ['HEAD', commit.slice(1), `${commit}a`, `${'ab'.repeat(32)}a`, ';rm', 'é'.repeat(40)])
    await rejects(at.upload(repo, first, { commit: bad }), 'invalidParameter');
  assert.equal(at.indexing.repositories.get(repo), undefined);
  assert.deepEqual(at.uploads(), []);
});

test('a deleted repository leaves nothing, and ends the upload that is under way', async context => {
  const { at } = await withFirst(context);
  await at.upload(repo, second);
  const slow = new PassThrough();
  const uploading = at.upload(repo, slow).catch((error: unknown) => error);
  slow.write(first.subarray(0, 100));
  await until('it has begun', () => at.uploads().length === 1);
  const { uid } = at.indexing.repositories.get(repo)!.registered;
  const { data } = await at.ask('indexServer.delete', { repo });
  assert.deepEqual(data, { id: repo, status: 'deleted' });
  const told = (await uploading) as Fault;
  assert.deepEqual([told.reason, told.extras.details?.['reason']], ['preconditionFailed', 'deleted']);
  assert.deepEqual([at.filesOf(repo), at.uploads()], [undefined, []]);
  assert.equal(at.state.database.hosted(uid), undefined);
  assert.equal(at.state.database.lastSync(uid), undefined);
  await rejects(at.ask('indexServer.delete', { repo }), 'repoNotFound');
  await rejects(at.ask('symbols.get', { id: helper }), 'resourceNotFound');
  assert.equal((await at.upload(repo, first)).meta.sync_seq, 3, 'what mirrors know of the first means nothing else');
});

test('where no body can be written that is told, and the next finds room; what lies in the place of their folder gives way', async context => {
  const { at, before } = await withFirst(context);
  const { data } = at.home.places;
  renameSync(data, `${data}-away`);
  writeFileSync(data, '');
  await rejects(at.upload(repo, second), 'storageFailed');
  rmSync(data);
  renameSync(`${data}-away`, data);
  assert.deepEqual(await served(at), before);
  rmSync(join(data, 'uploads'), { recursive: true, force: true });
  writeFileSync(join(data, 'uploads'), '');
  assert.equal((await at.upload(repo, second)).meta.sync_seq, 2);
});
