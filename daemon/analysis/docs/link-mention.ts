import { familyOf } from '../../model/families.ts';
import type { Mention } from '../../model/mentions.ts';
import { isBrought, isCommonWord } from './common-words.ts';
import {
  type DefinitionTable,
  type DocumentedDefinition,
  isCallable,
  isPart,
  isPublicByName,
  isType,
  mayBeCalled,
  merged,
} from './definition-table.ts';
import { isOfPackages } from './package-addresses.ts';
import { ownModuleMatches, qualifiedMatches } from './qualified-names.ts';

/** What is known of a document beside a mention. */
export interface MentionContext {
  /** Names that the document says are symbols. */
  readonly known: ReadonlySet<string>;
  /** Names that its code imports from elsewhere. */
  readonly foreign: ReadonlySet<string>;
  /** Whether several documents have a word between other words, as nobody has what is a name alone. */
  isProse(word: string): boolean;
  /** Names that its own code defines. */
  readonly defined?: ReadonlySet<string>;
  /** Names that its code hands to callbacks. */
  readonly parameters?: ReadonlySet<string>;
  /** Families of the languages that it is about; undefined where nobody knows. */
  readonly families?: ReadonlySet<string> | undefined;
  /** Whether it is about a definition, or names it with its package as well. */
  readonly isTold?: (one: DocumentedDefinition) => boolean;
}

/**
 * What a mention means in a table: the one definition, or none where no or several fit, or where nothing but the name says
 * that it is one. `isNamed`: something bears the name as it is written, so that what is gone is not what was meant.
 */
export interface Linked<Definition extends DocumentedDefinition = DocumentedDefinition> {
  readonly definition: Definition | undefined;
  readonly isNamed: boolean;
}

export function linkMention(mention: Mention, table: DefinitionTable, context: MentionContext): Linked {
  const { names, from, linkedTo } = mention;
  if (linkedTo !== undefined && !isOfPackages(linkedTo, table.packages))
    return { definition: undefined, isNamed: true };
  if (isOwnOfDocument(mention, context) || isOfOthers(mention, table)) return { definition: undefined, isNamed: true };
  const isQualified = names.length > 1 || from !== undefined;
  return isQualified ? linkQualified(mention, table, context) : linkSingle(mention, table, context);
}

/** Whether a name begins with what the document's code defines, or what that is handed: it means nothing of the repository. */
export function isOwnOfDocument(
  { names, from, kind }: Mention,
  { known, defined, parameters }: MentionContext,
): boolean {
  const head = names[0]!;
  if (from !== undefined || kind === 'directive' || known.has(head)) return false;
  return defined?.has(head) === true || parameters?.has(head) === true;
}

/** Whether the text says that it is somebody’s who is nothing of the repository. */
function isOfOthers({ whose, kind }: Mention, { packages, named }: DefinitionTable): boolean {
  if (whose === undefined || kind !== 'inline' || named(whose).length > 0) return false;
  const owner = plainName(whose);
  return !packages.some(({ name }) => name.split('/').some(part => plainName(part) === owner));
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function linkQualified(mention: Mention, table: DefinitionTable, context: MentionContext): Linked {
  const { names, from, kind } = mention;
  const { foreign } = context;
  const isForeign = from === undefined && isBroughtTo(names[0]!, mention, context) && !isOwn(names[0]!, table);
  // Code that does not say where it has a library from has it from the language.
  if (isForeign && (kind === 'fence' || foreign.has(names.at(-1)!))) return { definition: undefined, isNamed: true };
  const all = isForeign ? ownModuleMatches(mention, table) : qualifiedMatches(mention, table);
  const found = merged(all.filter(one => fitsLanguage(one, mention)));
  return { definition: found.length === 1 ? found[0] : undefined, isNamed: isForeign || found.length > 0 };
}

/** A package or type of the repository that is called as one of a library. */
function isOwn(name: string, { packages, named }: DefinitionTable): boolean {
  return packages.some(one => one.name === name) || named(name).some(one => isType(one) && isPublicByName(one));
}

function linkSingle(mention: Mention, table: DefinitionTable, context: MentionContext): Linked {
  const [name = ''] = mention.names;
  const all = withoutHolders(table.named(name).filter(one => fitsLanguage(one, mention)));
  const isSaid = mention.kind === 'directive' || context.known.has(name);
  if (isSaid) {
    const found = merged(all.filter(isPublicByName));
    const meant = found.length > 0 ? found : merged(all.filter(one => !one.isLocal));
    return { definition: meant.length === 1 ? meant[0] : undefined, isNamed: meant.length > 0 };
  }
  const found = merged(all.filter(one => isPublicByName(one) && isOfDocument(one, context)));
  const [only] = found;
  if (context.foreign.has(name)) return { definition: undefined, isNamed: true };
  const isOne = found.length === 1 && only !== undefined && isMeant(only, mention, all, context);
  // Whatever else has the name may be meant: a method, of what nobody says.
  return { definition: isOne ? only : undefined, isNamed: all.some(one => !one.isLocal) };
}

/** Without namespaces that hold a type of their name: `Scope` is `Scope.Scope`. */
function withoutHolders(all: readonly DocumentedDefinition[]): readonly DocumentedDefinition[] {
  const isHeld = (one: DocumentedDefinition): boolean =>
    all.some(({ path, containers }) => path === one.path && containers.length === 1 && containers[0] === one.name);
  return all.filter(one => one.kind !== 'namespace' || one.containers.length > 0 || !isHeld(one));
}

/** Whether a name is written as one writes that of a definition, and not that of an option, a command or a thing. */
function isMeant(
  one: DocumentedDefinition,
  mention: Mention,
  all: readonly DocumentedDefinition[],
  context: MentionContext,
): boolean {
  const { names, isCall, kind, language } = mention;
  const [name = ''] = names;
  if (name.length < 2 || isBrought(name, familyKey(one.language)) || isBroughtTo(name, mention, context, false))
    return false;
  const others = all.filter(other => !other.isLocal && merged([one, other]).length > 1);
  // Code that nobody tells the language of.
  if (kind === 'fence' && language === '') return isCallable(one);
  if (isPlainWord(name) && isPrivateModule(one)) return false;
  if (isCall) return mayBeCalled(one) && !others.some(isCallable);
  // What decorates is no name for a type.
  if (mention.rawText.startsWith('@') && one.kind === 'type') return false;
  if (/^\p{Lu}/u.test(name)) {
    // An option that is called as its type is.
    if (others.some(isFieldLike) && context.isTold?.(one) !== true) return false;
    return isType(one) || isNameLike(name) || isConstant(one);
  }
  if (isNameLike(name)) return !others.some(other => isPart(other) || isCallable(other));
  const isThing = isCallable(one) || isType(one);
  return isThing && !isCommonWord(name) && !context.isProse(name) && others.length === 0;
}

/** What a module of Python has to itself, unless it is a type, which packages hand on. */
function isPrivateModule(one: DocumentedDefinition): boolean {
  return one.language === 'python' && !isType(one) && /(?:^|\/)_[^/_][^/]{0,200}\.pyi?$/.test(one.path);
}

function isFieldLike({ kind }: DocumentedDefinition): boolean {
  return kind === 'field' || kind === 'property';
}

/** In Python what begins with one large letter holds what is made elsewhere: a variable of types, mostly. */
function isConstant({ kind, language, name }: DocumentedDefinition): boolean {
  return kind === 'constant' && (language !== 'python' || !/\p{Ll}/u.test(name));
}

/** Letters alone, all of them small but the first. */
function isPlainWord(name: string): boolean {
  return /^\p{L}\p{Ll}*$/u.test(name);
}

/** Of several words, or with a digit: nothing else is written so. */
function isNameLike(name: string): boolean {
  return /[\p{Ll}\d]\p{Lu}|\p{L}_+\p{L}/u.test(name);
}

/** Code of one language names nothing of another. */
function fitsLanguage({ language }: DocumentedDefinition, mention: Mention): boolean {
  return mention.language === '' || familyOf(mention.language) === familyOf(language);
}

/** Whether a definition is of a language that the document is about. */
function isOfDocument({ language }: DocumentedDefinition, { families }: MentionContext): boolean {
  return families === undefined || families.size === 0 || families.has(familyOf(language));
}

/** Whether a name is the language's own where it stands. `orAny`: of any language, where nobody knows which. */
function isBroughtTo(name: string, { language }: Mention, { families }: MentionContext, orAny = true): boolean {
  if (language !== '') return isBrought(name, familyKey(language));
  if (families === undefined || families.size === 0) return orAny && isBrought(name, '');
  return [...families].some(family => isBrought(name, familyKey(family)));
}

/** As `isBrought` calls families; 'other' has no names of its own. */
export function familyKey(language: string): string {
  const family = familyOf(language);
  if (family === 'ecmascript') return 'js';
  return /^(?:python|go|rust|jvm)$/.test(family) ? family : 'other';
}
