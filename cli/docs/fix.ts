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
  const { mended, left, unmended } = mendAll(repository.root, reports);
  const written: string[] = [];
  for (const { path, before, after, edits } of apply ? mended : []) {
    const why = replaceDocumentFile(repository.root, path, before, after);
    if (why === undefined) written.push(path);
    else left.push({ path, why, references: edits.length });
  }
  tell(session, { apply, mended, written, left, unmended });
  return apply && left.length > 0 ? failed : 0;
}

function mendAll(root: string, reports: readonly StaleReport[]) {
  const mended: Mended[] = [];
  const left: Left[] = [];
  let [unknown, unsure, elsewhere] = [0, 0, 0];
  for (const { docPath: path, stale } of reports) {
    const before = readDocumentFile(root, path);
    if (typeof before === 'string') {
      left.push({ path, why: before, references: stale.length });
      continue;
    }
    const { after, edits, ...rest } = mendedText(before.text, stale);
    [unknown, unsure, elsewhere] = [unknown + rest.unknown, unsure + rest.unsure, elsewhere + rest.elsewhere];
    if (edits.length > 0) mended.push({ path, before, after, edits, diff: lineDiff(path, before.text, after) });
  }
  return { mended, left, unmended: { unknown, unsure, elsewhere } };
}

interface Outcome {
  readonly apply: boolean;
  readonly mended: readonly Mended[];
  readonly written: readonly string[];
  readonly left: readonly Left[];
  readonly unmended: Unmended;
}

function tell(session: Session, { apply, mended, written, left, unmended }: Outcome): void {
  const { terminal } = session;
  const files = mended.map(({ path, edits, diff }) => ({ path, edits, diff }));
  const diffs = mended.map(({ diff }) => diff).join('');
  // What goes on to another program is the patch as it is.
  const shown = terminal.isTty ? diffs.split('\n').map(safe).join('\n') : diffs;
  writeTold(session, { dryRun: !apply, files, written, left, unmended }, shown);
  const done = apply ? mended.filter(({ path }) => written.includes(path)) : mended;
  const count = done.reduce((sum, { edits }) => sum + edits.length, 0);
  const verb = apply ? 'mended' : 'would be mended; --apply writes it';
  terminal.err(`${amount(count, 'reference')} in ${amount(done.length, 'document')} ${verb}\n`);
  const { unknown, unsure, elsewhere } = unmended;
  tellMore(session, unknown, 'stale, and nobody knows what is to be written there');
  tellMore(session, unsure, 'stale: svc docs stale shows what may have been meant');
  tellMore(session, elsewhere, 'stale, and can’t be mended where it was read');
  for (const { path, why, references } of left)
    terminal.err(`${safe(path)}: ${why} (${amount(references, 'stale reference')})\n`);
}

function tellMore({ terminal }: Session, count: number, what: string): void {
  if (count > 0) terminal.err(`${amount(count, 'more is', 'more are')} ${what}\n`);
}
