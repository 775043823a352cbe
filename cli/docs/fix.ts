import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { amount } from '../../client/protocol/amount.ts';
import type { OutputOf } from '../../client/protocol/operation.ts';
import type { Operations } from '../../client/protocol/registry.ts';
import type { Ask } from '../gate/measure.ts';
import { writeTold } from '../render.ts';
import type { Session } from '../session.ts';
import { safe } from '../terminal.ts';
import type { FixAsked } from './commands.ts';
import { lineDiff } from './line-diff.ts';

type Stale = OutputOf<Operations['docs.stale']>['reports'][number];

/** A document and what is to be written in it. */
interface Mended {
  readonly path: string;
  readonly before: Buffer;
  readonly after: string;
  readonly diff: string;
  readonly edits: readonly { readonly line: number; readonly from: string; readonly to: string }[];
}

/** Shows what would mend documents, or mends them. `path`: as the daemon has it. */
export async function fixDocs(
  session: Session,
  { apply }: FixAsked,
  path: string | undefined,
  ask: Ask,
): Promise<void> {
  const { reports, totalStale } = await ask('docs.stale', path === undefined ? {} : { path });
  const { repository } = await ask('system.status', {});
  const mended: Mended[] = [];
  const left: { readonly path: string; readonly why: string }[] = [];
  for (const report of reports) {
    const one = mend(repository.root, report);
    if (typeof one === 'string') left.push({ path: report.docPath, why: one });
    else if (one.edits.length > 0) mended.push(one);
  }
  const written: string[] = [];
  for (const one of apply ? mended : []) {
    const why = write(repository.root, one);
    if (why === undefined) written.push(one.path);
    else left.push({ path: one.path, why });
  }
  tell(session, { apply, mended, written, left, totalStale });
}

interface Outcome {
  readonly apply: boolean;
  readonly mended: readonly Mended[];
  readonly written: readonly string[];
  readonly left: readonly { readonly path: string; readonly why: string }[];
  readonly totalStale: number;
}

function tell(session: Session, { apply, mended, written, left, totalStale }: Outcome): void {
  const files = mended.map(({ path, edits, diff }) => ({ path, edits, diff }));
  const told = { dryRun: !apply, files, written, left };
  const diffs = mended.map(({ diff }) => diff).join('');
  writeTold(session, told, diffs.split('\n').map(safe).join('\n'));
  const edits = mended.reduce((sum, one) => sum + one.edits.length, 0);
  const verb = apply ? 'mended' : 'would be mended; --apply writes it';
  const done = apply ? mended.filter(({ path }) => written.includes(path)) : mended;
  const count = done.reduce((sum, one) => sum + one.edits.length, 0);
  session.terminal.err(`${amount(count, 'reference')} in ${amount(done.length, 'document')} ${verb}\n`);
  if (totalStale > edits) {
    session.terminal.err(
      `${amount(totalStale - edits, 'more is', 'more are')} stale, and nobody knows what has taken their place\n`,
    );
  }
  for (const { path, why } of left) session.terminal.err(`${safe(path)}: ${why}\n`);
}

/** The document with what is known written in place of what is gone; a text says why it can't be. */
function mend(root: string, { docPath, stale }: Stale): Mended | string {
  const before = readInside(root, docPath);
  if (typeof before === 'string') return before;
  const text = before.toString('utf8');
  if (!Buffer.from(text).equals(before)) return 'is not UTF-8';
  const lines = text.split('\n');
  const edits: Mended['edits'][number][] = [];
  // From the end of each line on, so that what stands before stays where it is; of two at one place the first.
  const places = [...stale].sort((a, b) => a.line - b.line || b.column - a.column);
  let last: Stale['stale'][number] | undefined;
  for (const one of places) {
    const { line, column, endColumn, written, suggestion, reason } = one;
    const isTold = suggestion !== undefined && !/_deleted$/.test(reason);
    if (!isTold || (last?.line === line && endColumn > last.column)) continue;
    const at = lines[line - 1];
    if (at?.slice(column - 1, endColumn - 1) !== written) continue;
    lines[line - 1] = at.slice(0, column - 1) + suggestion + at.slice(endColumn - 1);
    edits.push({ line, from: written, to: suggestion });
    last = one;
  }
  const after = lines.join('\n');
  return { path: docPath, before, after, edits, diff: lineDiff(docPath, text, after) };
}

/** The bytes of a regular file that really lies at a path under a root; else why there are none. */
function readInside(root: string, path: string): Buffer | string {
  const file = join(root, path);
  try {
    if (!lstatSync(file).isFile()) return 'is no regular file';
    if (realpathSync(dirname(file)) !== join(realpathSync(root), dirname(path))) return 'lies behind a link';
    return readFileSync(file);
  } catch {
    return 'can’t be read';
  }
}

/** Puts the new text in the file's place where that is still what was read; else says why not. */
function write(root: string, { path, before, after }: Mended): string | undefined {
  const file = join(root, path);
  const fresh = join(dirname(file), `.${basename(file)}.${process.pid}.svc`);
  try {
    const { mode } = lstatSync(file);
    const descriptor = openSync(fresh, 'wx', mode & 0o777);
    try {
      writeSync(descriptor, after);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    const now = readInside(root, path);
    if (typeof now === 'string' || !now.equals(before)) return 'was changed meanwhile, and is left as it is';
    renameSync(fresh, file);
    return undefined;
  } catch {
    return 'can’t be written';
  } finally {
    rmSync(fresh, { force: true });
  }
}
