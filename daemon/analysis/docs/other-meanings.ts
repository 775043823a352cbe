import type { Mention } from '../../model/mentions.ts';
import {
  type DefinitionTable,
  type DocumentedDefinition,
  type GoneDefinition,
  isType,
  merged,
} from './definition-table.ts';
import type { IsForeign } from './foreign-names.ts';

/** What a name may mean beside definitions. */
export interface OtherMeanings {
  readonly present: DefinitionTable;
  /** Whether the code has something from elsewhere that is called so. */
  readonly isForeign: IsForeign;
  /** '' of a file that is not there. */
  readonly textOf: (path: string) => string;
  /** What a type extends, as far as that is of the repository, and what that extends. */
  readonly ancestorsOf: (type: DocumentedDefinition) => readonly Pick<DocumentedDefinition, 'name'>[];
  /** Whether a document calls something of that name or says where it has it from. */
  readonly isCode: (name: string) => boolean;
}

/** Whether a mention of what went, and left nothing in its place, may mean something else, which is there. */
export function mayMeanAnother(mention: Mention, gone: GoneDefinition, others: OtherMeanings): boolean {
  if (mention.kind === 'directive') return false;
  return (
    isSetting(mention) ||
    isWordAlone(mention, others) ||
    others.isForeign(mention) ||
    isHandedOn(gone, others) ||
    isInherited(mention, others)
  );
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

/** A module of Python hands on what it imports, from wherever that may be by now. */
function isHandedOn({ language, path, name }: GoneDefinition, { textOf }: OtherMeanings): boolean {
  return language === 'python' && isImported(textOf(path), name);
}

/** By the lines of import statements of Python, one of which may stand in several. */
function isImported(text: string, name: string): boolean {
  const lines = text.includes(name) ? text.split('\n').filter(line => line.includes(name)) : [];
  return lines.some(line => {
    const [, said = ''] = statement.exec(line) ?? goingOn.exec(line) ?? [];
    return said.split(/[^\p{L}\p{N}_]+/u).includes(name);
  });
}

const statement = /^\s{0,40}(?:from\s{1,9}[\w.]{1,300}\s{1,9})?import\b(.{0,1000})$/;
const goingOn = /^\s{1,40}([\w\s,]{1,300})$/;

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
