import type { Mention } from '../../model/mentions.ts';
import {
  type DefinitionTable,
  type DocumentedDefinition,
  type GoneDefinition,
  isType,
  merged,
} from './definition-table.ts';
import type { IsForeign } from './foreign-names.ts';
import type { Stale } from './gone-mentions.ts';
import type { AncestorsOf } from './inherited-members.ts';
import type { PythonModule } from './python-modules.ts';

/** What a name may mean beside definitions. */
export interface OtherMeanings {
  readonly present: DefinitionTable;
  /** Whether the code has something from elsewhere that is called so. */
  readonly isForeign: IsForeign;
  /** The module of Python that a file is; one that has nothing where there is none. */
  readonly moduleAt: (path: string) => PythonModule;
  readonly ancestorsOf: AncestorsOf;
  /** Whether a document calls something of that name or says where it has it from. */
  readonly isCode: (name: string) => boolean;
}

/**
 * Whether a mention of what went may mean something else, which is there. What was renamed is what was meant, unless its module
 * answers to the old name.
 */
export function mayMeanAnother(
  mention: Mention,
  gone: GoneDefinition,
  { reason }: Pick<Stale, 'reason'>,
  others: OtherMeanings,
): boolean {
  if (mention.kind === 'directive') return false;
  if (reason === 'symbol_renamed') return isLookedUp(mention, gone, others);
  return (
    isSetting(mention) ||
    isWordAlone(mention, others) ||
    others.isForeign(mention) ||
    isHandedOn(mention, gone, others) ||
    isInherited(mention, others) ||
    isOfValue(mention, others)
  );
}

/** Taken off something of small letters that may be a value, of a type that has a member of that name: `schema.execute()`. */
function isOfValue({ names, separator }: Mention, { present }: OtherMeanings): boolean {
  const [head = '', ...rest] = names.slice(-2);
  const last = rest.at(-1);
  if (last === undefined || separator !== '.' || !/^\p{Ll}/u.test(head)) return false;
  return present.named(last).some(({ containers, isLocal }) => containers.length > 0 && !isLocal);
}

/** Written as variables of the environment are: one may be there without a definition. */
function isSetting(mention: Mention): boolean {
  return isAlone(mention) && /^\p{Lu}[\p{Lu}\d]*_[\p{Lu}\d_]+$/u.test(mention.names[0]!);
}

/** Of small letters alone, where no document has it as code: it may be a value, an option, a command. */
function isWordAlone(mention: Mention, { isCode }: OtherMeanings): boolean {
  const [name = ''] = mention.names;
  return isAlone(mention) && !mention.isCall && /^\p{Ll}+$/u.test(name) && !isCode(name);
}

function isAlone({ names, from }: Pick<Mention, 'names' | 'from'>): boolean {
  return names.length === 1 && from === undefined;
}

/** A module of Python hands on what it imports, from wherever that may be by now, as do the packages around it. */
function isHandedOn(mention: Mention, gone: GoneDefinition, others: OtherMeanings): boolean {
  const packages = packagesNamed(mention, gone);
  // What may have any name counts where a mention names it alone: else nothing below it were ever gone.
  const named = headsOf(mention, gone).length > 0 ? packages : [];
  return (
    doesAny([gone.path, ...packages], (module, name) => module.imports(name) || module.answersTo(name), gone, others) ||
    doesAny([gone.path, ...named], ({ mayHaveAny }) => mayHaveAny, gone, others)
  );
}

/** A module that is asked for names that it does not have, and has this one as a text. */
function isLookedUp(mention: Mention, gone: GoneDefinition, others: OtherMeanings): boolean {
  const files = [gone.path, ...packagesNamed(mention, gone)];
  return doesAny(files, (module, name) => module.answersTo(name), gone, others);
}

type Handing = (module: PythonModule, name: string) => boolean;

/** Whether one of some modules of Python does what is asked for what went, or for what that stood in. */
function doesAny(files: readonly string[], does: Handing, gone: GoneDefinition, others: OtherMeanings): boolean {
  const outer = gone.containers[0] ?? gone.name;
  if (gone.language !== 'python' || isDefinedIn(gone.path, outer, others)) return false;
  return files.some(file => does(others.moduleAt(file), outer));
}

/** What a type that is there still has no more, nobody hands on. */
function isDefinedIn(file: string, name: string, { present }: OtherMeanings): boolean {
  return present.named(name).some(({ path, containers }) => path === file && containers.length === 0);
}

/** The modules that a mention takes a definition off. */
function headsOf({ names }: Mention, { containers }: GoneDefinition): readonly string[] {
  return names.slice(0, -1 - containers.length);
}

/** The files of packages around a definition of Python that a mention may take it off: of a bare name all of them. */
function packagesNamed(mention: Mention, gone: GoneDefinition): readonly string[] {
  const heads = headsOf(mention, gone);
  const folders = gone.path.split('/').slice(0, -1);
  return folders.flatMap((_, at) => {
    const folder = folders.slice(0, at + 1);
    const isNamed = heads.every((head, index) => head === folder.at(index - heads.length));
    return isNamed ? [`${folder.join('/')}/__init__.py`] : [];
  });
}

function isInherited({ names }: Mention, others: OtherMeanings): boolean {
  const [head, last] = [names.at(-2), names.at(-1)!];
  const types = head === undefined ? [] : merged(others.present.named(head).filter(isType));
  const [type] = types;
  return types.length === 1 && type !== undefined && inherits(type, last, others);
}

/** Whether something that a type extends has a member of that name. */
export function inherits(
  type: DocumentedDefinition,
  member: string,
  { present, ancestorsOf }: Pick<OtherMeanings, 'present' | 'ancestorsOf'>,
): boolean {
  const homes = new Set(present.named(member).flatMap(({ containers }) => containers.at(-1) ?? []));
  return homes.size > 0 && ancestorsOf(type).some(({ name }) => homes.has(name));
}
