import { Fault } from '../../../client/protocol/faults.ts';
import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { measuredLanguages } from '../../extract/complexity/languages.ts';
import { isAbout } from '../../model/about-files.ts';
import type { SkipReason } from '../../model/document.ts';
import type { FunctionComplexity } from '../../model/facts.ts';
import type { FactsView } from '../../model/facts-codec.ts';
import type { IndexReader } from '../../store/index-reader.ts';
import type { StoredFile } from '../../store/stored-file.ts';
import { fileRemedies } from '../finding.ts';
import { isNoFile } from '../passed-for.ts';
import { type Asked, completeness, snapshotFor } from '../symbols/answers.ts';
import { askedPath } from './asked-path.ts';

type ComplexityInput = InputOf<Operations['analysis.complexity']>;
type ComplexityOutput = OutputOf<Operations['analysis.complexity']>;
type Measured = NonNullable<ComplexityOutput['functions']>[number];

/** How complex the functions of one file are, from its stored facts. Throws the faults of a path that names no such file. */
export function complexityAnswer(reader: IndexReader, asked: Asked, input: ComplexityInput): ComplexityOutput {
  const snapshot = snapshotFor(reader, asked);
  const fileAt = (path: string) => reader.file(asked.repo.key, snapshot.seq, path);
  const isHere = (path: string): boolean => fileAt(path) !== undefined;
  const filePath = askedPath(input.path, { field: 'path', refusal: 'invalidParameter', isHere });
  const file = fileAt(filePath);
  if (file === undefined || isNoFile(file.skip)) throw noFile(filePath, asked);
  const facts = measurable(reader, filePath, file);
  const functions = Array.from({ length: facts.complexityCount }, (_, index) => measured(facts.complexity(index)));
  return {
    filePath,
    language: facts.language,
    aggregate: aggregateOf(functions, facts.lineCount),
    ...(input.includeFunctions ? { functions: most(functions, input.sortBy).slice(0, input.limit) } : {}),
    truncated: input.includeFunctions && functions.length > input.limit,
    partial: facts.parseErrors > 0,
    snapshotId: snapshot.snapshotId,
    completeness: completeness(snapshot, asked, 0),
    timestamp: new Date(asked.now).toISOString(),
  };
}

/** The facts of a file whose functions are measured. */
function measurable(reader: IndexReader, path: string, { facts, skip }: StoredFile): FactsView {
  if (reader.identity === 'descriptor') {
    throw new Fault('preconditionFailed', 'The repository was uploaded without source: nothing of it was measured');
  }
  if (facts === undefined) throw unsupported(path, skip === '' ? 'unsupported' : skip);
  if (isAbout(path)) throw unsupported(path, 'unsupported');
  if (!measuredLanguages.includes(facts.language)) throw unsupported(path, 'unsupported', facts.language);
  return facts;
}

function noFile(path: string, { repo, dirtyFiles }: Asked): Fault {
  return new Fault('fileNotFound', 'The repository has no file at that path, or ignores it', {
    details: { path },
    suggestedFixes: fileRemedies(repo.id, dirtyFiles > 0),
  });
}

function unsupported(path: string, reason: SkipReason, language?: string): Fault {
  const supported = measuredLanguages.join(', ');
  const what = language === undefined ? because[reason] : `is ${language}, which is not measured`;
  return new Fault('unsupportedFile', `The file ${what}; measured are functions of ${supported}`, {
    details: { path, reason, ...(language === undefined ? {} : { language }), supportedLanguages: measuredLanguages },
  });
}

const because: Readonly<Record<SkipReason, string>> = {
  too_large: 'is too large to be read',
  binary: 'is binary',
  long_line: 'has lines too long to be source that people write',
  not_regular: 'is no regular file',
  unreadable: 'can’t be read',
  outside_root: 'lies outside the repository',
  parse_timeout: 'takes too long to parse',
  parser_trap: 'makes its parser fail',
  parser_stuck: 'takes too long to parse',
  quarantined: 'makes its parser fail',
  unsupported: 'is of no language that is measured',
};

function measured(one: FunctionComplexity): Measured {
  return { ...one, line: one.line + 1, endLine: one.endLine + 1, lines: one.endLine - one.line + 1 };
}

/** The greatest first, equal ones as they stand in the file. */
function most(functions: readonly Measured[], by: ComplexityInput['sortBy']): Measured[] {
  return [...functions].sort((a, b) => b[by] - a[by] || a.line - b.line);
}

function aggregateOf(functions: readonly Measured[], lineCount: number): ComplexityOutput['aggregate'] {
  const of = (by: 'cyclomatic' | 'cognitive') => {
    let total = 0;
    let max = 0;
    for (const one of functions) {
      if (by === 'cyclomatic' || !one.countsAround) total += one[by];
      max = Math.max(max, one[by]);
    }
    return { total, max, average: functions.length === 0 ? 0 : Math.round((100 * total) / functions.length) / 100 };
  };
  const [cyclomatic, cognitive] = [of('cyclomatic'), of('cognitive')];
  return {
    totalCyclomatic: cyclomatic.total,
    totalCognitive: cognitive.total,
    averageCyclomatic: cyclomatic.average,
    averageCognitive: cognitive.average,
    maxCyclomatic: cyclomatic.max,
    maxCognitive: cognitive.max,
    functionCount: functions.length,
    lineCount,
  };
}
