import { type Answer, pairs, rows, type View, type Views } from './view.ts';

/** Mirrors of what index servers elsewhere serve. */
export const remoteViews: Views = {
  'remote.add': ({ remote, sync }) =>
    pairs([
      ['mirror', `${remote.id}, of ${remote.remoteRepo} at ${remote.url}`],
      ['read', sync === null ? 'not yet: svc remote sync' : told(sync)],
      ['symbols', sync === null ? '' : String(remote.symbolCount)],
      ['files', sync === null ? '' : String(remote.fileCount)],
    ]),
  'remote.sync': ({ results }) => synced(results),
  'remote.list': ({ remotes }) =>
    rows(
      ['id', 'status', 'synced', 'symbols', 'files', 'from', 'error'],
      remotes.map(one => [
        ...[one.id, one.status, one.syncedAt?.slice(0, 16).replace('T', ' ') ?? 'never'],
        ...[String(one.symbolCount), String(one.fileCount)],
        ...[`${one.url} ${one.remoteRepo}`, one.error ?? ''],
      ]),
      remotes.length === 0 ? ['Nothing is mirrored yet: svc remote add <id> --url <address>'] : [],
      ['files', 'symbols'],
    ),
  'remote.remove': ({ id }) => ({
    kind: 'text',
    text: `${id} is mirrored no longer, and what was here of it is gone\n`,
  }),
};

type Result = Answer<'remote.sync'>['results'][number];

function synced(results: readonly Result[]): View {
  return rows(
    ['id', 'status', 'what was read'],
    results.map(one => [one.id, one.status, one.error ?? told(one)]),
    results.length === 0 ? ['Nothing is mirrored yet: svc remote add <id> --url <address>'] : [],
  );
}

function told({ mode, filesChanged, duration }: Result): string {
  if (mode === null) return 'nothing: it is as it was';
  return mode === 'full'
    ? `all of it, ${filesChanged} files, in ${duration}`
    : `what had changed in ${filesChanged} files, in ${duration}`;
}
