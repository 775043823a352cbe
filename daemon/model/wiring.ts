import type { GraphDocument } from './graph.ts';

/** What a document's imports and exports say beside where they lead and what its code uses, which its part of the graph tells. */
export interface WiredDocument {
  readonly graph: GraphDocument;
  /** In the order of the graph's. */
  readonly imports: readonly WiredImport[];
  /** Index of the definition that each stands in or is a member of, `atTop` for none. */
  readonly owners: Int32Array;
  readonly exports: readonly WiredExport[];
  /** Names that code takes out of imported modules beside what its uses tell. */
  readonly takes: readonly { readonly import: number; readonly name: string }[];
  /** Uses (indexes of the graph's columns) that do no more than hand a symbol on to whoever imports this file. */
  readonly handedOn: ReadonlySet<number>;
  /** Uses by which code may hand on what it names as a value, in languages in which that may be a name for a module (`export * as`). */
  readonly handsOver: ReadonlySet<number>;
  /** Definitions (indexes) that the language runs by itself where their file is loaded: `init` of Go. */
  readonly selfRun: readonly number[];
  /**
   * Definitions that run where a program begins with the file, beside the code at its top: `main`. Undefined where nothing
   * tells: then any of them may.
   */
  readonly starts: readonly number[] | undefined;
  /** Definitions that are tests though their file is none: what Rust compiles for tests alone. */
  readonly tests: ReadonlySet<number>;
  /** Definitions that stand like exports and are none: members of types that stand by themselves, names that the language has for modules. */
  readonly unlisted: ReadonlySet<number>;
  /** Of extensions and traits, which nobody need name to use them, the definitions that values of other types have by them. */
  readonly extending: ReadonlyMap<number, readonly number[]>;
  /** Words (`wordHash`) that code uses as members of something, in languages that have extensions; each once. */
  readonly memberWords: Uint32Array;
}

export interface WiredImport {
  /** The imported name, `*` for the whole, '' for nothing. */
  readonly name: string;
  readonly escapes: boolean;
  /** By its spelling it names something of the repository, and leads nowhere. */
  readonly isMissing: boolean;
}

/** A name that the file exports: a definition of its own (index of the graph's columns), or what an import binds; -1 for none. */
export interface WiredExport {
  /** `*`: all that the import's file exports. */
  readonly name: string;
  readonly definition: number;
  readonly import: number;
}

/** What has a definition found otherwise than by its name. */
export type Finder =
  /** A decorator, an annotation or an attribute, as written. */
  | { readonly kind: 'mark'; readonly text: string }
  /** A sign of the language stands for it: `operator fun plus`. */
  | { readonly kind: 'sign' }
  /** It is a template's for some arguments, and found by them. */
  | { readonly kind: 'specialisation' };

/** Names by which a document's code or settings may have something found that no reference leads to. */
export interface SpokenNames {
  /** Names that a text is, or is a path of, and those of types in pages and settings (`spokenWord`); each once. */
  readonly words: Uint32Array;
  /** What names begin and end with that macros put together, a zero between. */
  readonly affixes: readonly string[];
  /** Code looks for what its own module defines by names that it puts together. */
  readonly isLookedInto: boolean;
  /** Who asks which classes are built from others: classes of the file about their own, or code about any. */
  readonly heirs: 'none' | 'own' | 'all';
}
