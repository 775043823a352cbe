import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { quote } from '../../../client/paths.ts';
import { amount } from '../../../client/protocol/amount.ts';
import type { SuggestedFix } from '../../../client/protocol/faults.ts';
import { closedFolder, closedWay } from '../../../watch/file-system.ts';
import { wayInto } from '../../jobs/way-in.ts';
import { type IndexReader, openIndexReader } from '../../store/index-reader.ts';
import type { PassedOver } from '../../store/manifest-table.ts';
import { failures } from '../../store/snapshot-counts.ts';
import { type Finding, fix } from '../finding.ts';
import { passedFor } from '../passed-for.ts';
import type { ServedRepository } from '../served-repository.ts';

const named = 3;

/**
 * Files of the index without facts, or with some only, and paths that are not in it: how many, and why the first of them.
 */
export async function passedOverChecks(repository: ServedRepository): Promise<readonly Finding[]> {
  const { counts = { skipped: 0, failed: 0, partial: 0 } } = repository.snapshot ?? {};
  const found = await firstOf(repository, counts);
  return [
    skipped(repository, counts.skipped, found.skipped),
    failed(repository, counts.failed, found.failed),
    await partlyRead(repository, counts.partial),
  ];
}

/** No fault of anybody's: code may be broken on purpose, or newer than its parser. */
async function partlyRead(repository: ServedRepository, count: number): Promise<Finding> {
  const check = 'index.partial';
  if (count === 0) return { check, status: 'pass', message: 'none' };
  const some: string[] = [];
  const paths = (reader: IndexReader) => reader.partlyRead(repository.record.worktreeKey);
  await lookThrough(repository, paths, path => some.push(JSON.stringify(path)) >= named);
  const message = `${amount(count, 'file was', 'files were')} read only in part, where the syntax is broken or the parser lacks it`;
  return { check, status: 'info', message: `${message}${listed(count, some)}` };
}

export function failed(
  { record: { id, root } }: Pick<ServedRepository, 'record'>,
  count: number,
  first: readonly PassedOver[],
): Finding {
  const check = 'index.failed';
  if (count === 0) return { check, status: 'pass', message: 'none' };
  const message = `${amount(count, 'file')} could not be read or parsed${listed(count, first.map(words))}`;
  const closed = first.map(({ path }) => closedWay(join(root, path)));
  // To try again helps with nothing that we are kept out of: once it is open, the watcher has it read.
  const isAllClosed = first.length > 0 && !closed.includes(undefined);
  const again = fix(`svc index --force --repo ${quote(id)}`, 'Try them again');
  return { check, status: 'warn', message, fixes: [...waysInto(closed, root), ...(isAllClosed ? [] : [again])] };
}

function waysInto(closed: readonly (string | undefined)[], root: string): readonly SuggestedFix[] {
  return [...new Set(closed)].flatMap(path => (path === undefined ? [] : wayInto(path, root).fixes));
}

interface Found {
  readonly skipped: readonly PassedOver[];
  readonly failed: readonly PassedOver[];
}

/** The files that are not parsed because a parser died of them. */
export async function quarantinedPaths(repository: ServedRepository): Promise<ReadonlySet<string>> {
  const paths = new Set<string>();
  await lookThrough(repository, passedOver(repository), ({ path, skip }) => {
    if (skip === 'quarantined') paths.add(path);
    return false;
  });
  return paths;
}

async function firstOf(
  repository: ServedRepository,
  counts: { readonly skipped: number; readonly failed: number },
): Promise<Found> {
  const skipped: PassedOver[] = [];
  const failed: PassedOver[] = [];
  const isEnough = () =>
    skipped.length >= Math.min(named, counts.skipped) && failed.length >= Math.min(named, counts.failed);
  if (!isEnough()) {
    await lookThrough(repository, passedOver(repository), file => {
      (failures.has(file.skip) ? failed : skipped).push(file);
      return isEnough();
    });
  }
  return { skipped: skipped.slice(0, named), failed: failed.slice(0, named) };
}

function passedOver({ record }: ServedRepository) {
  return (reader: IndexReader): Iterable<readonly PassedOver[]> => reader.passedOver(record.worktreeKey);
}

/** Shows one after the other until it has been enough. Other requests get their turn between the portions. */
async function lookThrough<File>(
  { record }: ServedRepository,
  portionsOf: (reader: IndexReader) => Iterable<readonly File[]>,
  show: (file: File) => boolean,
): Promise<void> {
  try {
    const reader = openIndexReader(record.indexFile);
    try {
      for (const portion of portionsOf(reader)) {
        if (portion.some(show)) return;
        await nextTurn();
      }
    } finally {
      reader.close();
    }
  } catch {
    // What is wrong with the file has a check of its own.
  }
}

export function skipped(
  { unlisted, record }: Pick<ServedRepository, 'unlisted' | 'record'>,
  count: number,
  first: readonly PassedOver[],
): Finding {
  const check = 'index.skipped';
  const passed =
    count === 0 ? [] : [`${amount(count, 'file was', 'files were')} passed over${listed(count, first.map(words))}`];
  if (unlisted.length === 0) {
    return passed.length === 0
      ? { check, status: 'pass', message: 'none' }
      : { check, status: 'info', message: passed.join() };
  }
  const some = unlisted.slice(0, named).map(({ path, reason }) => `${JSON.stringify(path)} (${unlistedFor[reason]})`);
  const isGitAlone = unlisted.every(({ reason }) => reason === 'git_unreadable');
  const message = `${amount(unlisted.length, 'path')} could not be listed${listed(unlisted.length, some)}${isGitAlone ? '' : '; rename them, or let them be read'}`;
  // A path with something that can't be shown is another one as it is told.
  const closed = unlisted.slice(0, named).map(({ path }) => closedFolder(join(record.root, path)));
  return { check, status: 'warn', message: [...passed, message].join('; '), fixes: waysInto(closed, record.root) };
}

function listed(count: number, some: readonly string[]): string {
  return some.length === 0 ? '' : `: ${some.join(', ')}${count > some.length ? ', …' : ''}`;
}

function words({ path, skip }: PassedOver): string {
  return `${JSON.stringify(path)} (${skip === '' ? 'no reason' : passedFor[skip]})`;
}

const unlistedFor = {
  name_not_utf8: 'its name is not UTF-8',
  too_deep: 'too deep',
  unreadable: 'not readable',
  git_unreadable:
    'not readable, so that tracked files which are ignored are missing: repository.git-files has the remedy',
} as const;
