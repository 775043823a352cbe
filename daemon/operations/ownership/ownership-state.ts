import { type AuthoredLines, addUp, type Weights, weighLines } from '../../analysis/ownership/weights.ts';
import type { FileHistory } from '../../model/history.ts';
import { keepNewest } from '../../model/keep-newest.ts';
import type { Owner } from '../../model/owner.ts';
import { type Author, type People, people } from '../../model/people.ts';
import type { CodeownersFile } from './codeowners-file.ts';
import type { OwnershipFiles } from './ownership-files.ts';
import type { FileBlame, OwnershipSources } from './ownership-sources.ts';
import { type ConfiguredPeople, peopleSettings } from './people-settings.ts';

/** Who is who in a repository, who owns its files and who wrote them, as it is now. Paths are from the top of the work tree. */
export interface OwnershipState {
  readonly codeowners: CodeownersFile;
  readonly people: People;
  readonly sources: OwnershipSources;
  /** Of an author's number in the history; undefined for a bot. */
  authorOf(number: number): Author | undefined;
  /** Whether somebody of the history has an identity. */
  isAuthor(identity: string): boolean;
  linesOf(path: string): FileLines | 'pending' | 'none';
  /** Of several files together. */
  together(files: Iterable<FileLines>): FileLines;
}

export interface FileLines {
  readonly weights: Weights;
  readonly lines: number;
  /** Of these: by whom they are is known, though it be a bot. */
  readonly knownLines: number;
}

/** Where the state is of, and what is needed to make it. */
export interface OwnershipPlace {
  /** Of the work tree: absolute, real. */
  readonly top: string;
  readonly sources: OwnershipSources;
  readonly configured: ConfiguredPeople;
  /** Unix seconds. */
  readonly now: number;
}

export interface OwnershipStates {
  /** The same object for as long as nothing has changed. Throws where descriptors ran out. */
  of(place: OwnershipPlace): OwnershipState;
}

const mostKept = 32;

/** Of the work trees that are asked about: what is made of their files and histories stays for as long as these are the same. */
export function ownershipStates(files: OwnershipFiles): OwnershipStates {
  const known = new Map<string, Kept>();
  return {
    of(place) {
      const { top } = place;
      const before = known.get(top);
      const kept = keptFor(place, files, before);
      keepNewest(known, top, kept, mostKept);
      return kept.state;
    },
  };
}

interface Kept {
  /** What it was made of: the same objects, and the same day and version. */
  readonly madeOf: readonly unknown[];
  readonly version: string;
  readonly authors: Authors;
  readonly state: OwnershipState;
}

function keptFor(place: OwnershipPlace, files: OwnershipFiles, before: Kept | undefined): Kept {
  const { top, sources, configured, now } = place;
  const codeowners = files.codeowners.of(top);
  const settings = files.settings.of(top);
  const { mailmap } = files.mailmaps.of(top);
  const at = endOfDay(now);
  const madeOf = [codeowners.path, codeowners.content, settings, mailmap, textOf(configured), sources.history, at];
  const isSame = before?.madeOf.every((one, index) => one === madeOf[index]) === true;
  if (isSame && before?.version === sources.version) return before;
  const authors = isSame
    ? before!.authors
    : authorsOf(
        people({
          settings: peopleSettings(configured, settings),
          mailmap,
          owners: ownersIn(codeowners),
          authors: sources.people,
        }),
        at,
      );
  const state: OwnershipState = {
    ...{ codeowners, people: authors.people, sources },
    authorOf: number => authors.of(number, sources),
    isAuthor: identity => authors.all(sources).has(identity),
    linesOf(path) {
      const blame = sources.blamed(path);
      return typeof blame === 'string' ? blame : authors.linesOf(blame, sources);
    },
    together: several => {
      const all = [...several];
      const sum = (of: (file: FileLines) => number): number => all.reduce((total, file) => total + of(file), 0);
      const weights = addUp(
        all.map(file => file.weights),
        at,
      );
      return { weights, lines: sum(file => file.lines), knownLines: sum(file => file.knownLines) };
    },
  };
  return { madeOf, version: sources.version, authors, state };
}

/** What was weighed on a day is good for all of it. */
function endOfDay(now: number): number {
  return (Math.floor(now / 86_400) + 1) * 86_400;
}

function textOf({ bots, teams, people: tables }: ConfiguredPeople): string {
  return JSON.stringify([bots ?? null, [...teams], [...tables]]);
}

function ownersIn({ content }: CodeownersFile): Iterable<Owner> {
  return new Set((content?.rules ?? []).flatMap(({ owners }) => owners));
}

/** Authors by number, and files by blame, as they were asked for. */
interface Authors {
  readonly people: People;
  of(number: number, sources: OwnershipSources): Author | undefined;
  all(sources: OwnershipSources): ReadonlySet<string>;
  linesOf(blame: FileBlame, sources: OwnershipSources): FileLines;
}

const mostFiles = 200_000;

function authorsOf(known: People, at: number): Authors {
  const authors = new Map<number, Author | undefined>();
  const files = new Map<string, FileLines>();
  let identities: ReadonlySet<string> | undefined;
  const of = (number: number, sources: OwnershipSources): Author | undefined => {
    if (!authors.has(number)) authors.set(number, known.authorOf(sources.people[number]!));
    return authors.get(number);
  };
  return {
    people: known,
    of,
    all: sources => {
      identities ??= identitiesIn(sources.history, number => of(number, sources));
      return identities;
    },
    linesOf(blame, sources) {
      const made = files.get(blame.id) ?? fileLines(blame, sources.history, number => of(number, sources), at);
      if (files.size >= mostFiles) files.clear();
      files.set(blame.id, made);
      return made;
    },
  };
}

function identitiesIn(history: FileHistory | undefined, authorOf: (number: number) => Author | undefined): Set<string> {
  const numbers = new Set<number>();
  for (let at = 0; at < (history?.commitCount ?? 0); at++) numbers.add(history!.commit(at).author);
  return new Set([...numbers].flatMap(number => authorOf(number)?.identity ?? []));
}

/** Lines of commits that the history has not, for it is a shallow one, are nobody's. */
function fileLines(
  { runs }: FileBlame,
  history: FileHistory | undefined,
  authorOf: (number: number) => Author | undefined,
  at: number,
): FileLines {
  const authored: AuthoredLines[] = [];
  let [lines, knownLines] = [0, 0];
  for (const { commit, count } of runs) {
    lines += count;
    const number = history?.indexOf(commit);
    if (number === undefined) continue;
    const { author, authoredAt } = history!.commit(number);
    authored.push({ author: authorOf(author), authoredAt, count });
    knownLines += count;
  }
  return { weights: weighLines(authored, at), lines, knownLines };
}
