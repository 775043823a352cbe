import { isGenerated } from '../../model/foreign.ts';
import type { GraphDocument } from '../../model/graph.ts';
import type { Finder } from '../../model/wiring.ts';
import { isAside } from '../beside.ts';
import type { Audience } from './audience.ts';
import { exportsByName } from './reach.ts';

/** Why a claim that nothing reaches a symbol may be wrong, and what it can be worth then. */
export interface Doubt {
  /** 0 to 1: the most that the claim may be. */
  readonly cap: number;
  readonly because: string;
}

/**
 * What links of a language miss at best, as the most that a claim about it may be worth: modules of ECMAScript name all that
 * they take; elsewhere names come in by reflection, templates, macros and by what the text doesn't tell.
 */
const ceilings: Readonly<Record<string, number>> = {
  typescript: 0.95,
  javascript: 0.9,
  go: 0.95,
  rust: 0.9,
  java: 0.85,
  kotlin: 0.85,
  csharp: 0.85,
  dart: 0.9,
  python: 0.85,
  php: 0.8,
  c: 0.85,
  cpp: 0.8,
  ruby: 0.7,
};

export function ceilingOf(language: string): number {
  return ceilings[language] ?? 0.7;
}

/** What is known of a symbol that a claim is about, beside its uses. */
export interface Circumstances {
  readonly graph: GraphDocument;
  readonly name: string;
  /** Its file is loaded. */
  readonly isLoaded: boolean;
  /** Uses of its name that nothing settles, outside tests; in files that import by name the imports of it that lead nowhere. */
  readonly openUses: number;
  readonly finder: Finder | undefined;
  readonly audience: Audience;
  /** What others may take of a package by ways that are no promise uses it. */
  readonly servesOffered: boolean;
  /** The claim rests on files that nothing loads: its own, or all that use it. */
  readonly hangsOnLoading: boolean;
  /** Something else of that name is reached. */
  readonly hasReachedNamesake: boolean;
  /** It extends others' types, and something of a name that they have by it is called on a value. */
  readonly isCalledOnOthers: boolean;
  /** The language calls it, or what values of other types have by it, without a word. */
  readonly isCalledUnnamed: boolean;
  /** Its name stands in a text, a page or a setting, or that of something that values of other types have by it. */
  readonly isSpoken: boolean;
  /** Macros put names together that begin and end as its does. */
  readonly isPasted: boolean;
  /** Code of its file looks for what that defines by names that it puts together. */
  readonly isLookedInto: boolean;
  /** It is built from a class that finds its heirs. */
  readonly isHeir: boolean;
  /** It is one of C's macros, which tell headers and compilers things. */
  readonly isMacro: boolean;
  /** Files that nobody reads are part of others by `#include`, and may use it. */
  readonly includesUnread: boolean;
  /** What it extends or implements of somebody else's, who may look for that; '' for nothing. */
  readonly foreignBase: string;
  /** What files of its package are written in that import code and aren't read (`.vue`). */
  readonly unread: readonly string[];
}

export function doubtsOf(about: Circumstances): readonly Doubt[] {
  const { graph, name, isLoaded, openUses, finder, audience, hangsOnLoading } = about;
  const { language, path } = graph;
  const byName = exportsByName.has(language);
  const unread = byName ? about.unread.filter(extension => extension !== '.mdx' || hangsOnLoading) : [];
  const doubts: (Doubt | false)[] = [
    audience === 'unknown' && !(byName && isLoaded) && { cap: 0.5, because: 'no entrypoint of its package is known' },
    audience === 'somebody' && { cap: 0.6, because: 'users of the package may import it' },
    audience === 'nobody' && about.servesOffered && { cap: 0.6, because: 'what users of a package may import uses it' },
    graph.isPartial && { cap: 0.6, because: 'its file could be read in part only' },
    openUses > 0 && { cap: byName ? 0.6 : 0.7, because: openUsesText(byName, openUses) },
    about.hasReachedNamesake &&
      overloadsByText.has(language) && {
        cap: 0.6,
        because: 'another definition of that name is reached, perhaps that of another platform',
      },
    about.isCalledOnOthers && { cap: 0.6, because: 'something of that name is called on a value of another type' },
    about.isSpoken && {
      cap: 0.6,
      because: `its name stands in a text${isOfC(graph) ? ' or a macro' : ''}, by which it may be found`,
    },
    about.isPasted && { cap: 0.6, because: 'macros may put its name together' },
    about.isLookedInto && { cap: 0.6, because: 'its file looks for what it has by names that it puts together' },
    about.isHeir && { cap: 0.6, because: 'what it is built from finds its heirs' },
    about.includesUnread && { cap: 0.6, because: 'files that are included and not read may use it' },
    isGenerated(path) && { cap: 0.6, because: 'a program wrote it' },
    about.isMacro && { cap: 0.6, because: 'macros are used by others as well' },
    isLoadedByName(language, name) && { cap: 0.5, because: 'what loads it knows it by its name' },
    finder !== undefined && doubtOf(finder, isOfC(graph)),
    about.isCalledUnnamed && { cap: 0.6, because: 'the language calls it unnamed' },
    about.foreignBase !== '' && { cap: 0.6, because: `whoever looks for each ${about.foreignBase} finds it` },
    !isLoaded && loadsByName.has(language) && { cap: 0.6, because: 'its file may be loaded by a name in a text' },
    isAside(path) && (hangsOnLoading || !byName) && { cap: 0.6, because: 'what is beside the product is run by hand' },
    unread.length > 0 && { cap: 0.6, because: `files that are not read (${unread.join(', ')}) may import it` },
  ];
  return doubts.filter(one => one !== false);
}

function doubtOf(finder: Finder, isOfC: boolean): Doubt {
  switch (finder.kind) {
    case 'mark':
      return { cap: 0.5, because: `${finder.text} may have it ${isOfC ? 'called by others' : 'found by a framework'}` };
    case 'sign':
      return { cap: 0.6, because: 'signs call it unnamed' };
    case 'specialisation':
      return { cap: 0.6, because: 'compilers find it by what it is for' };
  }
}

/** Languages in which a definition may stand for another of its name: by platform, or because a type can be written in several ways. */
export const overloadsByText: ReadonlySet<string> = new Set(['c', 'cpp', 'dart', 'kotlin', 'rust']);

/** Languages whose files are loaded one by one, by imports. */
export const loadsFiles: ReadonlySet<string> = new Set([
  ...['typescript', 'javascript', 'python', 'ruby', 'php', 'go', 'dart'],
]);

/** Languages whose programs load files by names that they put together. */
const loadsByName: ReadonlySet<string> = new Set(['python', 'ruby', 'php']);

/** Functions that interpreters, fuzzers, serde and the like look for in what they load; and macros that stand like a function. */
const loadedNames: Readonly<Record<string, RegExp>> = {
  c: either(
    'LLVMFuzzer\\w+ PyInit_\\w+ Init_\\w+ Java_\\w+ JNI_On(?:Un)?[Ll]oad luaopen_\\w+ RedisModule_On\\w+ napi_register\\w*',
    'sqlite3_\\w*init DllMain w?WinMain _?start \\w+_(?:IRQ)?Handler __(?:wrap|real)_\\w+ [A-Z][A-Z\\d_]*_[A-Z\\d_]+',
    // What a library of the system has is called by others of its parts as well, whoever defines it.
    'malloc calloc realloc free aligned_alloc posix_memalign memalign reallocarray recallocarray freezero explicit_bzero bzero',
    'mem(?:cpy|move|set|cmp|chr|rchr|mem) str(?:dup|ndup|nlen|lcpy|lcat|sep|tonum|casestr|chrnul) getopt(?:_long(?:_only)?)?',
    // Names that the standard keeps for it.
    '(?:str|mem|wcs)[a-z]{1,9}',
    'getline getdelim v?[fs]?n?printf v?asprintf v?snprintf _(?:sbrk|write|read|close|fstat|isatty|lseek|kill|getpid|exit) abort exit',
  ),
  rust: /^(?:PyInit_\w+|Java_\w+|LLVMFuzzer\w+|_start|serialize|deserialize)$/,
};

function either(...words: readonly string[]): RegExp {
  return new RegExp(`^(?:${words.join(' ').replaceAll(' ', '|')})$`);
}

function isLoadedByName(language: string, name: string): boolean {
  return loadedNames[language === 'cpp' ? 'c' : language]?.test(name) === true;
}

/** Whether the language or what a template makes calls what has that name where nobody writes it. */
export function isCalledUnnamed(language: string, name: string): boolean {
  return Object.hasOwn(calledUnnamed, language) && calledUnnamed[language]!.test(name);
}

/**
 * What C++ finds by the types of its arguments or at the end of a block, and where templates and loops want it; what loops,
 * patterns, initialisers, `await`, `using`, `fixed` and queries of C# do.
 */
const ofCpp = /^(?:operator\b|~|AbslHashValue$|AbslStringify$|swap$|begin$|end$|to_json$|from_json$|PrintTo$)/;
const calledUnnamed: Readonly<Record<string, RegExp>> = {
  c: ofCpp,
  cpp: ofCpp,
  csharp:
    /^(?:Get(?:Async)?Enumerator|GetAwaiter|Deconstruct|Dispose(?:Async)?|Add|GetPinnableReference|Select(?:Many)?|Where|OrderBy(?:Descending)?|ThenBy(?:Descending)?|GroupBy|(?:Group)?Join|Cast)$/,
};

export function isOfC({ language }: GraphDocument): boolean {
  return language === 'c' || language === 'cpp';
}

function openUsesText(byName: boolean, openUses: number): string {
  const uses = openUses === 1 ? '1 use' : `${openUses} uses`;
  return byName ? `imports of that name lead nowhere (${openUses})` : `${uses} of that name lead nowhere`;
}
