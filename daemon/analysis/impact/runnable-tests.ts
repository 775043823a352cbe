import { marksTests } from '../../model/families.ts';
import { type GraphDocument, type GraphSite, isOfTests } from '../../model/graph.ts';
import { baseName } from '../../model/paths.ts';
import type { TestSettings } from './test-settings.ts';

/** A file as its place and language tell of it. */
export interface ToldFile {
  readonly path: string;
  readonly language: string;
  /** It lies where tests do, or is called as they are. */
  readonly isTest: boolean;
  /** A function in it bears a mark by which runners of its language find tests. */
  readonly bearsTests: boolean;
}

/**
 * The files that a runner of tests would take for some, by path. What its settings say counts, a mark in them, and a name
 * that runners of the language look for by default; where no test of a language has any of it in a module, all files of its
 * folders of tests do that are not there to help others. What tests read is none.
 */
export function runnableTests(
  files: Iterable<ToldFile>,
  moduleOf: (path: string) => string,
  { verdictOn }: Pick<TestSettings, 'verdictOn'>,
): ReadonlySet<string> {
  const named = new Set<string>();
  const placed: ToldFile[] = [];
  const modulesWithNames = new Set<string>();
  for (const file of files) {
    if (isTestData(file.path)) continue;
    const verdict = verdictOn(file.path, file.language);
    if (verdict !== 'taken' && !(file.isTest || file.bearsTests)) continue;
    const convention = conventions[file.language];
    if (verdict === 'left') modulesWithNames.add(`${file.language} ${moduleOf(file.path)}`);
    else if (verdict === 'taken' || file.bearsTests || convention?.names.test(file.path)) {
      named.add(file.path);
      modulesWithNames.add(`${file.language} ${moduleOf(file.path)}`);
    } else if (convention?.otherwise === 'by place' && !isHelp(file.path)) placed.push(file);
  }
  const taken = placed.filter(({ path, language }) => !modulesWithNames.has(`${language} ${moduleOf(path)}`));
  return new Set([...named, ...taken.map(({ path }) => path)]);
}

/** Whether a runner would take a file for tests of which nothing is known but its path and its language. */
export function isTestByName(path: string, language: string, { verdictOn }: Pick<TestSettings, 'verdictOn'>): boolean {
  if (isTestData(path)) return false;
  const verdict = verdictOn(path, language);
  return verdict === 'by name' ? conventions[language]?.names.test(path) === true : verdict === 'taken';
}

/** Whether a file is one of tests as a whole: by its place or name, or as a runner takes it for one. `runnable`: see `runnableTests`. */
export function isWholeTest(one: GraphDocument, runnable: ReadonlySet<string>): boolean {
  return one.isTest || (runnable.has(one.path) && !marksTests.has(one.language));
}

/** The same of a piece of code, which may stand between other code. */
export function isTestSite(site: GraphSite, runnable: ReadonlySet<string>): boolean {
  return isOfTests(site) || isWholeTest(site.in, runnable);
}

interface Convention {
  /** Of paths that runners look for. */
  readonly names: RegExp;
  /** What a file of a folder of tests is that is called otherwise. */
  readonly otherwise: 'by place' | 'no test';
}

const ecmascript: Convention = {
  names: /[._-](?:test|tests|spec|e2e|cy)\.[cm]?[jt]sx?$|(?:^|\/)__tests__\/.*\.[cm]?[jt]sx?$|\.test-d\.ts$/,
  otherwise: 'by place',
};
const jvm: Convention = {
  names: /\w(?:Tests?|TestCase|IT|Specs?)\.(?:java|kt)$|(?:^|\/)Test[A-Z0-9][^/]*\.(?:java|kt)$/,
  otherwise: 'by place',
};
const c: Convention = {
  names: /(?:[._-](?:unit)?tests?|Tests?)\.(?:c|cc|cpp|cxx)$|(?:^|\/)test[._-][^/]*\.(?:c|cc|cpp|cxx)$/,
  otherwise: 'by place',
};

/** By language, as `GraphDocument` has it: the defaults of its runners. */
const conventions: Readonly<Record<string, Convention>> = {
  typescript: ecmascript,
  javascript: ecmascript,
  python: { names: /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?)\.py$/, otherwise: 'no test' },
  go: { names: /_test\.go$/, otherwise: 'no test' },
  java: jvm,
  kotlin: jvm,
  rust: { names: /(?:^|\/)tests\/(?:[^/]+|[^/]+\/main)\.rs$|_tests?\.rs$|(?:^|\/)tests?\.rs$/, otherwise: 'no test' },
  ruby: { names: /[._-](?:spec|test)\.rb$|(?:^|\/)test_(?!helpers?\.)[^/]*\.rb$/, otherwise: 'no test' },
  php: { names: /Test\.php$/, otherwise: 'by place' },
  csharp: { names: /Tests?\.cs$/, otherwise: 'by place' },
  dart: { names: /_test\.dart$/, otherwise: 'no test' },
  c,
  cpp: c,
};

/** Folders of what tests read, whatever it looks like. */
const dataFolder = /(?:^|\/)(?:__)?(?:fixtures?|testdata|test[-_]data|snapshots?)(?:__)?\//;

/** Whether a file lies among what tests read. */
export function isTestData(path: string): boolean {
  return dataFolder.test(path);
}

/** The folder that the outermost folder of test data on the way to a file lies in, '' for the root; undefined where none is. */
export function folderOfData(path: string): string | undefined {
  const found = dataFolder.exec(path);
  return found === null ? undefined : path.slice(0, found.index);
}

const helpFolder = /(?:^|\/)(?:__)?(?:helpers?|support|utils?|utilities|common|shared|mocks?|stubs?|setup)(?:__)?\//;
const helpName = /^(?:index|setup|helpers?|utils?|common|types)\b|\.d\.[cm]?ts$|\.config\./;

function isHelp(path: string): boolean {
  return helpFolder.test(path) || helpName.test(baseName(path)) || /(?:^|\/)__mocks__\//.test(path);
}
