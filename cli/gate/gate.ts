import { existsSync, readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeOutput } from '../../client/output-file.ts';
import { amount } from '../../client/protocol/amount.ts';
import { Fault } from '../../client/protocol/faults.ts';
import { UsageError } from '../commands.ts';
import { writeTold } from '../render.ts';
import { pathArgument } from '../repository.ts';
import type { Session } from '../session.ts';
import { type Baseline, baselineText, checkBounds, newFindings, readBaseline } from './baseline.ts';
import { type Finding, inOrder, unwiredFindings } from './findings.ts';
import type { GateAsked } from './flags.ts';
import { type Ask, measure, somethingMeasured } from './measure.ts';
import { writeOutcome } from './report.ts';
import { thresholdsOf, thresholdsText } from './thresholds.ts';

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
  const { root } = await treeOf(ask);
  const baseline = baselineIn(session, gate.baseline);
  if (baseline !== undefined) checkBounds(baseline, thresholds, gate.baseline!);
  const { findings, measured, notes } = somethingMeasured(
    await measure(session, { thresholds, paths, root }, ask),
    paths,
  );
  const fresh = freshOf(findings, baseline, root);
  const known = findings.length - fresh.length;
  const bounds = thresholdsText(thresholds).replaceAll(',', ', ');
  const told = `${amount(fresh.length, 'finding')} over ${bounds} in ${amount(measured, 'file')}`;
  writeOutcome(session, gate.format, {
    failed: fresh.length > 0,
    findings: fresh,
    known,
    notes: [`${told}${knownWords(known, gate.baseline)}`, ...strangerNote(baseline, known, root), ...notes],
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
  const repository = await treeOf(ask);
  const baseline = baselineIn(session, gate.baseline);
  // A limit is one of what is shown: all of it is held against the bound.
  const { limit = mostSymbols, ...narrowed } = fields;
  const answer = await ask('analysis.unwired', { ...narrowed, limit: mostSymbols });
  const findings = inOrder(unwiredFindings(answer));
  const fresh = freshOf(findings, baseline, repository.root);
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
      ...strangerNote(baseline, known, repository.root),
      ...answer.limitations,
    ],
  });
  return isFailed ? failed : 0;
}

const mostSymbols = 10_000;

/** The repository whose files are looked at. Throws `preconditionFailed` where it has none here. */
async function treeOf(ask: Ask): Promise<{ readonly id: string; readonly root: string }> {
  const { repository } = await ask('system.status', {});
  if (repository.root !== '') return repository;
  throw new Fault(
    'preconditionFailed',
    `${repository.id} has no work tree here: its index was uploaded or mirrored, and nothing of it was measured`,
    { details: { reason: 'no_work_tree' } },
  );
}

/** What a baseline has at paths that are not here was moved from there. */
function freshOf(findings: readonly Finding[], baseline: Baseline | undefined, root: string): readonly Finding[] {
  if (baseline === undefined) return findings;
  const gone = goneFrom(baseline, root);
  return newFindings(findings, baseline, path => gone.has(path));
}

function goneFrom({ findings }: Baseline, root: string): ReadonlySet<string> {
  const paths = new Set(findings.map(({ path }) => path));
  return new Set([...paths].filter(path => !existsSync(join(root, path))));
}

function knownWords(known: number, file: string | undefined): string {
  return file === undefined ? '' : `; ${known} more that ${file} knows`;
}

/** Clones have names of their own, so a baseline goes with any; but one that knows nothing here may be of something else. */
function strangerNote(baseline: Baseline | undefined, known: number, root: string): readonly string[] {
  if (baseline === undefined || known > 0 || baseline.findings.length === 0) return [];
  const isHere = baseline.findings.some(({ path }) => existsSync(join(root, path)));
  return isHere ? [] : [`The baseline is of ${JSON.stringify(baseline.repository)}, and no file that it lists is here`];
}

function baselineIn(session: Session, file: string | undefined): Baseline | undefined {
  if (file === undefined) return undefined;
  const unreadable = (why: string): Fault => new Fault('misconfigured', `${file}: ${why}`, { details: { file } });
  const place = placeIn(session, file);
  let stat: Stats | undefined;
  let text = '';
  try {
    stat = statSync(place, { throwIfNoEntry: false });
    if (stat?.isFile() === true && stat.size <= mostBytes) text = readFileSync(place, 'utf8');
  } catch {
    throw unreadable('can’t be read');
  }
  if (stat === undefined) throw unreadable('there is no such file');
  if (!stat.isFile()) throw unreadable('is no regular file');
  if (stat.size > mostBytes) throw unreadable(`is over ${mostBytes} bytes`);
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
  const { id, root } = await treeOf(ask);
  const { findings, measured, notes } = await measure(
    session,
    { thresholds, paths: paths.length === 0 ? [root] : paths, root },
    ask,
  );
  // As much as any run may find, whatever it asks for.
  const wide = { limit: mostSymbols, includeTypes: true, minConfidence: 0.5 };
  const unreached = await ask('analysis.unwired', wide);
  const unwired = unwiredFindings(unreached);
  const text = baselineText(id, thresholds, [...findings, ...unwired]);
  if (output === '-') {
    session.terminal.out(text);
    return;
  }
  const why = writeOutput(placeIn(session, output), text);
  if (why !== undefined) throw new Fault('misconfigured', `${output}: ${why}`);
  const told = { output, functions: findings.length, files: measured, unwired: unwired.length };
  const words = `${amount(findings.length, 'finding')} of functions in ${amount(measured, 'file')}, ${amount(unwired.length, 'symbol')} that no entrypoint reaches`;
  writeTold(session, told, `${output}: ${words}\n`);
  const cut = unreached.truncated ? [`More than ${mostSymbols} are found, of which the others are not listed`] : [];
  for (const note of [...notes, ...cut]) session.terminal.err(`${note}\n`);
}

function placeIn({ directory }: Session, file: string): string {
  if (file === '') throw new UsageError('--baseline: must name a file');
  return pathArgument(directory, file);
}
