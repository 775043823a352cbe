import type { Mention } from '../../model/mentions.ts';
import type { DefinitionTable, DocumentedDefinition, GoneDefinition } from './definition-table.ts';
import { type Linked, linkMention, type MentionContext } from './link-mention.ts';

export type StaleReason = 'symbol_deleted' | 'symbol_renamed' | 'symbol_moved' | 'file_deleted' | 'file_moved';

export interface Stale {
  readonly reason: StaleReason;
  /** What is to stand in place of the name, its first parts included; undefined where nobody knows. */
  readonly suggestion: string | undefined;
}

/** What was there once, and what has become of it. */
export interface GoneTable extends DefinitionTable {
  named(name: string): readonly GoneDefinition[];
  /** Of definitions of one name that went one after the other the last: once the others were gone, the name was its. */
  readonly latest: DefinitionTable;
  /** What took the place of a definition in the end, as far as that is there. */
  successorOf(gone: GoneDefinition): DocumentedDefinition | undefined;
}

/** Why a mention that means nothing here is stale; undefined where it never meant anything, as far as anybody knows. */
export function staleMention(mention: Mention, gone: GoneTable, context: MentionContext): Stale | undefined {
  const { definition = linkMention(mention, gone.latest, context).definition as GoneDefinition | undefined } =
    linkMention(mention, gone, context) as Linked<GoneDefinition>;
  if (definition === undefined) return undefined;
  const successor = gone.successorOf(definition);
  if (successor === undefined) return { reason: 'symbol_deleted', suggestion: undefined };
  return { reason: reasonOf(definition, successor), suggestion: suggestionFor(mention, definition, successor) };
}

function reasonOf(gone: GoneDefinition, successor: DocumentedDefinition): StaleReason {
  const isSameName = gone.name === successor.name;
  const isSameDepth = gone.containers.length === successor.containers.length;
  const isSameHome = isSameDepth && gone.path === successor.path;
  return isSameName && !isSameHome ? 'symbol_moved' : 'symbol_renamed';
}

/** The name with those of its parts replaced that are other ones now. */
function suggestionFor(
  { names, separator }: Mention,
  gone: DocumentedDefinition,
  successor: DocumentedDefinition,
): string {
  if (names.length === 1) return successor.name;
  const before = [...gone.containers, gone.name];
  const after = [...successor.containers, successor.name];
  if (before.length !== after.length) return after.join(separator);
  const shift = names.length - before.length;
  const parts = names.map((name, at) => (before[at - shift] === name ? after[at - shift]! : name));
  return parts.join(separator);
}
