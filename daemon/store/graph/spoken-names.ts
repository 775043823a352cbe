import { isAbout } from '../../model/about-files.ts';
import { familyOf } from '../../model/families.ts';
import type { GraphDocument } from '../../model/graph.ts';
import type { SpokenNames } from '../../model/wiring.ts';
import { spokenWord } from '../../model/word-hash.ts';
import type { DocumentView } from '../document-view.ts';

/**
 * Names that a document has in texts, where its language, or what the file is for, finds code by them, and those of types in
 * pages and settings. Reads the document alone.
 */
export function spokenNames(
  { language, path }: GraphDocument,
  view: Pick<DocumentView, 'facts' | 'text'>,
): SpokenNames {
  const read = Object.hasOwn(readers, language) ? readers[language] : undefined;
  // What people are told names code by the dozen, and nothing finds code by that.
  if (read === undefined || isAbout(path)) return nothing;
  const [family, texts] = [familySpokenOf(path, language), read(view.text(), path)];
  const words = new Set<number>();
  for (const word of texts.words) words.add(spokenWord(family, word));
  if (language === 'configuration') {
    for (const [named, type] of typesIn(view.facts().configuration)) words.add(spokenWord(named, type));
  }
  return {
    words: Uint32Array.from(words),
    affixes: [...new Set(texts.affixes ?? [])],
    isLookedInto: texts.isLookedInto ?? false,
    heirs: texts.heirs ?? 'none',
  };
}

const nothing: SpokenNames = { words: new Uint32Array(), affixes: [], isLookedInto: false, heirs: 'none' };

/** Types that a page or a file of settings names otherwise than in a text: the family of the language that each is of, and its name. */
function typesIn(configuration: string): readonly (readonly [family: string, name: string])[] {
  if (!/"(?:loadedClasses|typeNames)":/.test(configuration)) return [];
  const { loadedClasses = [], typeNames = [] }: TypesTold = JSON.parse(configuration).project;
  return [
    ...typeNames.map(name => ['csharp', name] as const),
    ...loadedClasses.map(name => [name.includes('\\') ? 'php' : 'jvm', name.replace(/^.*[.\\$]/, '')] as const),
  ];
}

interface TypesTold {
  readonly loadedClasses?: readonly string[];
  readonly typeNames?: readonly string[];
}

/** What assemblers, linkers and generators of parsers read is of programs in C; other configuration speaks of any. */
function familySpokenOf(path: string, language: string): string {
  if (language !== 'configuration') return familyOf(language);
  return ofC.test(path) ? 'c' : '';
}

const ofC = /\.(?:s|asm|y|yy|ypp|l|ll|lpp|def)$/i;

interface Texts extends Partial<Omit<SpokenNames, 'words'>> {
  readonly words: Iterable<string>;
}

type ReadTexts = (text: string, path: string) => Texts;

const quoted = String.raw`"(?:[^"\\\n]|\\.)*"`;
const single = String.raw`'(?:[^'\\\n]|\\.)*'`;
/** Comments and texts as the languages have them; one that never ends goes to the end. */
const lexed = {
  slashes: new RegExp(String.raw`//[^\n]*|/\*[^]*?(?:\*/|$)|"""[^]*?(?:"""|$)|${quoted}|'(?:[^'\\\n]|\\.)'`, 'g'),
  php: new RegExp(String.raw`//[^\n]*|#(?!\[)[^\n]*|/\*[^]*?(?:\*/|$)|${quoted}|${single}`, 'g'),
  python: new RegExp(String.raw`#[^\n]*|"""[^]*?(?:"""|$)|'''[^]*?(?:'''|$)|${quoted}|${single}`, 'g'),
  ruby: new RegExp(
    String.raw`#(?!\{)[^\n]*|${quoted}|${single}|(?<![:\w]):[A-Za-z_]\w*|%[iIwW][\[({<][^\])}>]{0,2000}`,
    'g',
  ),
  none: new RegExp(`${quoted}|${single}`, 'g'),
};

/** A name, or a path of names: `app.tasks:send`, `App\\Jobs\\Send`, `Posts#index`. */
const nameLike = /^[A-Za-z_]\w*(?:(?:\.|::?|\\{1,2}|#|@|->)[A-Za-z_]\w*)*(?:\(\))?$/;
const longestName = 300;

/** The words of texts that are names. */
function* namesIn(text: string, tokens: RegExp): Iterable<string> {
  for (const [token] of text.matchAll(tokens)) {
    if (token.length > longestName && !token.startsWith('%')) continue;
    const content = /^["']/.test(token) ? token.slice(1, -1) : token.startsWith(':') ? token.slice(1) : '';
    if (token.startsWith('%')) yield* token.slice(3).split(/\s+/);
    else if (nameLike.test(content)) yield* content.split(/\W+/);
  }
}

const bySlashes: ReadTexts = text => ({ words: namesIn(text, lexed.slashes) });

const readers: Readonly<Record<string, ReadTexts>> = {
  ...{ java: bySlashes, kotlin: bySlashes, csharp: bySlashes },
  ...{ c: ofMacros, cpp: ofMacros },
  php: text => ({ words: namesIn(text, lexed.php) }),
  ruby: text => ({ words: namesIn(text, lexed.ruby) }),
  python: ofPython,
  /** Elsewhere than in attributes nothing finds code of Rust by a text. */
  rust: text => ({ words: namesIn(text.match(/#!?\[[^\]]{0,2000}\]/g)?.join('\n') ?? '', lexed.slashes) }),
  configuration: (text, path) => ({ words: ofC.test(path) ? (text.match(word) ?? []) : namesIn(text, lexed.none) }),
};

const word = /[A-Za-z_]\w*/g;

function ofPython(text: string): Texts {
  const spoken = text.replace(listing, '').replace(ownName, '');
  const builds = /__init_subclass__\b|\bmetaclass\s*=\s*(?!(?:abc\.)?ABCMeta\b)/.test(text);
  return {
    words: namesIn(spoken, lexed.python),
    isLookedInto: ownModule.test(text),
    heirs: /\b__subclasses__\s*\(/.test(text) ? 'all' : builds ? 'own' : 'none',
  };
}

/** What a module exports, it says. */
const listing = /\b__all__\s*(?::[^=\n]{0,100})?\+?=\s*[[(][^\])]*(?:[\])]|$)/g;
/** `T = TypeVar("T")`: the name of a thing that is told its name. */
const ownName = /^[ \t]*(\w{1,100})[ \t]*=[ \t]*[\w.]{0,100}\(?[ \t]*["']\1["']/gm;
/** Code that looks for what its module defines by names that it puts together. */
const ownModule =
  /\bglobals\(\)(?!\s*\[\s*["']\w+["']\s*\])|\bvars\(\)|\bsys\.modules\[\s*__name__\s*\]|\bimport_module\(\s*__name__\s*\)/;

/** What macros name, which leaves no references, and what they put together of names (`cmd_##name`), besides texts. */
function ofMacros(text: string): Texts {
  const affixes: string[] = [];
  const words = new Set(namesIn(text, lexed.slashes));
  for (const { 1: parameters = '', 2: body = '' } of text.matchAll(macro)) {
    for (const [name] of body.matchAll(word)) words.add(name);
    if (!body.includes('##')) continue;
    const taken = new Set(parameters.split(',').map(one => one.trim()));
    for (const [chain] of body.matchAll(pasted)) {
      const parts = chain.split(/\s*##\s*/);
      const first = parts.findIndex(part => isTaken(part, taken));
      const last = parts.findLastIndex(part => isTaken(part, taken));
      const [prefix, suffix] = [parts.slice(0, Math.max(0, first)).join(''), parts.slice(last + 1).join('')];
      if (first >= 0 && prefix.length + suffix.length >= leastAffix) affixes.push(`${prefix}\0${suffix}`);
    }
  }
  return { words, affixes };
}

function isTaken(part: string, taken: ReadonlySet<string>): boolean {
  return taken.has(part) || part === '__VA_ARGS__';
}

const macro = /^[ \t]*#[ \t]*define[ \t]+\w+(?:\(([^)\n]{0,1000})\))?((?:[^\\\n]|\\[\s\S])*)/gm;
const pasted = /\w+(?:\s{0,20}##\s{0,20}\w+)+/g;
const leastAffix = 3;
