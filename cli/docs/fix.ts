import { amount } from '../../client/protocol/amount.ts';
import { UsageError } from '../commands.ts';
import type { Ask } from '../gate/measure.ts';
import { writeTold } from '../render.ts';
import { isOverHttp, type Session } from '../session.ts';
import { safe } from '../terminal.ts';
import type { FixAsked } from './commands.ts';
import { type DocumentFile, readDocumentFile, replaceDocumentFile } from './document-file.ts';
import { lineDiff } from './line-diff.ts';
import { type Edit, mendedText, type StaleReport, type Unmended } from './mended-text.ts';

/** Exit code where a document could not be written. */
const failed = 1;

/** A document and what is to be written in it. */
interface Mended {
  readonly path: string;
  readonly before: DocumentFile;
  readonly after: string;
  readonly diff: string;
  readonly edits: readonly Edit[];
}

/** A document that is left as it is, why, and how many of its references that leaves stale. */
interface Left {
  readonly path: string;
  readonly why: string;
  readonly references: number;
}

/** A document of which some references stay as they are. */
interface Kept {
  readonly path: string;
  readonly unmended: Unmended;
}

/**
 * Shows what would mend documents, or mends them; resolves with the exit code. `path`: as the daemon has it. Throws
 * `UsageError` where the documents may be another machine's.
 */
export async function fixDocs(
  session: Session,
  { apply }: FixAsked,
  path: string | undefined,
  ask: Ask,
): Promise<number> {
  if (isOverHttp(session)) throw new UsageError('docs fix: SVC_URL may be another machine’s, and so its documents');
  const { reports } = await ask('docs.stale', path === undefined ? {} : { path });
  const { repository } = await ask('system.status', {});
  const { mended, left, kept } = mendAll(repository.root, reports);
  const written: string[] = [];
  for (const { path, before, after, edits } of apply ? mended : []) {
    const why = replaceDocumentFile(repository.root, path, before, after);
    if (why === undefined) written.push(path);
    else left.push({ path, why, references: edits.length });
  }
  tell(session, { apply, mended, written, left, kept });
  return apply && left.length > 0 ? failed : 0;
}

function mendAll(root: string, reports: readonly StaleReport[]) {
  const mended: Mended[] = [];
  const left: Left[] = [];
  const kept: Kept[] = [];
  for (const { docPath: path, stale } of reports) {
    const before = readDocumentFile(root, path);
    if (typeof before === 'string') {
      left.push({ path, why: before, references: stale.length });
      continue;
    }
    const { after, edits, ...unmended } = mendedText(before.text, stale);
    kept.push({ path, unmended });
    if (edits.length > 0) mended.push({ path, before, after, edits, diff: lineDiff(path, before.text, after) });
  }
  return { mended, left, kept };
}

interface Outcome {
  readonly apply: boolean;
  readonly mended: readonly Mended[];
  readonly written: readonly string[];
  readonly left: readonly Left[];
  readonly kept: readonly Kept[];
}

function tell(session: Session, { apply, mended, written, left, kept }: Outcome): void {
  const { terminal } = session;
  const files = mended.map(({ path, edits, diff }) => ({ path, edits, diff }));
  const diffs = mended.map(({ diff }) => diff).join('');
  // What goes on to another program is the patch as it is.
  const shown = terminal.isTty ? diffs.split('\n').map(safe).join('\n') : diffs;
  const count = (why: keyof Unmended): number => kept.reduce((sum, { unmended }) => sum + unmended[why], 0);
  const unmended: Unmended = { unknown: count('unknown'), unsure: count('unsure'), elsewhere: count('elsewhere') };
  writeTold(session, { dryRun: !apply, files, written, left, unmended }, shown);
  const done = apply ? mended.filter(({ path }) => written.includes(path)) : mended;
  const references = done.reduce((sum, { edits }) => sum + edits.length, 0);
  const verb = apply ? 'mended' : 'would be mended; --apply writes it';
  terminal.err(`${amount(references, 'reference')} in ${amount(done.length, 'document')} ${verb}\n`);
  tellMore(session, unmended.unknown, `stale, and nobody knows what is to be written there${inThose(kept, 'unknown')}`);
  tellMore(session, unmended.unsure, `stale: svc docs stale shows what may have been meant${inThose(kept, 'unsure')}`);
  const place = inThose(kept, 'elsewhere');
  tellMore(session, unmended.elsewhere, `stale, and stands not where it was read, or in what is mended${place}`);
  for (const { path, why, references } of left)
    terminal.err(`${safe(path)}: ${why} (${amount(references, 'stale reference')})\n`);
}

/** Documents that are named at most. */
const mostNamed = 5;

/** The documents in which some stay as they are for a reason. */
function inThose(kept: readonly Kept[], why: keyof Unmended): string {
  const paths = kept.flatMap(({ path, unmended }) => (unmended[why] > 0 ? [safe(path)] : []));
  const more = paths.length - mostNamed;
  return ` (${paths.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''})`;
}

function tellMore({ terminal }: Session, count: number, what: string): void {
  if (count > 0) terminal.err(`${amount(count, 'more is', 'more are')} ${what}\n`);
}
