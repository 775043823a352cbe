import { prefixIn } from '../../backends/git-repository.ts';
import { dialectOf } from '../../extract/dialect.ts';
import type { DefinitionFact, DocumentFacts, Range } from '../../model/facts.ts';
import { decodeFacts, encodeFacts } from '../../model/facts-codec.ts';
import { isCode } from '../../model/families.ts';
import { exportsIn, type HandedOn } from '../../model/handed-on.ts';
import type { FileDiff } from '../../model/history.ts';
import { symbolHash } from '../../model/identity.ts';
import { mount, scopeOfTail } from '../../model/mount.ts';
import { type RepoPath, repoPath } from '../../model/paths.ts';
import { type BlobPlace, factsOfBlobs } from './facts-of-blobs.ts';

/** A definition of a file, as one side of a change has it. */
export interface SideDefinition
  extends Pick<DefinitionFact, 'name' | 'kind' | 'exported' | 'visibility' | 'container'> {
  readonly hash: string;
  readonly nameRange: Range;
  readonly range: Range;
}

/** What a file of code defines on one side of a change. */
export interface CodeSide {
  /** From the repository's root. */
  readonly path: RepoPath;
  /** By slot. */
  readonly definitions: readonly SideDefinition[];
  /** By slot: the hashes that they would have at the path of the other side. */
  readonly hashesThere: readonly string[];
  /** Names of all that it refers to. */
  readonly names: ReadonlySet<string>;
  /** From where it imports what, by the names that things have there. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  /** What it exports of others. */
  readonly handedOn: readonly HandedOn[];
  /** Of all its functions together. */
  readonly cyclomatic: number;
  facts(): DocumentFacts;
}

/**
 * The sides of a changed file: undefined as long as nobody has read them, `none` of what has nothing to read, `unreadable`
 * of what can't be read.
 */
export interface CodeSides {
  readonly before: CodeSide | 'none' | 'unreadable' | undefined;
  readonly after: CodeSide | 'none' | 'unreadable' | undefined;
}

/** What changed code defined before, and defines then. */
export interface ChangedCode {
  of(file: FileDiff): CodeSides;
  /** Reads what nobody has read yet. `isKnown`: what need not be read, as the index has it. */
  read(files: readonly FileDiff[], isKnown: (path: string) => boolean, place: BlobPlace): Promise<void>;
}

type Side = keyof CodeSides;

export function changedCode(): ChangedCode {
  const known = new WeakMap<FileDiff, Record<Side, CodeSides[Side]>>();
  const of = (file: FileDiff): Record<Side, CodeSides[Side]> => {
    const sides = known.get(file) ?? { before: unread(file, 'before'), after: unread(file, 'after') };
    known.set(file, sides);
    return sides;
  };
  const reading = new WeakMap<readonly FileDiff[], Promise<void>>();
  const read: ChangedCode['read'] = async (files, isKnown, place) => {
    const prefix = prefixIn(place.repository.workTree, place.settings.root);
    const pathIn = (path: string): RepoPath | undefined =>
      path.startsWith(prefix) ? repoPath(path.slice(prefix.length)) : undefined;
    const wanted = files.flatMap(file =>
      (['before', 'after'] as const).flatMap(side => {
        const hash = side === 'before' ? file.oldBlob : file.newBlob;
        const [path, there] = [pathIn(pathOn(file, side)), pathIn(pathOn(file, other(side)))];
        if (of(file)[side] !== undefined || hash === undefined) return [];
        if (path === undefined) of(file)[side] = 'none'; // outside the root, of no concern
        if (path === undefined) return [];
        if (side === 'after' && isKnown(path)) return [];
        return [{ file, side, path, there: there ?? path, hash }];
      }),
    );
    const facts = await factsOfBlobs(wanted, place);
    wanted.forEach(({ file, side, path, there }, at) => {
      const told = facts[at];
      of(file)[side] = told === undefined ? 'unreadable' : sideOf(path, there, told);
    });
  };
  return {
    of,
    read: (files, isKnown, place) => {
      // One after the other: what the first has read the next need not.
      const turn = (reading.get(files) ?? Promise.resolve()).then(() => read(files, isKnown, place));
      const settled = turn.catch(() => {});
      reading.set(files, settled);
      return turn;
    },
  };
}

function other(side: Side): Side {
  return side === 'before' ? 'after' : 'before';
}

function pathOn({ path, from = path }: FileDiff, side: Side): string {
  return side === 'before' ? from : path;
}

/** Read is code that was moved or that lines were taken from, and code that has lines that changed. */
function unread(file: FileDiff, side: Side): 'none' | 'unreadable' | undefined {
  const { hunks, oldBlob, newBlob, lines } = file;
  const blob = side === 'before' ? oldBlob : newBlob;
  // Of what is moved, somebody may look for it where it was.
  const isLeft = file.from !== undefined || hunks.some(({ oldCount }) => oldCount > 0);
  const isTouched = side === 'before' ? isLeft : hunks.length > 0;
  if (blob === undefined || !isCode(dialectOf(pathOn(file, side)))) return 'none';
  // Of what an attribute says to be binary nobody knows which lines changed.
  if (lines === undefined) return 'unreadable';
  return isTouched ? undefined : 'none';
}

function sideOf(path: RepoPath, there: RepoPath, facts: DocumentFacts): CodeSide {
  const bytes = encodeFacts(facts);
  const hashes = hashesAt(path, facts);
  return {
    path,
    definitions: facts.definitions.map(({ name, kind, exported, visibility, container, nameRange, range }, slot) => ({
      ...{ hash: hashes[slot]!, name, kind, exported, visibility, container, nameRange, range },
    })),
    hashesThere: there === path ? hashes : hashesAt(there, facts),
    names: new Set(facts.references.map(({ name }) => name)),
    sources: sourcesIn(facts),
    handedOn: exportsIn(facts).handedOn,
    cyclomatic: facts.complexity.reduce((sum, { cyclomatic }) => sum + cyclomatic, 0),
    facts: () => decodeFacts(bytes),
  };
}

function sourcesIn({ imports }: DocumentFacts): ReadonlyMap<string, readonly string[]> {
  const sources = new Map<string, string[]>();
  for (const { name, specifier } of imports) sources.set(name, [...(sources.get(name) ?? []), specifier]);
  return sources;
}

function hashesAt(path: RepoPath, facts: DocumentFacts): readonly string[] {
  const document = mount(path, facts);
  return facts.definitions.map(({ tail }) => symbolHash(scopeOfTail(document, tail), tail));
}
