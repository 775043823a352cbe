import type { DefinitionTable, DocumentedDefinition } from '../../analysis/docs/definition-table.ts';
import { candidatesOf, type FilePlace, placeOfPath, type TreePlaces } from '../../analysis/docs/file-places.ts';
import { type GoneTable, type Stale, staleMention } from '../../analysis/docs/gone-mentions.ts';
import { linkMention, type MentionContext } from '../../analysis/docs/link-mention.ts';
import { isOfItsDay } from '../../model/document-files.ts';
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

export interface Tables {
  readonly present: DefinitionTable;
  readonly gone: GoneTable;
  /** What a tree has at some paths. */
  readonly treeOf: (paths: readonly string[]) => TreePlaces;
}

/** A word that so many documents have between others is one. */
const proseFrom = 3;

/** What all documents of a snapshot mention. */
export function linkedDocuments(documents: readonly SaidDocument[], tables: Tables): readonly LinkedDocument[] {
  const isProse = proseOf(documents);
  const paths = documents.flatMap(({ path, said }) => said.paths.flatMap(one => candidatesOf(one, path)));
  const tree = tables.treeOf([...new Set(paths)]);
  return documents.map(({ path, said }) => {
    const context: MentionContext = { known: new Set(said.known), isProse };
    const isPast = isOfItsDay(path);
    return {
      path,
      said,
      names: said.mentions.map(mention => linkedName(mention, tables, context, isPast)),
      places: said.paths.map(mention => ({ mention, place: unlessPast(placeOfPath(mention, path, tree), isPast) })),
    };
  });
}

function linkedName(mention: Mention, { present, gone }: Tables, context: MentionContext, isPast: boolean): LinkedName {
  const { definition, isNamed } = linkMention(mention, present, context);
  const isGone = definition === undefined && !isNamed && !isPast;
  return { mention, definition, stale: isGone ? staleMention(mention, gone, context) : undefined };
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
