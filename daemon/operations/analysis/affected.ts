import { amount } from '../../../client/protocol/amount.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import {
  type Affected,
  type AffectedTest,
  affectedTests,
  type ChangedFile,
} from '../../analysis/impact/affected-tests.ts';
import { isTestByName } from '../../analysis/impact/runnable-tests.ts';
import type { ByNameAlone } from '../../analysis/impact/symbol-reach.ts';
import type { TestSettings } from '../../analysis/impact/test-settings.ts';
import { dialectOf, namesFilesAlone } from '../../extract/dialect.ts';
import { closedAmong } from '../../jobs/unlisted.ts';
import { existsKey, scopesKey } from '../../link/questions.ts';
import { languageOf } from '../../model/families.ts';
import { atTop } from '../../model/graph.ts';
import { symbolId } from '../../model/identity.ts';
import { directoryOf } from '../../model/paths.ts';
import { nameConfidence } from '../../store/reference-rows.ts';
import { fileRemedies } from '../finding.ts';
import type { ChangedPaths } from '../readers/changed-files.ts';
import { completeness } from '../symbols/answers.ts';
import type { AnalysedSnapshot } from './analyses.ts';
import { lookingFor } from './gone-file.ts';
import { runnableIn } from './runnable-files.ts';

type AffectedInput = Pick<InputOf<Operations['analysis.affected']>, 'includeAll' | 'limit'>;
type AffectedOutput = OutputOf<Operations['analysis.affected']>;
type Status = AffectedOutput['changed'][number]['status'];

/** The tests that what has changed may break. Throws `fileNotFound` where nothing of what is said to have changed is known. */
export function affectedAnswer(of: AnalysedSnapshot, input: AffectedInput, change: ChangedPaths): AffectedOutput {
  const { asked, graph, snapshot } = of;
  const files = [...change.paths.keys()].map(path => changedFile(of, path, change));
  const changed = files.map(file => ({ path: file.path, status: statusOf(of, file, change) }));
  if (change.base === undefined) refuseUnknown(of, files, changed, change);
  const names = namesAlone(of);
  const { runnable, settings, modulesIn } = runnableIn(of);
  const unread = unreadTests(of, settings);
  const found = affectedTests(files, {
    graph,
    runnable: unread.length === 0 ? runnable : [...runnable, ...unread].sort(),
    unread,
    setUps: settings.setUps,
    modulesIn,
    documentAt: path => graph.documentAt(path),
    byNameAlone: names.of,
    everything: input.includeAll ? 'listed' : 'told',
  });
  return {
    base: change.base ?? null,
    head: change.head ?? null,
    changed,
    folders: [...change.folders].map(([path, files]) => ({ path, files })),
    tests: found.tests.slice(0, input.limit).map(test => shownTest(of, test)),
    total: found.tests.length,
    untested: [...found.untested],
    everything: [...found.everything],
    modules: modulesOf(of, found.tests),
    doubts: doubtsOf(of, changed, change, names, settings, found),
    truncated: found.tests.length > input.limit,
    snapshotId: snapshot.snapshotId,
    completeness: completeness(snapshot, asked, names.open()),
    timestamp: new Date(asked.now).toISOString(),
  };
}

/** Paths of the files that could not be read and that are tests by their names. */
function unreadTests({ asked, reader, snapshot }: AnalysedSnapshot, settings: TestSettings): readonly string[] {
  if (Object.keys(snapshot.counts.unread).length === 0) return [];
  return reader
    .unreadCode(asked.repo.key, snapshot.seq)
    .flatMap(({ path, dialect }) => (isTestByName(path, languageOf(dialect), settings) ? [path] : []));
}

/**
 * Of one that nobody reads, who imports it; of one that is not there, who looks for it, whose links rest on whether it is, or
 * for what it defined.
 */
function changedFile(
  { graph, asked, reader, snapshot }: AnalysedSnapshot,
  path: string,
  { gone }: ChangedPaths,
): ChangedFile {
  const document = graph.documentAt(path);
  if (document !== undefined) return { path, document, importers: [], seekers: [] };
  if (reader.file(asked.repo.key, snapshot.seq, path) !== undefined) {
    return { path, document, importers: graph.importersOf(path), seekers: [] };
  }
  const before = gone.get(path);
  const seekers = new Set([
    ...graph.askersOf([existsKey(path), ...scopeQuestions(path)]),
    ...(before === undefined ? [] : lookingFor(graph, path, before)),
  ]);
  return { path, document, importers: [], seekers: [...seekers].filter(one => one.path !== path) };
}

/** Whoever imports a package of Go asks what there is in a folder, not for one file. */
function scopeQuestions(path: string) {
  return dialectOf(path) === 'go' ? [scopesKey(directoryOf(path))] : [];
}

function statusOf({ asked, reader, snapshot }: AnalysedSnapshot, file: ChangedFile, { paths }: ChangedPaths): Status {
  const { path, document } = file;
  // What a page or a workflow says is known by the files that it names alone.
  if (namesFilesAlone(dialectOf(path)) && document !== undefined) return 'unread';
  if (document !== undefined) return document.isPartial ? 'partial' : 'known';
  if (reader.file(asked.repo.key, snapshot.seq, path) !== undefined) return 'unread';
  return paths.get(path) === 'deleted' ? 'deleted' : 'unknown';
}

/** Names that nobody knows are slips: that no test hangs on them would say that nothing can break. */
function refuseUnknown(
  { asked }: AnalysedSnapshot,
  files: readonly ChangedFile[],
  changed: AffectedOutput['changed'],
  { headTrouble }: ChangedPaths,
): void {
  const isUnknown = changed.every(({ status }) => status === 'unknown');
  if (!isUnknown || changed.length === 0 || files.some(({ seekers }) => seekers.length > 0)) return;
  const paths = changed.map(({ path }) => path);
  if (headTrouble !== undefined) {
    throw new Fault(
      'preconditionFailed',
      `The index has not ${listed(paths)}, and HEAD is not read: ${headTrouble.why}`,
      {
        details: { reason: 'no_repository', paths: paths.slice(0, mostTold) },
        suggestedFixes: headTrouble.fixes,
      },
    );
  }
  const message = `Neither the index nor HEAD has ${listed(paths)}: a base says what commits took away`;
  throw new Fault('fileNotFound', message, {
    details: { paths: paths.slice(0, mostTold) },
    suggestedFixes: fileRemedies(asked.repo.id, asked.dirtyFiles > 0),
  });
}

const mostTold = 100;
const mostNamed = 3;

function listed(paths: readonly string[]): string {
  const rest = paths.length - mostNamed;
  return paths.slice(0, mostNamed).join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** So many definitions of changed files are looked for by their names alone: each takes some 50 µs. */
const mostByName = 2_000;

interface NamesAlone {
  readonly of: (symbol: number) => ByNameAlone;
  /** Uses of the names that lead nowhere. */
  readonly open: () => number;
  readonly isCut: () => boolean;
}

function namesAlone({ graph }: AnalysedSnapshot): NamesAlone {
  let looked = 0;
  const open = new Map<number, number>();
  return {
    of: symbol => {
      const [site] = graph.sitesOf(symbol);
      if (site === undefined || ++looked > mostByName) return { users: [], confidence: nameConfidence };
      const found = graph.byNameAlone(symbol);
      const name = site.in.names[site.at]!;
      open.set(name, Math.max(open.get(name) ?? 0, found.open));
      return { users: found.users, confidence: nameConfidence };
    },
    open: () => [...open.values()].reduce((sum, one) => sum + one, 0),
    isCut: () => looked > mostByName,
  };
}

function shownTest({ asked, graph, moduleOf }: AnalysedSnapshot, test: AffectedTest): AffectedOutput['tests'][number] {
  const { path, isRunnable: runnable, relation, distance, confidence, because } = test;
  return {
    ...{ path, runnable, relation, distance, confidence: Math.round(confidence * 1000) / 1000 },
    because: because.map(({ path, site }) => {
      if (site === undefined || site.at === atTop) return { path, id: null, name: '' };
      const { hash, name } = graph.shown(site);
      return { path, id: symbolId(asked.repo.id, hash), name };
    }),
    moduleId: moduleOf(path).id,
  };
}

function modulesOf({ moduleOf }: AnalysedSnapshot, tests: readonly AffectedTest[]): AffectedOutput['modules'] {
  const found = new Map<string, AffectedOutput['modules'][number]>();
  for (const { path, isRunnable } of tests) {
    if (!isRunnable) continue;
    const { id, name } = moduleOf(path);
    const known = found.get(id) ?? { moduleId: id, name, tests: 0 };
    found.set(id, { ...known, tests: known.tests + 1 });
  }
  return [...found.values()].sort((a, b) => b.tests - a.tests || (a.moduleId < b.moduleId ? -1 : 1));
}

/** Whether a file of that path is read for what it is. */
function isReadable(path: string): boolean {
  const dialect = dialectOf(path);
  return dialect !== '' && !namesFilesAlone(dialect);
}

/** Why there may be more tests than are known. */
function doubtsOf(
  { asked, snapshot }: AnalysedSnapshot,
  changed: AffectedOutput['changed'],
  { outside, notAsIndexed, gone, headTrouble }: ChangedPaths,
  names: NamesAlone,
  { byExpression }: Pick<TestSettings, 'byExpression'>,
  { unread: tests }: Pick<Affected, 'unread'>,
): string[] {
  const count = (status: Status): number => changed.filter(one => one.status === status).length;
  const unknown = changed.flatMap(({ status, path }) => (status === 'unknown' ? [path] : []));
  const unread = changed.filter(({ status, path }) => status === 'unread' && isReadable(path)).length;
  const told = changed.filter(({ status, path }) => status === 'deleted' && gone.has(path)).length;
  const lost = count('deleted') - told;
  const closed = closedAmong(asked.unlisted ?? []);
  const { failed } = snapshot.counts;
  const doubts: readonly (readonly [number, string])[] = [
    [names.open(), `${amount(names.open(), 'use')} of names that changed files define lead nowhere and may mean these`],
    [names.isCut() ? 1 : 0, `Of more than ${mostByName} definitions it is not known who may mean them by name alone`],
    [count('partial'), `${amount(count('partial'), 'changed file')} could be read in part only`],
    [unread, `${amount(unread, 'changed file')} could not be read`],
    [
      count('unread') - unread,
      `${amount(count('unread') - unread, 'changed file')} of no language that is read: known is who imports it, not who reads it`,
    ],
    [
      told,
      `${amount(told, 'file')} gone: known is who looks for what it defined, not who got to that by its name alone or by what it implements`,
    ],
    [lost, `${amount(lost, 'file')} gone: known is whose imports look for it, not who used it`],
    [
      unknown.length,
      headTrouble === undefined
        ? `${amount(unknown.length, 'file')} neither in the index nor in HEAD: ${listed(unknown)}`
        : `${amount(unknown.length, 'file')} not in the index, and HEAD is not read (${headTrouble.why}): ${listed(unknown)}`,
    ],
    [outside, `${amount(outside, 'changed file')} outside of the indexed folder`],
    [notAsIndexed, `${amount(notAsIndexed, 'file')} indexed otherwise than head has it: the index is of the work tree`],
    [
      tests.length,
      `${amount(tests.length, 'file')} beside what is reached, called as tests are, could not be read: ${listed(tests)}`,
    ],
    [
      changed.length === 0 ? 0 : byExpression.length,
      `Regular expressions choose what Jest runs, their names tell instead: ${listed(byExpression)}`,
    ],
    [asked.dirtyFiles, `${amount(asked.dirtyFiles, 'file')} changed since the snapshot`],
    [failed, `${amount(failed, 'file')} could not be read`],
    [closed.length, `${amount(closed.length, 'folder')} could not be looked into: ${listed(closed)}`],
  ];
  return doubts.filter(([number]) => number > 0).map(([, told]) => told);
}
