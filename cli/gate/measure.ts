import { amount } from '../../client/protocol/amount.ts';
import { Fault } from '../../client/protocol/faults.ts';
import type { OutputOf } from '../../client/protocol/operation.ts';
import type { OperationName, Operations } from '../../client/protocol/registry.ts';
import type { Session } from '../session.ts';
import { type AskedFile, filesOf } from './files.ts';
import { complexityFindings, type Finding, inOrder } from './findings.ts';
import type { Thresholds } from './thresholds.ts';

/** Asks one operation about the repository that the command is about. */
export type Ask = <Name extends OperationName>(
  operation: Name,
  fields: Readonly<Record<string, unknown>>,
) => Promise<OutputOf<Operations[Name]>>;

export interface Wanted {
  readonly thresholds: Thresholds;
  readonly paths: readonly string[];
  readonly root: string;
}

export interface Measured {
  readonly findings: readonly Finding[];
  /** Files. */
  readonly measured: number;
  /** Files that can't be: of which languages, and how many of each, and by their paths those that are of none. */
  readonly unmeasured: { readonly languages: ReadonlyMap<string, number>; readonly paths: readonly string[] };
  readonly notes: readonly string[];
}

/** So many questions are under way at a time. */
const lanes = 8;

/** Measures the functions of files, and of all below folders. */
export async function measure(session: Session, { thresholds, paths, root }: Wanted, ask: Ask): Promise<Measured> {
  const { files, closed } = filesOf(paths, root, session.directory);
  const left = [...files];
  const findings: Finding[] = [];
  const languages = new Map<string, number>();
  const unmeasured: string[] = [];
  let measured = 0;
  let partial = 0;
  const lane = async (): Promise<void> => {
    for (let file = left.shift(); file !== undefined; file = left.shift()) {
      const answer = await complexityOf(file, files.length > 1, ask);
      if (answer === 'ignored') continue;
      if (answer === 'unmeasured') unmeasured.push(file.path);
      else if ('notMeasured' in answer) countIn(languages, answer.notMeasured);
      else {
        measured++;
        if (answer.partial) partial++;
        findings.push(...complexityFindings(answer, thresholds));
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return {
    findings: inOrder(findings),
    measured,
    unmeasured: { languages, paths: unmeasured },
    notes: [
      ...(languages.size === 0 ? [] : [`not measured: ${ofLanguages(languages)}`]),
      ...(unmeasured.length === 0
        ? []
        : [`${amount(unmeasured.length, 'file')} can’t be measured: ${some(unmeasured.sort())}`]),
      ...(closed.length === 0
        ? []
        : [`passed over ${amount(closed.length, 'folder')} that can’t be read: ${some(closed)}`]),
      ...(partial === 0 ? [] : [`${amount(partial, 'file')} could be read only in part: there may be more`]),
    ],
  };
}

function some(paths: readonly string[]): string {
  return paths.slice(0, 3).join(', ') + (paths.length > 3 ? ', …' : '');
}

function countIn(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** `9 files of csharp, 1 file of ruby`, the most first. */
function ofLanguages(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1));
  return sorted.map(([language, count]) => `${amount(count, 'file')} of ${language}`).join(', ');
}

/**
 * What was measured. Throws where files were found and none of them can be: that is no gate that holds. A folder that has no
 * code is one, for there is nothing to be found.
 */
export function somethingMeasured(all: Measured, paths: readonly string[]): Measured {
  const { languages, paths: others } = all.unmeasured;
  if (all.measured > 0 || languages.size + others.length === 0) return all;
  const found = languages.size === 0 ? '' : `: ${ofLanguages(languages)}`;
  throw new Fault('unsupportedFile', `Nothing of ${paths.join(', ')} can be measured${found}`);
}

/**
 * What lies in a folder and is no file of the index (git ignores it) is nobody's. Of several files one may be none of a language;
 * but one that was named is to be read.
 */
async function complexityOf({ path, isNamed }: AskedFile, isOneOfSeveral: boolean, ask: Ask) {
  try {
    return await ask('analysis.complexity', { path, limit: 10_000 });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.reason === 'fileNotFound' && !isNamed) return 'ignored';
    const { reason, language } = error.extras.details ?? {};
    const isMissed = isNamed && (!isOneOfSeveral || reason === 'unreadable');
    if (error.reason === 'unsupportedFile' && !isMissed) {
      return typeof language === 'string' ? { notMeasured: language } : 'unmeasured';
    }
    throw isOneOfSeveral ? new Fault(error.reason, `${path}: ${error.message}`, error.extras) : error;
  }
}
