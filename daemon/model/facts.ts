import type { SymbolKind, Visibility } from './symbol.ts';

/**
 * All that one file contributes to the index: a pure function of its bytes, its dialect and the extractor's version.
 * Holds no path, id or repository: the same bytes at two paths share one value.
 *
 * What a reference means is not decided here. The extractor settles what the file alone can settle (scopes, locals,
 * imports) and writes the rest down as an expression; `link/` evaluates the expressions against other files.
 */
export interface DocumentFacts {
  readonly language: string;
  readonly lineCount: number;
  /** Package or namespace clause (Go, Java, Kotlin, C#, PHP), '' where the language has none. */
  readonly packageName: string;
  /** It is a package by itself, whatever lies beside it: a program of Go that is run by its file's name. */
  readonly standalone: boolean;
  /** Sites of definitions; the index is the slot. The same tail twice is one symbol with several sites. */
  readonly definitions: readonly DefinitionFact[];
  readonly imports: readonly ImportFact[];
  readonly exports: readonly ExportFact[];
  readonly expressions: readonly Expression[];
  readonly references: readonly ReferenceFact[];
  /** Of each function with a body, in the order in which they begin; empty where the language is not measured. */
  readonly complexity: readonly FunctionComplexity[];
  /** Test code between other code, as `#[cfg(test)]` marks it in Rust: ascending, none within another. */
  readonly tests: readonly TestLines[];
  /**
   * Canonical JSON of what a configuration file (tsconfig, package.json, go.mod, pyproject, csproj …) says: what linking
   * needs at the top, what the module model needs besides under `project`. Of source code `project` alone, where it says
   * how something is built or run (setup.py, build.gradle.kts, a gemspec); else ''.
   */
  readonly configuration: string;
  /** The file's text is broken at these many places; its facts may be incomplete. */
  readonly parseErrors: number;
}

/** What a document has in its tables that defines and uses nothing. */
export const emptyTables = {
  definitions: [],
  imports: [],
  exports: [],
  expressions: [],
  references: [],
  complexity: [],
  tests: [],
} as const satisfies Partial<DocumentFacts>;

/** Lines 0-based, the last one included. */
export interface TestLines {
  readonly startLine: number;
  readonly endLine: number;
  /** A runner of tests runs some of it; else it helps others. */
  readonly isRun: boolean;
}

/** How complex a function is: see `extract/complexity/table.ts`. Lines 0-based, the last one included. */
export interface FunctionComplexity {
  readonly name: string;
  /** The types that it is a member of, the innermost last: `A.B`; '' of none. */
  readonly container: string;
  readonly line: number;
  readonly endLine: number;
  readonly cyclomatic: number;
  readonly cognitive: number;
  readonly parameters: number;
  /** Calls of the function inside itself. */
  readonly recursion: number;
  /** What it adds to cognitive complexity is a part, too, of that of a function around it. */
  readonly countsAround: boolean;
}

/** Lines and columns 0-based, columns in UTF-16 code units, the end exclusive. */
export interface Range {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
}

/**
 * Under which condition of C's preprocessor a definition stands, as far as every build knows: under none that matters, under
 * one that can't hold (`#if 0`), or under one that holds on other platforms and with other compilers than the common ones.
 */
export const conditions = ['', 'never', 'elsewhere'] as const;
export type Condition = (typeof conditions)[number];

export interface DefinitionFact {
  readonly name: string;
  /** SCIP descriptors from the file's scope down, e.g. `Server#close().`. */
  readonly tail: string;
  readonly kind: SymbolKind;
  /** Slot of the enclosing definition, -1 at the top. */
  readonly container: number;
  readonly nameRange: Range;
  readonly range: Range;
  readonly signature: string;
  readonly documentation: string;
  readonly visibility: Visibility;
  /**
   * Code outside its module (its package, where the language hides by packages) may name it: no keyword and no rule of
   * the language for names makes it private, protected or internal, no function and no anonymous class declares it, and
   * what it stands in is exported too. The same in every language.
   */
  readonly exported: boolean;
  readonly hasBody: boolean;
  readonly condition: Condition;
  /** The value that the thing has (declared or evident, of a variable, field or property) or that calling it gives (a function or method), or -1. */
  readonly type: number;
  /** What a class extends, implements or embeds; of a function what its parameters take, in their order, one that may be left out `otherwise` `unknown`; of an attribute without declared type what each base has under its name, or `unknown`. */
  readonly supers: readonly number[];
}

export interface ImportFact {
  /**
   * As written: `./a`, `react`, `.pkg.mod`, `fmt`, `stdio.h`; in C# behind the namespace that it stands in, if any:
   * `N/|A.B`; for a declaration of Rust that a file is a module `mod name`, `mod outer/name` in one that is written out,
   * `mod =path`.
   */
  readonly specifier: string;
  /** The imported name; `default`; `*` for the whole module; `` for an import that binds nothing. */
  readonly name: string;
  readonly local: string;
  /** Binds every exported name (`from x import *`, Go's dot import, `#include`, `use a::*`, `import a.b.*`). */
  readonly wildcard: boolean;
  readonly typeOnly: boolean;
  /**
   * Of an import of a whole module: code hands the module on as a value or looks into it by names that it computes, so
   * that what it uses of it can't be seen. Of what is imported by its name as well, in languages in which that may be a
   * module: Python, and TypeScript by `export * as`.
   */
  readonly escapes: boolean;
  /** Whoever sees the file's module takes what is imported from it: `pub use` of Rust. Other languages say so by exports. */
  readonly exported: boolean;
  readonly line: number;
}

/**
 * A name that the file exports, and what it stands for; `name` is `*` for `export * from`, where `of` denotes the module,
 * and for each `global using` of C#, where it is the import.
 */
export interface ExportFact {
  readonly name: string;
  readonly of: number;
}

/**
 * What a piece of code denotes, as far as this file tells. Operands are indexes into `expressions` unless said otherwise.
 *
 * - `slot`: the definition at that slot
 * - `import`: what the import at that index binds
 * - `free`: a name that no scope of this file binds
 * - `member`: member `name` of what `of` denotes (module export, static or instance member, namespace member)
 * - `call`: the value that calling `of` gives
 * - `instance`: a value whose declared type or class is `of` (`new X()`, `x: X`)
 * - `element`: what iterating, indexing or awaiting-for `of` gives
 * - `awaited`: what awaiting `of` gives
 * - `super`: the base type of the class at that slot
 * - `generic`: the type `of` applied to one type argument; applied again for the next (`Map<K, V>`), `T[]` is `Array` of T
 * - `either`: one of two values (a union type, a conditional, several returns)
 * - `otherwise`: the first of two that is known (a name looked for in one place after another)
 * - `function`: something whose call gives `of` (an arrow function, a function type)
 * - `parameter`: what the parameter at that position takes, of the function that `of` denotes; a function type gives its
 *   parameters as type arguments (`generic`) of its `function`
 * - `argument`: the type argument at that position of the definition at that slot, where something applies it; each class
 *   has two more, which a call of its method gives: what it is called on (`return this`), and an instance of that
 * - `overload`: of the functions of one name that `of` denotes, the one that such arguments fit; -1 stands for an argument
 *   of which nothing is known
 * - `unknown`: nothing can be said; only the reference's name remains
 */
export type Expression =
  | { readonly op: 'slot'; readonly slot: number }
  | { readonly op: 'import'; readonly import: number }
  | { readonly op: 'free'; readonly name: string }
  | { readonly op: 'member'; readonly of: number; readonly name: string }
  | { readonly op: 'call'; readonly of: number }
  | { readonly op: 'instance'; readonly of: number }
  | { readonly op: 'element'; readonly of: number }
  | { readonly op: 'awaited'; readonly of: number }
  | { readonly op: 'super'; readonly slot: number }
  | { readonly op: 'generic'; readonly of: number; readonly argument: number }
  | { readonly op: 'either'; readonly of: number; readonly other: number }
  | { readonly op: 'otherwise'; readonly of: number; readonly other: number }
  | { readonly op: 'function'; readonly of: number }
  | { readonly op: 'parameter'; readonly of: number; readonly position: number }
  | { readonly op: 'argument'; readonly slot: number; readonly position: number }
  | { readonly op: 'overload'; readonly of: number; readonly arguments: readonly number[] }
  | { readonly op: 'unknown' };

/** Positions of the type arguments that a class has without declaring them. */
export const receiverPosition = 254;
export const ofReceiverPosition = 255;
/** As the position of a parameter: the last one, whichever that is. */
export const lastPosition = 253;
/** As the position of a parameter: what the first argument is where the function says yes, as a type guard does. */
export const guardPosition = 252;
/** As the position of a parameter: the object whose properties a generated function takes by their names. */
export const copiedPosition = 251;
/** As the position of a parameter: the type of what is held there, of a list of arguments that of each; none where it may be several. */
export const typePosition = 250;

export type ReferenceKind = 'call' | 'read' | 'write' | 'import' | 'type' | 'implementation' | 'reference';

/**
 * One occurrence that is no definition. Uses of locals and parameters are settled in the file and leave no reference.
 * `new X()` is a call of the class, whether or not it declares a constructor: SCIP says so, and a class gains and loses
 * constructors without its users changing. So is the word by which a constructor calls another, of its own class or of the
 * one above. Uses of a constructor are the calls of its class.
 */
export interface ReferenceFact {
  readonly name: string;
  readonly kind: ReferenceKind;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  /** Slot of the innermost enclosing definition, -1 at the top. */
  readonly enclosing: number;
  /** What it denotes: index into `expressions`. */
  readonly expression: number;
}
