import { parse } from 'smol-toml';
import { mostPeople, mostTeams, problemOfPerson, problemOfTeam } from '../model/owner-tables.ts';
import { type RepoPath, repoPath } from '../model/paths.ts';
import { linesOf } from '../model/toml-line.ts';
import { decodedText, tomlProblem } from '../model/toml-problem.ts';
import { keptFiles, whyNotRead } from './kept-file.ts';
import type { ReadingClock } from './read-file.ts';

/** What a repository says in its `.svc.toml` about itself. Undefined and empty: nothing. */
export interface RepositorySettings {
  /** As `history.bots` of the configuration. */
  readonly bots: readonly string[] | undefined;
  /** Members by team, as `ownership.teams`. */
  readonly teams: ReadonlyMap<string, readonly string[]>;
  /** Addresses by handle, as `ownership.people`. */
  readonly people: ReadonlyMap<string, readonly string[]>;
  /** The folder of decision records, from the top. */
  readonly decisionsFolder: RepoPath | undefined;
  readonly problems: readonly SettingsProblem[];
}

/** Something that does not count. */
interface SettingsProblem {
  /** From 1; undefined of a file that is not read. */
  readonly line: number | undefined;
  /** Dotted; '' of the file as a whole. */
  readonly key: string;
  /** In public words, to be read behind the key, or behind the file's name. */
  readonly reason: string;
}

export const settingsPath = '.svc.toml' as RepoPath;
const mostBytes = 64 * 1024;

export interface SettingsFiles {
  /** Of the work tree with its top at an absolute, real path. Throws where descriptors ran out. */
  of(top: string): RepositorySettings;
}

/** The settings of work trees, each file read again when it has changed. One that can't be read says nothing, and why is a problem. */
export function settingsFiles(clock?: ReadingClock): SettingsFiles {
  const files = keptFiles(parseRepositorySettings, mostBytes, { clock });
  return {
    of(top) {
      const file = files.at(top, settingsPath);
      if (file.kind === 'read') return file.value;
      const reason = whyNotRead(file, mostBytes);
      return reason === undefined ? noSettings : { ...noSettings, problems: [{ line: undefined, key: '', reason }] };
    },
  };
}

export const noSettings: RepositorySettings = {
  bots: undefined,
  teams: new Map(),
  people: new Map(),
  decisionsFolder: undefined,
  problems: [],
};

/** What a repository may say: nobody vouches for it, so that it sets nothing that decides where is listened, what is run or what is spent. */
export const repositoryKeys = ['history.bots', 'ownership.teams', 'ownership.people', 'decisions.folder'] as const;
type Key = (typeof repositoryKeys)[number];

const mostProblems = 100;
const mostBots = 1_000;

/** Takes of each key what fits, and says what does not. Never throws. */
export function parseRepositorySettings(bytes: Uint8Array): RepositorySettings {
  let text: string;
  let file: unknown;
  try {
    text = decodedText(bytes);
    file = parse(text);
  } catch (error) {
    return { ...noSettings, problems: [broken(error)] };
  }
  const problems: SettingsProblem[] = [];
  const lineOf = linesOf(text);
  const report = (path: readonly string[], reason: string): void => {
    if (problems.length < mostProblems) problems.push({ line: lineOf(path), key: path.join('.'), reason });
  };
  const given = knownValues(file, report);
  return {
    bots: botsIn(given.get('history.bots'), report),
    teams: tablesIn(
      given,
      { key: 'ownership.teams', field: 'members', most: mostTeams, problem: problemOfTeam },
      report,
    ),
    people: tablesIn(
      given,
      { key: 'ownership.people', field: 'emails', most: mostPeople, problem: problemOfPerson },
      report,
    ),
    decisionsFolder: folderIn(given.get('decisions.folder'), report),
    problems: problems.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
  };
}

type Report = (path: readonly string[], reason: string) => void;

function broken(error: unknown): SettingsProblem {
  const problem = tomlProblem(error) ?? { line: 1, column: 1, reason: 'it is nested too deep' };
  return { line: problem.line, key: '', reason: `is no TOML: ${problem.reason} (column ${problem.column})` };
}

/** The values of keys that a repository may set. */
function knownValues(file: unknown, report: Report): ReadonlyMap<Key, unknown> {
  const found = new Map<Key, unknown>();
  for (const [table, value] of Object.entries(file as object)) {
    const isKnown = repositoryKeys.some(key => key.startsWith(`${table}.`));
    const inner = isTable(value) && isKnown ? Object.entries(value) : undefined;
    if (inner === undefined) report([table], isKnown ? 'must be a table' : unknown);
    for (const [name, one] of inner ?? []) {
      const key = repositoryKeys.find(known => known === `${table}.${name}`);
      if (key === undefined) report([table, name], unknown);
      else found.set(key, one);
    }
  }
  return found;
}

const unknown = `is nothing that a repository may set: that is ${repositoryKeys.join(', ')}`;

function botsIn(value: unknown, report: Report): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (isTexts(value) && value.length <= mostBots) return value;
  report(['history', 'bots'], `must be a list of at most ${mostBots} patterns`);
  return undefined;
}

interface KnownTables {
  readonly key: Key;
  readonly field: string;
  readonly most: number;
  readonly problem: (name: string, table: unknown) => string;
}

function tablesIn(
  given: ReadonlyMap<Key, unknown>,
  { key, field, most, problem }: KnownTables,
  report: Report,
): ReadonlyMap<string, readonly string[]> {
  const value = given.get(key);
  const entries = isTable(value) ? Object.entries(value) : [];
  if (value !== undefined && !isTable(value)) report(key.split('.'), 'must be a table of tables');
  if (entries.length > most) report(key.split('.'), `must hold at most ${most} tables`);
  const fitting = entries.slice(0, most).filter(([name, table]) => {
    const wrong = problem(name, table);
    if (wrong !== '') report([...key.split('.'), name], `does not count: ${wrong}`);
    return wrong === '';
  });
  return new Map(fitting.map(([name, table]) => [name, (table as Record<string, readonly string[]>)[field]!]));
}

function folderIn(value: unknown, report: Report): RepoPath | undefined {
  if (value === undefined) return undefined;
  const path = typeof value === 'string' ? repoPath(value.replace(/^\.\//, '').replace(/\/+$/, '')) : undefined;
  if (path === undefined) report(['decisions', 'folder'], 'must be a folder inside of the repository, from its top');
  return path;
}

function isTable(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(one => typeof one === 'string' && one !== '');
}
