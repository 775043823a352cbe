import { dialectOf } from '../../extract/dialect.ts';
import { exportKey, handedKey } from '../../link/questions.ts';
import type { Range } from '../../model/facts.ts';
import { familyOf } from '../../model/families.ts';
import type { GraphDocument } from '../../model/graph.ts';
import { exportsIn, type HandedOn } from '../../model/handed-on.ts';
import type { FileDiff, Hunk } from '../../model/history.ts';
import { symbolId } from '../../model/identity.ts';
import { once } from '../../model/once.ts';
import { directoryOf, join } from '../../model/paths.ts';
import type { SymbolKind } from '../../model/symbol.ts';
import type { Defined } from '../../store/graph/snapshot-graph.ts';
import { lookingFor } from '../analysis/gone-file.ts';
import { impactAnswer } from '../analysis/impact.ts';
import type { CodeSide } from '../readers/changed-code.ts';
import type { HistoricalSnapshot } from './historical.ts';
import { type UsesAtHead, usesAtHead } from './uses-at-head.ts';

/** Something that a change takes away from where others find it. */
export interface TakenAway {
  /** `unexported`: its file, or one that handed it on, exports it no more; `moved`: its file lies somewhere else. */
  readonly change: 'removed' | 'unexported' | 'moved';
  readonly hash: string;
  readonly name: string;
  /** Name of what it stands in; '' at the top. */
  readonly container: string;
  readonly kind: SymbolKind;
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** How many lines of it. */
  readonly lines: number;
  /** Whether others could name it. */
  readonly exported: boolean;
  /** Files that still look for it, sorted; never empty of what is unexported or moved. */
  users(): readonly string[];
}

/** What a change takes away, and by what hash there is something then that only took other parameters before. */
export function takenAway(
  of: HistoricalSnapshot,
  files: readonly FileDiff[],
): { readonly taken: readonly TakenAway[]; readonly redeclared: ReadonlySet<string> } {
  const head: Head = { ...of, uses: usesAtHead(of, files), remains: remaining(of, files), defined: definedAtHead(of) };
  const redeclared = new Set<string>();
  const taken = files.flatMap(file => [
    ...removedFrom(head, file, redeclared),
    ...withdrawnFrom(head, file),
    ...handedOnNoMore(head, file),
  ]);
  return { taken: [...taken, ...movedFrom(head, files)], redeclared };
}

interface Head extends HistoricalSnapshot {
  readonly uses: UsesAtHead;
  /** Whether something of that hash is there once the change has been made. */
  remains(hash: string): boolean;
  /** What a changed file defines then; undefined as long as nobody has read it. */
  defined(file: FileDiff): readonly Defined[] | undefined;
}

function definedAtHead({ graph, comparison, fromRoot }: HistoricalSnapshot): Head['defined'] {
  const known = new Map<FileDiff, readonly Defined[] | undefined>();
  const look = (file: FileDiff): readonly Defined[] | undefined => {
    const path = fromRoot(file.path);
    if (path === undefined || file.kind === 'deleted') return [];
    const { before, after } = comparison!.sidesOf(file);
    const isSame = file.oldBlob === file.newBlob;
    const document = isSame || comparison!.asInHead.has(path) ? graph.documentAt(path) : undefined;
    if (document !== undefined) return graph.definedIn(document);
    const side = isSame ? before : after;
    if (typeof side !== 'object') return side === 'none' ? [] : undefined;
    const { definitions } = side;
    return definitions.map((one, slot) => {
      const hash = isSame ? (side.hashesThere[slot] ?? one.hash) : one.hash;
      return { ...one, hash, within: definitions[one.container]?.name ?? '' };
    });
  };
  return file => {
    if (!known.has(file)) known.set(file, look(file));
    return known.get(file);
  };
}

/** What is defined in more places than one, or moved to another file of its package, is not taken away. */
function remaining({ graph, comparison, fromRoot }: HistoricalSnapshot, files: readonly FileDiff[]): Head['remains'] {
  const { asInHead, sidesOf } = comparison!;
  const read = new Set<string>();
  const changed = new Set<string>();
  for (const file of files) {
    const { after } = sidesOf(file);
    if (typeof after === 'object') for (const { hash } of after.definitions) read.add(hash);
    for (const path of [file.path, file.from]) changed.add((path && fromRoot(path)) ?? '');
  }
  return hash => {
    if (read.has(hash)) return true;
    const symbol = graph.numberOf(hash);
    if (symbol === undefined) return false;
    return graph.sitesOf(symbol).some(({ in: { path } }) => asInHead.has(path) || !changed.has(path));
  };
}

/**
 * The outermost of what a file defined in lines that are taken away, and nothing defines any more. What only came to stand in
 * something else, its lines as they were, would tell of the same change once more, and what only takes other parameters is another
 * overload of the same.
 */
function removedFrom(head: Head, file: FileDiff, redeclared: Set<string>): readonly TakenAway[] {
  const { before } = head.comparison!.sidesOf(file);
  if (typeof before !== 'object' || head.defined(file) === undefined) return [];
  const { path, definitions } = before;
  const isRemoved = [...definitions.keys()].map(slot => isTakenOut(head, file, before, slot));
  const seen = new Set<string>();
  return definitions.flatMap(({ hash, name, kind, container, nameRange, range, exported }, slot) => {
    if (isRemoved[slot] !== true || isRemoved[container] === true || seen.has(hash)) return [];
    const anew = inItsPlace(head, file, before, slot).find(one => !before.hashesThere.includes(one.hash));
    if (anew !== undefined) redeclared.add(anew.hash);
    if (anew !== undefined) return [];
    seen.add(hash);
    const [line, lines] = [nameRange.startLine + 1, linesTakenOut(range, file.hunks)];
    const users = once(() => {
      // Who calls a member is mostly told by its name alone.
      if (container >= 0 && head.uses.isPutAnywhere(name)) return [];
      if (!isIndexed(head, hash)) return lookingInVain(head, before, slot);
      if (head.uses.isPut(name)) return sorted(unaware(head, before, slot));
      return sorted([...usersBefore(head, before, slot), ...(exported ? head.uses.importing(name) : [])]);
    });
    const within = definitions[container]?.name ?? '';
    return [{ change: 'removed' as const, hash, name, container: within, kind, path, line, lines, exported, users }];
  });
}

function isTakenOut(head: Head, { hunks }: FileDiff, { definitions, hashesThere }: CodeSide, slot: number): boolean {
  const { hash, nameRange } = definitions[slot]!;
  const isOut = linesTakenOut({ ...nameRange, endLine: nameRange.startLine }, hunks) > 0;
  return isOut && !head.remains(hash) && !head.remains(hashesThere[slot]!);
}

/** What a file defines then in the place of what it defined: of the same name, kind and container. */
function inItsPlace(head: Head, file: FileDiff, { definitions }: CodeSide, slot: number): readonly Defined[] {
  const { name, kind, container } = definitions[slot]!;
  const within = definitions[container]?.name ?? '';
  const all = head.defined(file) ?? [];
  return all.filter(one => one.name === name && one.kind === kind && one.within === within);
}

function linesTakenOut({ startLine, endLine }: Pick<Range, 'startLine' | 'endLine'>, hunks: readonly Hunk[]): number {
  const shared = hunks.map(
    ({ oldLine, oldCount }) => Math.min(endLine + 1, oldLine + oldCount) - Math.max(startLine, oldLine),
  );
  return shared.reduce((sum, lines) => sum + Math.max(0, lines), 0);
}

/**
 * What others could name and cannot then, though it is there: its file exports it no more, in languages in which a word or a list says
 * so, or it is private.
 */
function withdrawnFrom(head: Head, file: FileDiff): readonly TakenAway[] {
  const { before } = head.comparison!.sidesOf(file);
  const path = head.fromRoot(file.path);
  if (typeof before !== 'object' || path === undefined) return [];
  const isByName = exportsByName(path);
  if (!isByName && !hidesByWord.has(familyOf(dialectOf(path)))) return [];
  const now = new Map(head.defined(file)?.map(one => [one.hash, one]));
  const isAsThen = head.comparison!.asInHead.has(path);
  return [...before.definitions.keys()].flatMap(slot => {
    const { name, kind, visibility } = before.definitions[slot]!;
    const hash = before.hashesThere[slot]!;
    const there = now.get(hash);
    if (there === undefined) return [];
    const isHidden = isByName
      ? isExported(before, slot) && !there.exported
      : visibility !== 'private' && there.visibility === 'private';
    if (!isHidden) return [];
    const users = isByName && isAsThen ? lookingInVain(head, before, slot) : usersElsewhere(head, before, slot);
    const line = there.nameRange.startLine + 1;
    const outside = isByName ? users : users.filter(one => !mayNamePrivate(path, one));
    const container = there.within;
    return left({ change: 'unexported', hash, name, container, kind, path, line, lines: 1, exported: true }, outside);
  });
}

const hidesByWord: ReadonlySet<string> = new Set(['jvm', 'csharp', 'php', 'rust']);

/** Modules of Rust that lie in another. */
function mayNamePrivate(path: string, user: string): boolean {
  if (!path.endsWith('.rs')) return false;
  const folder = path.replace(/(?:\/(?:mod|lib|main))?\.rs$/, '').replace(/^(?:mod|lib|main)$/, '');
  return folder === '' || user.startsWith(`${folder}/`);
}

/** Of more files that a change moves, the others are not looked for. */
const mostMoved = 25;

/** What is known by where its file lies, or by the package that this names, where either is another then. */
function movedFrom(head: Head, files: readonly FileDiff[]): readonly TakenAway[] {
  const { comparison, graph, fromRoot } = head;
  const moved = files.flatMap(file => {
    const { before } = comparison!.sidesOf(file);
    const path = fromRoot(file.path);
    if (path === undefined || typeof before !== 'object' || file.kind === 'deleted') return [];
    const slots = [...before.definitions.keys()].filter(
      slot =>
        isExported(before, slot) &&
        !head.remains(before.definitions[slot]!.hash) &&
        !isTakenOut(head, file, before, slot) &&
        inItsPlace(head, file, before, slot).length > 0,
    );
    return slots.length === 0 ? [] : [{ file, before, path, slots }];
  });
  return moved.slice(0, mostMoved).flatMap(({ file, before, path, slots }) => {
    const document = graph.documentAt(before.path);
    const isThere = slots.some(slot => isIndexed(head, before.definitions[slot]!.hash));
    const looking = isThere && document !== undefined ? importersOf(head, document) : undefined;
    const isLookedFor = looking?.length ?? lookingFor(graph, before.path, before.facts(), slots).length;
    if (isLookedFor === 0) return [];
    return slots.flatMap(slot => {
      const { name, kind, nameRange, range } = before.definitions[slot]!;
      const [line, lines] = [nameRange.startLine + 1, range.endLine - range.startLine + 1];
      const { hash } = inItsPlace(head, file, before, slot)[0]!;
      const users = isThere ? usersElsewhere(head, before, slot) : lookingInVain(head, before, slot);
      return left({ change: 'moved', hash, name, container: '', kind, path, line, lines, exported: true }, users);
    });
  });
}

/** Files that import one, or share its scope. */
function importersOf({ graph }: Head, document: GraphDocument): readonly string[] {
  const found = new Set(graph.documentsIn(document.scope).map(graph.pathOf));
  found.delete(document.path);
  graph.eachImport(document, one => found.add(one.path));
  return [...found];
}

/** Of what a file handed on wholesale, so many names are looked for. */
const mostHandedOn = 200;

/** What a file handed on, and exports no more under that name: that who defines it still does. */
function handedOnNoMore(head: Head, file: FileDiff): readonly TakenAway[] {
  const { comparison, graph } = head;
  const { before } = comparison!.sidesOf(file);
  if (typeof before !== 'object' || before.handedOn.length === 0 || !exportsByName(before.path)) return [];
  const now = exportsAtHead(head, file);
  if (now === undefined) return [];
  const isLost = (one: HandedOn): boolean =>
    !now.handedOn.some(({ name, specifier }) => name === one.name && (name !== '*' || specifier === one.specifier)) &&
    !now.own.has(one.name);
  const names = new Set([...now.own, ...now.handedOn.map(({ name }) => name)]);
  const { path } = before;
  return before.handedOn.filter(isLost).flatMap(({ name, imported, specifier, line }) => {
    const target = fileMeant(head, path, specifier);
    const defined = target === undefined ? [] : graph.definedIn(target);
    const meant = defined.filter(
      one => one.within === '' && one.exported && (imported === '*' || one.name === imported) && head.remains(one.hash),
    );
    return meant.slice(0, mostHandedOn).flatMap(({ hash, name: own, kind }) => {
      const exported = name === '*' ? own : name;
      if (names.has(exported)) return [];
      const users = askersOfExport(head, path, exported);
      return left(
        {
          ...{ change: 'unexported', hash, name: exported, container: '', kind, path },
          line: line + 1,
          lines: 1,
          exported: true,
        },
        users,
      );
    });
  });
}

/** Undefined as long as nobody has read it. */
function exportsAtHead(
  { comparison, graph, fromRoot }: Head,
  file: FileDiff,
): ReturnType<typeof exportsIn> | undefined {
  const path = fromRoot(file.path) ?? '';
  const { after } = comparison!.sidesOf(file);
  if (file.kind === 'deleted' || file.from !== undefined) return { own: new Set(), handedOn: [] };
  const document = comparison!.asInHead.has(path) ? graph.documentAt(path) : undefined;
  if (document !== undefined) return exportsIn(graph.factsOf(document));
  return typeof after === 'object' ? exportsIn(after.facts()) : undefined;
}

const endings = ['', '.ts', '.tsx', '.d.ts', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.vue', '.svelte'];

/** The file of the index that a relative specifier means. */
function fileMeant({ graph }: Head, from: string, specifier: string): GraphDocument | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const place = join(directoryOf(from), specifier);
  if (place === undefined) return undefined;
  const plain = place.replace(/\.[cm]?[jt]sx?$/, '');
  for (const stem of [place, plain, `${place}/index`]) {
    for (const ending of endings) {
      const document = graph.documentAt(stem + ending);
      if (document !== undefined) return document;
    }
  }
  return undefined;
}

/** Who asks a file for a name: in vain, where the index has the file as the head does. */
function askersOfExport({ graph, comparison, uses }: Head, path: string, name: string): readonly string[] {
  const asking = graph.askersOf([exportKey(path, name), handedKey(path, name)]);
  const isAsThen = comparison!.asInHead.has(path) || graph.documentAt(path) === undefined;
  if (isAsThen) return sorted(asking.filter(one => graph.usesInVain(one, new Set([name]))).map(one => one.path));
  const others = asking.map(one => one.path).filter(one => one !== path && !uses.hasMoved(one));
  return sorted(others.filter(one => uses.stillThere(one, name)));
}

function left(one: Omit<TakenAway, 'users'>, users: readonly string[]): readonly TakenAway[] {
  return users.length === 0 ? [] : [{ ...one, users: () => users }];
}

function exportsByName(path: string): boolean {
  return familyOf(dialectOf(path)) === 'ecmascript';
}

function isExported({ definitions }: CodeSide, slot: number): boolean {
  const { container, exported } = definitions[slot]!;
  return container < 0 && exported;
}

function isIndexed({ graph }: Head, hash: string): boolean {
  const symbol = graph.numberOf(hash);
  return symbol !== undefined && graph.sitesOf(symbol).length > 0;
}

/** Where the index is as it is then. */
function lookingInVain({ graph }: Head, from: CodeSide, slot: number): readonly string[] {
  return sorted(lookingFor(graph, from.path, from.facts(), [slot]).map(({ path }) => path));
}

/** So many users are looked at one by one. */
const mostUsers = 1000;

/** Where the index is as it was: who uses it, but for who does without it then. */
function usersBefore(head: Head, from: CodeSide, slot: number): readonly string[] {
  const { name, hash } = from.definitions[slot]!;
  const id = symbolId(head.asked.repo.id, hash);
  const found = impactAnswer(head, { id, depth: 1, includeTests: true, limit: mostUsers, sync: false });
  return (found?.affected ?? []).map(({ location }) => location.file).filter(path => head.uses.still(path, name));
}

/**
 * Of what a change puts somewhere else, an index of before can't tell who of those that it changes has found it. What it leaves as it is
 * and had it right from where it was has not, unless that hands it on.
 */
function unaware(head: Head, from: CodeSide, slot: number): readonly string[] {
  const { graph, uses } = head;
  const { name } = from.definitions[slot]!;
  const document = graph.documentAt(from.path);
  if (document === undefined || uses.mayHandOn(from.path, name)) return [];
  const near = new Set(importersOf(head, document));
  return usersBefore(head, from, slot).filter(path => near.has(path) && !uses.isChanged(path));
}

/** The same, in other files; those that are moved themselves find it from where they are then. */
function usersElsewhere(head: Head, from: CodeSide, slot: number): readonly string[] {
  const { name } = from.definitions[slot]!;
  const others = usersBefore(head, from, slot).filter(path => path !== from.path && !head.uses.hasMoved(path));
  return sorted(others.filter(path => head.uses.stillThere(path, name)));
}

function sorted(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].sort();
}
