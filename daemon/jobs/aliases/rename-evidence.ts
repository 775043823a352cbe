import type { ManifestDelta } from '../../model/delta.ts';
import type { ScopeKey } from '../../model/document.ts';
import { lastDescriptorAt, symbolHash } from '../../model/identity.ts';
import { scopeOfTail } from '../../model/mount.ts';
import type { RepoPath } from '../../model/paths.ts';
import type { SymbolKind } from '../../model/symbol.ts';
import { type DocumentSources, type Found, symbolsOf } from './found-symbols.ts';
import { grouped } from './grouped.ts';
import { type DocumentsComeAndGone, documentEvidence } from './moved-documents.ts';
import { createNamelessTwins } from './nameless-twins.ts';
import { outermostOf } from './outermost.ts';
import { digest, type LineWeights, type MovingBody } from './symbol-bodies.ts';
import { createTwins, type LivingSources } from './twins.ts';

/** By what a symbol can be known again under another identity. Equal evidence on both sides, and on each but once, is a rename or a move. */
export interface SymbolEvidence {
  /** 32 hex digits. */
  readonly hash: string;
  readonly scope: ScopeKey;
  readonly tail: string;
  readonly name: string;
  readonly kind: SymbolKind;
  /** Of a file that has it. */
  readonly path: RepoPath;
  /** File content and tail: the same after the file has moved. */
  readonly file: string;
  /** The body without names that came or went: the same after the symbol was renamed. '' where it is short, or another of its container and kind has it too. */
  readonly body: string;
  /** The tail without the namespaces and modules that it stands in: the same after a move into others. */
  readonly local: string;
  /** The body as it is: the same after a move. '' where it is short, or it can't be told whether others have it too. */
  readonly exact: string;
  /** The body as it is where that is short: many have it, and it tells something of what may move by itself alone. '' of all else. */
  readonly brief: string;
  /** The body without its own name and those of the types around it: the same after a move and a renaming at once. '' where it is short. */
  readonly nameless: string;
  /** How many words and signs the body has; 0 of what could not move. */
  readonly tokens: number;
  /** Hash of the outermost definition of its file that it stands in and would move with; its own where there is none. */
  readonly root: string;
  /** What else there is after the publication of that kind, with that `local` tail and that `exact` body. */
  readonly twins: readonly string[];
  /** Of what went, what there is after the publication of that kind, with that `local` tail and that `brief` body. */
  readonly briefTwins: readonly string[];
  /** What else there is of that kind with that `nameless` body; undefined where it is not known, or nothing that may move by itself. */
  readonly namelessTwins: readonly string[] | undefined;
}

/** A file that came or went as a whole: what it says in the symbols that came or went with it. */
export interface FileEvidence {
  readonly path: RepoPath;
  readonly lines: LineWeights;
}

/** A symbol that went, as others named it. */
export interface GoneName extends Pick<SymbolEvidence, 'hash' | 'name' | 'tail' | 'kind' | 'path'> {
  /** Others can have it. */
  readonly exported: boolean;
}

/** What one publication took away and brought, of what may be the same thing. */
export interface RenameEvidence {
  readonly gone: readonly SymbolEvidence[];
  readonly appeared: readonly SymbolEvidence[];
  readonly goneFiles: readonly FileEvidence[];
  readonly appearedFiles: readonly FileEvidence[];
}

/** The same, and what went, whether it was an edit or a switch of branches. */
export interface PublishedEvidence extends RenameEvidence {
  readonly names: readonly GoneName[];
  readonly documents: DocumentsComeAndGone;
}

export const noEvidence: PublishedEvidence = {
  ...{ names: [], documents: { gone: [], come: [] }, gone: [], appeared: [], goneFiles: [], appearedFiles: [] },
};

export type EvidenceSources = DocumentSources & LivingSources;

/** A change of more than this is a switch of branches, not an edit: nobody renamed anything. */
const mostPaths = 200;
const mostSymbols = 2000;
/** Documents that are opened to know whether others have what is long, and what is short. */
const [mostOpened, mostOpenedForBrief] = [64, 16];
/** Of so many files it is still told what went with them, which nobody could tell later: each takes a tenth of a millisecond. */
const mostNamedPaths = 10_000;
const mostNames = 20_000;

/**
 * Evidence from the documents of a delta; of symbols nothing but names where it is too large to be an edit. `gone` and `come`: hashes of the
 * symbols that it took away, and that it brought.
 */
export function renameEvidence(
  delta: ManifestDelta,
  { gone, come }: { readonly gone: ReadonlySet<string>; readonly come: ReadonlySet<string> },
  sources: EvidenceSources,
): PublishedEvidence {
  const documents = documentEvidence(delta);
  if (gone.size + come.size === 0) return { ...noEvidence, documents };
  if (delta.size > mostPaths || gone.size > mostSymbols)
    return { ...noEvidence, documents, names: namesOf(delta, gone, sources) };
  const changes = [...delta.values()];
  const before = changes.flatMap(({ before }) => symbolsOf(before, sources).filter(({ hash }) => gone.has(hash)));
  const present = (come.size > mostSymbols ? [] : changes).flatMap(({ after }) => symbolsOf(after, sources));
  const after = present.filter(({ hash }) => come.has(hash));
  const [vanished, appeared] = [primary(before), primary(after)];
  const names = changedNames(vanished, appeared);
  const about: About = {
    unnamed: new Map([...unnamedIn(vanished, names), ...unnamedIn(appeared, names)]),
    mayMove: root => gone.has(root) || come.has(root),
    twinsOf: createTwins(delta, sources, { bodyOf: ({ exact }) => exact, mostOpened }),
    namelessTwinsOf: createNamelessTwins(present, sources),
  };
  const evidence = (one: Found): SymbolEvidence => evidenceOf(one, about);
  const bodyOf = ({ brief }: MovingBody): string => brief;
  const briefTwinsOf = createTwins(delta, sources, { bodyOf, mostOpened: mostOpenedForBrief });
  const goneEvidence = (one: Found): SymbolEvidence => withBriefTwins(evidence(one), one, briefTwinsOf);
  const isWhole = ({ line }: Found): boolean => {
    const change = delta.get(line.entry.path);
    return change?.before === undefined || change.after === undefined;
  };
  return {
    names: vanished.map(goneName),
    documents,
    gone: vanished.map(goneEvidence),
    appeared: appeared.map(evidence),
    goneFiles: filesOf(before.filter(isWhole)),
    appearedFiles: filesOf(after.filter(isWhole)),
  };
}

function namesOf(delta: ManifestDelta, gone: ReadonlySet<string>, sources: EvidenceSources): readonly GoneName[] {
  const names = new Map<string, GoneName>();
  if (gone.size === 0) return [];
  for (const { before } of [...delta.values()].slice(0, mostNamedPaths)) {
    for (const one of symbolsOf(before, sources)) {
      if (gone.has(one.hash) && !names.has(one.hash)) names.set(one.hash, goneName(one));
    }
    if (names.size >= mostNames) break;
  }
  return [...names.values()];
}

function goneName({ hash, tail, sites, line }: Found): GoneName {
  const { name, kind } = sites[0]!;
  return { hash, name, tail, kind, path: line.entry.path, exported: sites.some(site => site.exported) };
}

/** Each symbol once: with the document that has its body, where others only declare it. */
function primary(symbols: readonly Found[]): readonly Found[] {
  const found = new Map<string, Found>();
  const hasBody = ({ sites }: Found): boolean => sites.some(site => site.hasBody);
  for (const one of symbols) {
    const known = found.get(one.hash);
    if (known === undefined || (!hasBody(known) && hasBody(one))) found.set(one.hash, one);
  }
  return [...found.values()];
}

/** Names that something of a kind bore and nothing new of it does, and the other way round: what a renaming may have put for another. */
function changedNames(gone: readonly Found[], appeared: readonly Found[]): ReadonlySet<string> {
  const namesByKind = (some: readonly Found[]) =>
    new Map(some.map(({ sites }) => [`${sites[0]!.kind} ${sites[0]!.name}`, sites[0]!.name]));
  const [old, fresh] = [namesByKind(gone), namesByKind(appeared)];
  const changed = [...old, ...fresh].filter(([key]) => !old.has(key) || !fresh.has(key));
  return new Set(changed.map(([, name]) => name));
}

/** `SymbolBodies.unnamed` of each document, of the symbols that came or went. */
function unnamedIn(symbols: readonly Found[], names: ReadonlySet<string>): About['unnamed'] {
  const byDocument = grouped(symbols, ({ bodies }) => bodies);
  return new Map(
    Array.from(byDocument, ([bodies, some]) => {
      const tails = some.map(({ tail }) => tail);
      return [bodies, bodies().unnamed(tails, names)];
    }),
  );
}

interface About {
  readonly unnamed: ReadonlyMap<Found['bodies'], ReadonlyMap<string, string>>;
  readonly mayMove: (root: string) => boolean;
  readonly twinsOf: (one: Found) => readonly string[] | undefined;
  readonly namelessTwinsOf: (one: Found) => readonly string[] | undefined;
}

function evidenceOf(one: Found, { unnamed, mayMove, twinsOf, namelessTwinsOf }: About): SymbolEvidence {
  const { hash, scope, tail, sites, line, document, byTail } = one;
  const { name, kind } = sites[0]!;
  const outermost = outermostOf(tail, byTail);
  const root = outermost.root === tail ? hash : symbolHash(scopeOfTail(document, outermost.root), outermost.root);
  const { exact, brief, nameless, tokens } = mayMove(root) ? one.bodies().moving(tail) : immovable;
  const twins = exact === '' ? [] : twinsOf(one);
  const namelessTwins = nameless === '' || twins === undefined ? undefined : namelessTwinsOf(one);
  return {
    ...{ hash, scope, tail, name, kind, root, local: outermost.local, path: line.entry.path },
    file: digest([line.entry.hash, line.entry.dialect, tail]),
    body: unnamed.get(one.bodies)?.get(tail) ?? '',
    exact: twins === undefined ? '' : exact,
    twins: twins ?? [],
    ...{ nameless, tokens, namelessTwins },
    brief: root === hash ? brief : '',
    briefTwins: [],
  };
}

const immovable: MovingBody = { exact: '', brief: '', nameless: '', tokens: 0 };

/** Nothing is said of what it can't be told of whether others have it. */
function withBriefTwins(evidence: SymbolEvidence, one: Found, twinsOf: About['twinsOf']): SymbolEvidence {
  if (evidence.brief === '') return evidence;
  const briefTwins = isNameable(evidence) ? twinsOf(one) : undefined;
  return briefTwins === undefined ? { ...evidence, brief: '' } : { ...evidence, briefTwins };
}

/** Whether others could name it: what stands in a function is nobody's else. */
export function isNameable({ kind, tail }: Pick<SymbolEvidence, 'kind' | 'tail'>): boolean {
  const isOfFunction = tail.slice(0, lastDescriptorAt(tail)).includes(').');
  return !isOfFunction && kind !== 'parameter' && kind !== 'type-parameter';
}

function filesOf(symbols: readonly Found[]): readonly FileEvidence[] {
  return Array.from(
    grouped(symbols, ({ line }) => line.entry.path),
    ([path, symbols]) => {
      // A module's or namespace's own lines are those of what it has, or say its name.
      const roots = symbols.filter(({ tail, byTail }) => outermostOf(tail, byTail).root === tail);
      return { path, lines: symbols[0]!.bodies().lines(roots.map(({ tail }) => tail)) };
    },
  );
}
