import type { Mention } from '../../model/mentions.ts';
import {
  type DefinitionTable,
  type DocumentedDefinition,
  type GoneDefinition,
  isPublicByName,
  merged,
  type NamedPackage,
} from './definition-table.ts';
import { type Home, standsIn } from './inherited-members.ts';
import { type Linked, linkMention, type MentionContext } from './link-mention.ts';
import { movedModule, qualifiedMatches } from './qualified-names.ts';

export type StaleReason =
  | 'symbol_deleted'
  | 'symbol_renamed'
  | 'symbol_moved'
  | 'file_deleted'
  | 'file_moved'
  | 'file_missing';

export interface Stale {
  readonly reason: StaleReason;
  /** What is to stand in place of what is written; undefined where nobody knows. */
  readonly suggestion: string | undefined;
}

/** What was there once, and what has become of it. */
export interface GoneTable extends DefinitionTable {
  named(name: string): readonly GoneDefinition[];
  /** Of definitions of one name that went one after the other the last: once the others were gone, the name was its. */
  readonly latest: DefinitionTable;
  /** What took the place of a definition in the end, as far as that is there. */
  successorOf(gone: Pick<GoneDefinition, 'replacedBy'>): DocumentedDefinition | undefined;
}

/** What a mention meant that means nothing here; undefined where it never meant anything, as far as anybody knows. */
export function onceMeant(mention: Mention, gone: GoneTable, context: MentionContext): GoneDefinition | undefined {
  const { definition = linkMention(mention, gone.latest, context).definition as GoneDefinition | undefined } =
    linkMention(mention, gone, context) as Linked<GoneDefinition>;
  return definition;
}

/** Why a mention of what is gone is stale. */
export function staleMention(
  mention: Mention,
  definition: GoneDefinition,
  gone: GoneTable,
  present: DefinitionTable,
): Stale {
  const successor = gone.successorOf(definition);
  if (successor === undefined) {
    return { reason: isElsewhere(definition, present) ? 'symbol_moved' : 'symbol_deleted', suggestion: undefined };
  }
  const fresh = namesOf(mention, definition, successor, present);
  return { reason: reasonOf(definition, successor), suggestion: suggestionFor(mention, fresh) };
}

/** Whether one thing of its name and kind stands in another file of its package: nothing shows that it is the same, so that nobody is led there. */
function isElsewhere({ name, kind, language, containers, path }: GoneDefinition, present: DefinitionTable): boolean {
  if (containers.length > 0) return false;
  const same = merged(present.named(name).filter(one => one.containers.length === 0 && isPublicByName(one)));
  const [only] = same;
  if (same.length !== 1 || only?.kind !== kind || only.language !== language || only.path === path) return false;
  return packageOf(only.path, present.packages) === packageOf(path, present.packages);
}

/** The folder of the innermost package around a file. */
function packageOf(path: string, packages: readonly NamedPackage[]): string {
  const around = packages.map(({ folder }) => folder).filter(folder => path.startsWith(`${folder}/`));
  return around.reduce((inner, folder) => (folder.length > inner.length ? folder : inner), '');
}

/**
 * Why a member is stale whose type is gone, and which that type had from what it extended. `owner`: the mention's parts before
 * the member. `has`: whether the type that took the place of the other has the member as well.
 */
export function staleMember(
  mention: Mention,
  owner: Mention,
  type: GoneDefinition,
  { gone, present }: { readonly gone: GoneTable; readonly present: DefinitionTable },
  has: (successor: DocumentedDefinition) => boolean,
): Stale {
  const successor = gone.successorOf(type);
  if (successor === undefined) return { reason: 'symbol_deleted', suggestion: undefined };
  const fresh = has(successor) ? namesOf(owner, type, successor, present) : undefined;
  const names = fresh === undefined ? undefined : [...fresh, mention.names.at(-1)!];
  return { reason: reasonOf(type, successor), suggestion: suggestionFor(mention, names) };
}

/** Why a member is stale that a type had from something that it extends. `home`: that, which may have what took its place. */
export function staleInherited(mention: Mention, was: GoneDefinition, home: Home, gone: GoneTable): Stale {
  const successor = gone.successorOf(was);
  if (successor === undefined) return { reason: 'symbol_deleted', suggestion: undefined };
  const fresh = standsIn(successor, home) ? [...mention.names.slice(0, -1), successor.name] : undefined;
  return { reason: reasonOf(was, successor), suggestion: suggestionFor(mention, fresh) };
}

function reasonOf(gone: GoneDefinition, successor: DocumentedDefinition): StaleReason {
  const isSameName = gone.name === successor.name;
  const isSameDepth = gone.containers.length === successor.containers.length;
  const isSameHome = isSameDepth && gone.path === successor.path;
  return isSameName && !isSameHome ? 'symbol_moved' : 'symbol_renamed';
}

/**
 * What is to stand where the mention does, so that it means what has taken the place of what it meant. Undefined where
 * that stands there already, and where more than this place would have to be written anew: what imports say of it. `fresh`:
 * the parts of the name as they are now.
 */
function suggestionFor(
  { names, written, separator }: Mention,
  fresh: readonly string[] | undefined,
): string | undefined {
  const above = names.length - written;
  if (fresh === undefined || fresh.length <= above) return undefined;
  if (fresh.join() === names.join() || names.slice(0, above).some((name, at) => name !== fresh[at])) return undefined;
  const parts = fresh.slice(above);
  return separator === '' && parts.length > 1 ? undefined : parts.join(separator);
}

/** The parts of the name as they are now, what imports tell included. */
function namesOf(
  mention: Mention,
  gone: DocumentedDefinition,
  successor: DocumentedDefinition,
  { packages, mayHandOn }: DefinitionTable,
): readonly string[] | undefined {
  const { names, from, kind } = mention;
  const before = [...gone.containers, gone.name];
  const after = [...successor.containers, successor.name];
  const isSameDepth = before.length === after.length;
  // What stands in something else now is imported otherwise as well.
  if (!isSameDepth && kind === 'fence') return undefined;
  const own = isSameDepth || names.length < before.length ? after.slice(-names.length) : after;
  const heads = names.slice(0, -before.length);
  const there = { packages, ...(mayHandOn === undefined ? {} : { mayHandOn }) };
  const leads = (some: readonly string[]): boolean =>
    qualifiedMatches({ ...mention, names: some }, { ...there, named: () => [successor] }).length > 0;
  const fresh = [...heads, ...own];
  if ((heads.length === 0 && from === undefined) || leads(fresh)) return fresh;
  const moved = movedModule(heads, gone, successor, packages);
  const elsewhere = moved === undefined ? undefined : [...moved, ...own];
  return elsewhere !== undefined && leads(elsewhere) ? elsewhere : undefined;
}
