import { typeWithout } from '../../analysis/docs/closed-types.ts';
import { type DocumentedDefinition, isType } from '../../analysis/docs/definition-table.ts';
import { documentContext } from '../../analysis/docs/document-context.ts';
import { candidatesOf, type FilePlace, placeOfPath, type TreePlaces } from '../../analysis/docs/file-places.ts';
import {
  type GoneTable,
  onceMeant,
  type Stale,
  staleInherited,
  staleMember,
  staleMention,
} from '../../analysis/docs/gone-mentions.ts';
import { inheritedMember, inheritedOnce, standsIn } from '../../analysis/docs/inherited-members.ts';
import { isOwnOfDocument, linkMention, type MentionContext } from '../../analysis/docs/link-mention.ts';
import { inherits, mayMeanAnother, type OtherMeanings } from '../../analysis/docs/other-meanings.ts';
import { importedByPackage, importedPaths } from '../../analysis/docs/relative-imports.ts';
import { isOfChanges, isOfItsDay, isSectionOfChanges } from '../../model/document-files.ts';
import type { DocumentMentions, Mention, PathMention } from '../../model/mentions.ts';

/** A document, and what its mentions come to. */
export interface LinkedDocument {
  readonly path: string;
  readonly said: DocumentMentions;
  readonly names: readonly LinkedName[];
  readonly places: readonly LinkedPlace[];
}

export interface LinkedName {
  readonly mention: Mention;
  readonly definition: DocumentedDefinition | undefined;
  readonly stale: Stale | undefined;
}

export interface LinkedPlace {
  readonly mention: PathMention;
  readonly place: FilePlace;
}

export interface SaidDocument {
  readonly path: string;
  readonly said: DocumentMentions;
}

export interface Tables extends Omit<OtherMeanings, 'isCode'> {
  readonly gone: GoneTable;
  /** Which of some words stand in no code of the snapshot; nothing where that would take too long to find out. */
  readonly unspoken: (words: ReadonlySet<string>) => ReadonlySet<string>;
  /** Which of some names a function binds somewhere: as what it takes, or as what it makes for itself; nothing where that would take too long. */
  readonly bound: (names: ReadonlySet<string>) => ReadonlySet<string>;
  /** Whether all that a type has stands in the repository: it extends nothing of anybody else's. */
  readonly isWhole: (type: DocumentedDefinition) => boolean;
  /** What a tree has at some paths. */
  readonly treeOf: (paths: readonly string[]) => TreePlaces;
}

/** A word that so many documents have between others is one. */
const proseFrom = 3;

/** What all documents of a snapshot mention. */
export function linkedDocuments(documents: readonly SaidDocument[], tables: Tables): readonly LinkedDocument[] {
  const isCode = codeOf(documents);
  const isProse = proseOf(documents);
  const paths = documents.flatMap(({ path, said }) => [
    ...said.paths.flatMap(one => candidatesOf(one, path)),
    ...said.mentions.flatMap(one => importedPaths(one, path)),
  ]);
  const tree = tables.treeOf([...new Set(paths)]);
  const own = new Set<Mention>();
  const linked = documents.map(({ path, said }): LinkedDocument => {
    const { known, code } = said;
    const mentions = said.mentions.map(one => importedByPackage(one, path, tree, tables.present.packages));
    const context = documentContext({ path, mentions, known, code }, tables.present, isProse);
    const isPast = ({ heading }: Pick<Mention, 'heading'>): boolean =>
      isOfItsDay(path) || isSectionOfChanges(said.headings[heading] ?? '');
    const ofChanges = isOfChanges(path);
    for (const mention of mentions) if (isOwnOfDocument(mention, context)) own.add(mention);
    return {
      path,
      said,
      names: mentions.map(mention =>
        ofChanges && isBare(mention)
          ? openName(mention)
          : linkedName(mention, { ...tables, isCode }, context, isPast(mention)),
      ),
      places: said.paths.map(mention => ({
        mention,
        place: unlessPast(placeOfPath(mention, path, tree), isPast(mention)),
      })),
    };
  });
  return withoutMembers(withBound(linked, tables), own, tables);
}

/** Leaves open a bare name of what went while functions are handed something that is called so, which documents tell of as well. */
function withBound(documents: readonly LinkedDocument[], tables: Tables): readonly LinkedDocument[] {
  const mayBeBound = ({ mention, stale }: LinkedName): boolean =>
    stale?.reason === 'symbol_deleted' &&
    isBare(mention) &&
    mention.from === undefined &&
    /^\p{Ll}/u.test(mention.names[0]!);
  const names = new Set(documents.flatMap(one => one.names.filter(mayBeBound).map(({ mention }) => mention.names[0]!)));
  if (names.size === 0) return documents;
  const bound = tables.bound(names);
  const isOpen = (one: LinkedName): boolean => mayBeBound(one) && bound.has(one.mention.names[0]!);
  return documents.map(one => ({
    ...one,
    names: one.names.map(name => (isOpen(name) ? openName(name.mention) : name)),
  }));
}

/** Marks as gone what is taken off a type of the repository and stands nowhere in its code. */
function withoutMembers(
  documents: readonly LinkedDocument[],
  own: ReadonlySet<Mention>,
  tables: Tables,
): readonly LinkedDocument[] {
  const mayBeGone = new Set<LinkedName>();
  for (const { path, said, names } of documents) {
    if (isOfItsDay(path)) continue;
    for (const one of names) {
      if (isSectionOfChanges(said.headings[one.mention.heading] ?? '')) continue;
      if (one.definition !== undefined || one.stale !== undefined || own.has(one.mention)) continue;
      const type = typeWithout(one.mention, tables.present);
      const last = one.mention.names.at(-1)!;
      if (type !== undefined && tables.present.named(last).length === 0 && tables.isWhole(type)) mayBeGone.add(one);
    }
  }
  if (mayBeGone.size === 0) return documents;
  const unspoken = tables.unspoken(new Set([...mayBeGone].map(({ mention }) => mention.names.at(-1)!)));
  const isGone = (one: LinkedName): boolean => mayBeGone.has(one) && unspoken.has(one.mention.names.at(-1)!);
  const stale: Stale = { reason: 'symbol_deleted', suggestion: undefined };
  return documents.map(one => ({ ...one, names: one.names.map(name => (isGone(name) ? { ...name, stale } : name)) }));
}

/** A name without anything that tells whose it is, but where it says so itself. */
function isBare({ kind, names, from }: Mention): boolean {
  return kind !== 'directive' && (names.length === 1 || from !== undefined);
}

function openName(mention: Mention): LinkedName {
  return { mention, definition: undefined, stale: undefined };
}

function linkedName(
  mention: Mention,
  tables: Tables & OtherMeanings,
  context: MentionContext,
  isPast: boolean,
): LinkedName {
  const { definition, isNamed } = linkMention(mention, tables.present, context);
  if (definition !== undefined || isNamed) return { mention, definition, stale: undefined };
  const type = ownerOf(mention, tables, context);
  const inherited = type && inheritedMember(type, mention.names.at(-1)!, tables.present, tables.ancestorsOf);
  if (inherited !== undefined || isPast) return { mention, definition: inherited, stale: undefined };
  return { mention, definition: undefined, stale: staleName(mention, type, tables, context) };
}

/** The type that a member is taken off. */
function ownerOf(mention: Mention, { present }: Tables, context: MentionContext): DocumentedDefinition | undefined {
  if (mention.names.length < 2) return undefined;
  const { definition } = linkMention(withoutLast(mention), present, context);
  return definition !== undefined && isType(definition) ? definition : undefined;
}

function withoutLast(mention: Mention): Mention {
  const { names, written } = mention;
  return { ...mention, names: names.slice(0, -1), written: Math.max(1, written - 1), isCall: false };
}

function staleName(
  mention: Mention,
  type: DocumentedDefinition | undefined,
  tables: Tables & OtherMeanings,
  context: MentionContext,
): Stale | undefined {
  const was = onceMeant(mention, tables.gone, context);
  if (was === undefined)
    return type === undefined ? staleByOwner(mention, tables, context) : staleOf(type, mention, tables);
  const own = staleMention(mention, was, tables.gone, tables.present);
  const byOwner = own.reason === 'symbol_deleted' ? staleByOwner(mention, tables, context) : undefined;
  const stale = byOwner?.suggestion === undefined ? own : byOwner;
  return mayMeanAnother(mention, was, stale, tables) ? undefined : stale;
}

/** Of a member that a type had from what it extends. */
function staleOf(type: DocumentedDefinition, mention: Mention, tables: Tables & OtherMeanings): Stale | undefined {
  const { gone, ancestorsOf } = tables;
  const once = inheritedOnce(type, mention.names.at(-1)!, gone, ancestorsOf);
  if (once === undefined) return undefined;
  const stale = staleInherited(mention, once.was, once.home, gone);
  return mayMeanAnother(mention, once.was, stale, tables) ? undefined : stale;
}

/**
 * Of a member that its type never defined itself, nothing went when the type did. What it is taken off tells: it is no more, and
 * what stands behind it is a member.
 */
function staleByOwner(mention: Mention, tables: Tables & OtherMeanings, context: MentionContext): Stale | undefined {
  const { names, isCall } = mention;
  const last = names.at(-1)!;
  if (!/^\p{Lu}/u.test(names.at(-2) ?? '') || !(isCall || isMember(last, tables))) return undefined;
  const owner = withoutLast(mention);
  if (linkMention(owner, tables.present, context).isNamed) return undefined;
  const type = onceMeant(owner, tables.gone, context);
  if (type === undefined || !isType(type)) return undefined;
  const has = (successor: DocumentedDefinition): boolean =>
    tables.present.named(last).some(one => standsIn(one, successor)) ||
    inherits(successor, last, tables) ||
    (isCall && !tables.isWhole(successor));
  const stale = staleMember(mention, owner, type, tables, has);
  return [owner, mention].some(one => mayMeanAnother(one, type, stale, tables)) ? undefined : stale;
}

function isMember(name: string, { present }: Tables): boolean {
  return present.named(name).some(({ containers, isLocal }) => containers.length > 0 && !isLocal);
}

function unlessPast(place: FilePlace, isPast: boolean): FilePlace {
  return isPast && place.kind === 'stale' ? { kind: 'open' } : place;
}

function proseOf(documents: readonly SaidDocument[]): MentionContext['isProse'] {
  const counts = new Map<string, number>();
  for (const { said } of documents) {
    for (const word of said.words.split(' ')) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return word => (counts.get(word) ?? 0) >= proseFrom;
}

function codeOf(documents: readonly SaidDocument[]): OtherMeanings['isCode'] {
  const names = new Set<string>();
  for (const { said } of documents) {
    for (const { names: parts, from, isCall } of said.mentions) {
      if (isCall) names.add(parts.at(-1)!);
      if (from !== undefined) names.add(parts[0]!);
    }
  }
  return name => names.has(name);
}
