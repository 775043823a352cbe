import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { amount } from '../../client/protocol/amount.ts';
import { Fault } from '../../client/protocol/faults.ts';
import type { OutputOf } from '../../client/protocol/operation.ts';
import type { OperationName, Operations } from '../../client/protocol/registry.ts';
import { UsageError } from '../commands.ts';
import { writeTold } from '../render.ts';
import { pathArgument } from '../repository.ts';
import type { Session } from '../session.ts';
import { type Baseline, baselineText, newFindings, readBaseline } from './baseline.ts';
import { type AskedFile, filesOf } from './files.ts';
import { complexityFindings, type Finding, inOrder, unwiredFindings } from './findings.ts';
import type { GateAsked } from './flags.ts';
import { writeOutcome } from './report.ts';
import { type Thresholds, thresholdsOf } from './thresholds.ts';

/** Asks one operation about the repository that the command is about. */
export type Ask = <Name extends OperationName>(
  operation: Name,
  fields: Readonly<Record<string, unknown>>,
) => Promise<OutputOf<Operations[Name]>>;

/** Exit code where a gate fails. */
const failed = 1;

/** Holds functions of files against thresholds; resolves with the exit code. */
export async function gateFunctions(
  session: Session,
  gate: GateAsked,
  paths: readonly string[],
  ask: Ask,
): Promise<number> {
  if (gate.failOver === undefined) {
    throw new UsageError('several paths, --baseline and --format go with --fail-over');
  }
  const thresholds = thresholdsOf(gate.failOver);
  const { repository } = await ask('system.status', {});
  const baseline = baselineIn(session, gate.baseline);
  const { findings, measured, notes } = await measure(session, { thresholds, paths, root: repository.root }, ask);
  const fresh = freshOf(findings, baseline, repository);
  const known = findings.length - fresh.length;
  const bounds = Object.entries(thresholds).map(([metric, most]) => `${metric}=${most}`);
  const told = `${amount(fresh.length, 'finding')} over ${bounds.join(', ')} in ${amount(measured, 'file')}`;
  writeOutcome(session, gate.format, {
    failed: fresh.length > 0,
    findings: fresh,
    known,
    notes: [`${told}${knownWords(known, gate.baseline)}`, ...strangerNote(baseline, known, repository.id), ...notes],
  });
  return fresh.length > 0 ? failed : 0;
}

/** Holds how many symbols nothing reaches against a bound; resolves with the exit code. */
export async function gateSymbols(
  session: Session,
  gate: GateAsked,
  fields: Readonly<Record<string, unknown>>,
  ask: Ask,
): Promise<number> {
  const { repository } = await ask('system.status', {});
  const baseline = baselineIn(session, gate.baseline);
  // A limit is one of what is shown: all of it is held against the bound.
  const { limit = mostSymbols, ...narrowed } = fields;
  const answer = await ask('analysis.unwired', { ...narrowed, limit: mostSymbols });
  const findings = inOrder(unwiredFindings(answer));
  const fresh = freshOf(findings, baseline, repository);
  const known = findings.length - fresh.length;
  const isFailed = gate.failOn !== undefined && fresh.length >= gate.failOn;
  const bound = gate.failOn === undefined ? '' : `, ${gate.failOn - 1} at most`;
  const told = amount(
    fresh.length,
    'exported symbol that no entrypoint reaches',
    'exported symbols that no entrypoint reaches',
  );
  writeOutcome(session, gate.format, {
    failed: isFailed,
    findings: fresh.slice(0, Number(limit)),
    known,
    notes: [
      `${told}${bound}${knownWords(known, gate.baseline)}`,
      ...(fresh.length > Number(limit) ? [`${limit} of them are shown`] : []),
      ...(answer.truncated ? [`More than ${mostSymbols} are found, of which the others are not looked at`] : []),
      ...strangerNote(baseline, known, repository.id),
      ...answer.limitations,
    ],
  });
  return isFailed ? failed : 0;
}

const mostSymbols = 10_000;

interface Wanted {
  readonly thresholds: Thresholds;
  readonly paths: readonly string[];
  readonly root: string;
}

interface Measured {
  readonly findings: readonly Finding[];
  /** Files. */
  readonly measured: number;
  readonly notes: readonly string[];
}

/** So many questions are under way at a time. */
const lanes = 8;

async function measure(session: Session, { thresholds, paths, root }: Wanted, ask: Ask): Promise<Measured> {
  const files = filesOf(paths, root, session.directory);
  const left = [...files];
  const findings: Finding[] = [];
  const unmeasured: string[] = [];
  let measured = 0;
  let partial = 0;
  const lane = async (): Promise<void> => {
    for (let file = left.shift(); file !== undefined; file = left.shift()) {
      const answer = await complexityOf(file, files.length > 1, ask);
      if (answer === 'ignored') continue;
      if (answer === 'unmeasured') unmeasured.push(file.path);
      else {
        measured++;
        if (answer.partial) partial++;
        findings.push(...complexityFindings(answer, thresholds));
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  // A folder may hold nothing of the kind: then there is nothing to be found. A file that was named is another matter.
  if (measured === 0 && files.some(({ isNamed }) => isNamed)) {
    throw new Fault('fileNotFound', `None of ${paths.join(', ')} can be measured`);
  }
  const some = unmeasured.sort().slice(0, 3).join(', ') + (unmeasured.length > 3 ? ', …' : '');
  return {
    findings: inOrder(findings),
    measured,
    notes: [
      ...(unmeasured.length === 0 ? [] : [`${amount(unmeasured.length, 'file')} can’t be measured: ${some}`]),
      ...(partial === 0 ? [] : [`${amount(partial, 'file')} could be read only in part: there may be more`]),
    ],
  };
}

/** What lies in a folder and is no file of the index (git ignores it) is nobody's. Of several files one may be none of a language. */
async function complexityOf({ path, isNamed }: AskedFile, isOneOfSeveral: boolean, ask: Ask) {
  try {
    return await ask('analysis.complexity', { path, limit: 10_000 });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    if (error.reason === 'fileNotFound' && !isNamed) return 'ignored';
    if (error.reason === 'unsupportedFile' && isOneOfSeveral) return 'unmeasured';
    throw isOneOfSeveral ? new Fault(error.reason, `${path}: ${error.message}`, error.extras) : error;
  }
}

/** What a baseline of something else has at paths that are not here was not moved from there. */
function freshOf(
  findings: readonly Finding[],
  baseline: Baseline | undefined,
  { id, root }: { readonly id: string; readonly root: string },
): readonly Finding[] {
  if (baseline === undefined) return findings;
  const paths = [...new Set(baseline.findings.map(({ path }) => path))];
  const gone = new Set(paths.filter(path => !existsSync(join(root, path))));
  const isOfThis = baseline.repository === id || gone.size < paths.length;
  return newFindings(findings, baseline, path => isOfThis && gone.has(path));
}

function knownWords(known: number, file: string | undefined): string {
  return file === undefined ? '' : `; ${known} more that ${file} knows`;
}

/** Clones have names of their own, so a baseline goes with any; but one that knows nothing here may be of something else. */
function strangerNote(baseline: Baseline | undefined, known: number, repository: string): readonly string[] {
  if (baseline === undefined || known > 0 || baseline.findings.length === 0) return [];
  if (baseline.repository === repository) return [];
  return [`The baseline is of ${JSON.stringify(baseline.repository)}, and knows nothing that is found here`];
}

function baselineIn(session: Session, file: string | undefined): Baseline | undefined {
  if (file === undefined) return undefined;
  const unreadable = (why: string): Fault => new Fault('misconfigured', `${file}: ${why}`, { details: { file } });
  const place = placeIn(session, file);
  const stat = statSync(place, { throwIfNoEntry: false });
  if (stat === undefined) throw unreadable('there is no such file');
  if (!stat.isFile()) throw unreadable('is no regular file');
  if (stat.size > mostBytes) throw unreadable(`is over ${mostBytes} bytes`);
  let text: string;
  try {
    text = readFileSync(place, 'utf8');
  } catch {
    throw unreadable('can’t be read');
  }
  return readBaseline(text, file);
}

/** A finding takes some 200. */
const mostBytes = 64 * 1024 * 1024;

export interface BaselineAsked {
  /** Whose functions are measured; none: all of the repository. */
  readonly paths: readonly string[];
  readonly failOver: string;
  /** `-`: standard output. */
  readonly output: string;
}

/** Writes down what there is now, so that later runs fail over what is new alone. */
export async function writeBaseline(session: Session, { paths, failOver, output }: BaselineAsked, ask: Ask) {
  const thresholds = thresholdsOf(failOver);
  const { repository } = await ask('system.status', {});
  const { root } = repository;
  const { findings, measured, notes } = await measure(
    session,
    { thresholds, paths: paths.length === 0 ? [root] : paths, root },
    ask,
  );
  // As much as any run may find, whatever it asks for.
  const wide = { limit: mostSymbols, includeTypes: true, minConfidence: 0.5 };
  const unwired = unwiredFindings(await ask('analysis.unwired', wide));
  const text = baselineText(repository.id, [...findings, ...unwired]);
  if (output === '-') {
    session.terminal.out(text);
    return;
  }
  const place = placeIn(session, output);
  const beside = `${place}.${process.pid}.new`;
  try {
    writeFileSync(beside, text);
    renameSync(beside, place);
  } catch {
    throw new Fault('misconfigured', `${output}: can’t be written`);
  }
  const told = { output, functions: findings.length, files: measured, unwired: unwired.length };
  const words = `${amount(findings.length, 'finding')} of functions in ${amount(measured, 'file')}, ${amount(unwired.length, 'symbol')} that no entrypoint reaches`;
  writeTold(session, told, `${output}: ${words}\n`);
  for (const note of notes) session.terminal.err(`${note}\n`);
}

function placeIn({ directory }: Session, file: string): string {
  if (file === '') throw new UsageError('--baseline: must name a file');
  return pathArgument(directory, file);
}
