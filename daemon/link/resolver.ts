import type { MountedDocument, ScopeKey } from '../model/document.ts';
import type { ImportFact, ReferenceFact } from '../model/facts.ts';
import type { RepoPath } from '../model/paths.ts';
import type { OverloadRules } from './overloads.ts';
import type { DefinitionValue, Value } from './values.ts';

/**
 * The rules of one language family for what no file can settle alone. Pure over `Questions`: whatever a resolver looks
 * at is recorded, so that the document is linked anew when it changes. One resolver per folder beside this file, registered
 * in `resolvers.ts`.
 */
export interface Resolver {
  /**
   * The module that an import names: `module` (a file of the repository), `scope` (several files), or `external`.
   * Undefined where nothing can be said. The evaluator takes the imported name from it (`import.name`, unless `*`): of a
   * file what it exports (a Python file exports all that it binds), of a scope its top-level definitions.
   */
  module(ask: Questions, from: MountedDocument, one: ImportFact): Value | undefined;
  /**
   * What the import at that place makes its file hang on, where that is not the module that it names (`module`); of several
   * options one in the repository counts, the first before others.
   */
  importTarget?(look: Lookup, from: MountedDocument, index: number): Value | undefined;
  /** A member of a file module that the file does not export itself: a submodule of a Python package. */
  submodule?(ask: Questions, path: string, name: string): Value | undefined;
  /** What a file's module, or the one that is written out in it at the place of that tail, has under a name, where the language has an order of its own. */
  inModule?(look: Lookup, path: string, place: string, name: string): Value | undefined;
  /** What a value has under a name for who names it in a file, where modules hide some of what they have from others. */
  seenFrom?(look: Lookup, from: MountedDocument, of: Value, name: string): Value | undefined;
  /** Whether it has nothing of that name, and all that it takes in is known. */
  lacksInModule?(look: Lookup, path: string, place: string, name: string): boolean;
  /** A name that two modules give wholesale (`export *`), each another, is nobody's; else the first module's. */
  readonly namesMayClash?: true;
  /** Files whose definitions at the top stand for everybody in that directory, the nearest first. */
  ambient?(ask: Questions, directory: string): readonly string[];
  /** A name that neither the file's scopes, nor its scope's other files, nor wildcard imports bind: what the language brings along. */
  free?(ask: Questions, from: MountedDocument, name: string): Value | undefined;
  /** All that a name without receiver may denote, where the language has an order of its own; nothing else is tried. */
  named?(look: Lookup, from: MountedDocument, name: string): Value | undefined;
  /** What the method is called on that such a name denotes. */
  receiver?(look: Lookup, name: string): Value | undefined;
  /** A member of a type or of a value of one, where the language has an order of its own; nothing else is tried. */
  member?(look: Lookup, of: Value, name: string): Value | undefined;
  /** What of that name others add to a value, whose type need not be known. */
  extension?(look: Lookup, from: MountedDocument, of: Value | undefined, name: string): Value | undefined;
  /** The same, of the methods that a call names; what is only read is no extension's. */
  extensionMethod?(look: Lookup, from: MountedDocument, of: Value | undefined, name: string): Value | undefined;
  /** What a reference may mean that nothing settles, by its name: with a confidence, and where no other would do as well. */
  guess?(look: Lookup, from: MountedDocument, reference: ReferenceFact): DefinitionValue | undefined;
  /** What a class has that neither it nor a base in the repository declares. */
  implied?(look: Lookup, of: DefinitionValue, name: string): Value | undefined;
  /** What `super` is of a class, where that is not what stands first among its bases. */
  extended?(look: Lookup, of: DefinitionValue): Value | undefined;
  /** Where constructors overload each other and each is a definition: under which name they stand in their class. */
  readonly constructors?: 'its name' | 'constructor';
  /**
   * The constructor that a call means, of those that are definitions, where a class has one besides that is none: what may
   * mean that belongs to the class.
   */
  constructed?(
    all: readonly DefinitionValue[],
    given: readonly (() => Value | undefined)[],
    rules: OverloadRules,
  ): DefinitionValue | undefined;
  /** The function that a call means, where the language's rules for that differ from those of `overloads.ts`. */
  overload?(of: Value, given: readonly (() => Value | undefined)[], rules: OverloadRules): Value;
  /** What a value leads to by `->` or `*`, of which such a member is asked: see `c/pointers.ts`. */
  pointed?(look: Lookup, of: Value, sign: string): Value | undefined;
}

/** What rules of a language's own may ask besides. */
export interface Lookup extends Questions {
  /** What the expression at `index` of the document's facts denotes. */
  evaluate(document: MountedDocument, index: number): Value | undefined;
  member(of: Value, name: string): Value | undefined;
  call(of: Value): Value | undefined;
  /** What a variable holds; anything else is itself. */
  held(of: Value | undefined): Value | undefined;
  /** What a name denotes in a document that binds it nowhere. */
  free(document: MountedDocument, name: string): Value | undefined;
  /** What a file exports under a name. */
  exported(path: string, name: string): Value | undefined;
  /** What an import of a document binds. */
  imported(document: MountedDocument, one: ImportFact): Value | undefined;
  /** Types directly above one. */
  basesOf(of: DefinitionValue): Iterable<Value>;
}

/** Where files lie, and what configuration says. */
export interface Places {
  exists(path: string): boolean;
  filesIn(directory: string): readonly string[];
  /** The content of a configuration file as its extraction wrote it down; undefined where there is none. */
  configuration(path: string): Readonly<Record<string, unknown>> | undefined;
  /** Documents that have that scope, such as the manifests of a package: see `Questions`. */
  documentsOf(scope: ScopeKey): readonly string[];
}

/** What a resolver may look at. Each call is one recorded question. */
export interface Questions extends Places {
  /** Files directly in a directory; changes whenever one comes or goes there. */
  filesIn(directory: string): readonly RepoPath[];
  /** Files of that name, whatever their directories. */
  filesNamed(name: string): readonly RepoPath[];
  /** What a document imports to hand all of it on. */
  wholesale(path: string): readonly ImportFact[];
  /** Files of C# at or below a directory that use something for all of their project, sorted: see `wholesale`. */
  globalsBelow(directory: string): readonly RepoPath[];
  /** What a document exports under a name, as expressions of its own. */
  exportsNamed(
    path: string,
    name: string,
  ): { readonly document: MountedDocument; readonly of: readonly number[] } | undefined;
  /**
   * Documents that have that scope. A package manifest has its package's name as scope: `npm:<name>`, `go:module:<path>`,
   * `cargo:<name>`, `pypi:<name>`; all projects of C# have `dotnet:project`.
   */
  documentsOf(scope: ScopeKey): readonly RepoPath[];
  /** The scopes that documents directly in a directory have, sorted, each once. */
  scopesIn(directory: string): readonly ScopeKey[];
  /** What a scope's documents define under a name, as code writes it, directly in a container (its tail; '' is the scope itself, `export` what they give all others). */
  definition(scope: ScopeKey, container: string, name: string): Value | undefined;
  /** Whether anything of a scope bears that name, wherever it stands; of scopes that `sharedNamesOf` looks through. */
  isNamed(scope: ScopeKey, name: string): boolean;
  /** Tails of the methods of such a scope that bear that name, sorted, each once; without those that are private to a file. */
  methodsNamed(scope: ScopeKey, name: string): readonly string[];
  /** Tails of what is built from something of that name in such a scope, sorted, each once. */
  heirsOf(scope: ScopeKey, name: string): readonly string[];
  /** What `find` finds, which may rest on nothing but the key and what it asks: looked for once, for all who ask for it. */
  once(key: string, find: () => Value | undefined): Value | undefined;
  /** The same of anything; the key tells what it is, too. */
  shared<T extends object>(key: string, find: () => T | undefined): T | undefined;
  /** The same of what asks where files lie and what configuration says, and looks at nothing else: linkers after this one know it as well. */
  onceOfPlaces(key: string, find: () => Value | undefined): Value | undefined;
}
