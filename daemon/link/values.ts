import type { MountedDocument, ScopeKey } from '../model/document.ts';

/** What an expression turns out to denote. */
export type Value =
  /** A definition of this repository, by identity; its sites primary first. */
  | {
      readonly kind: 'definition';
      readonly scope: ScopeKey;
      readonly tail: string;
      readonly sites: readonly Site[];
      /** What type parameters stand for where the definition was reached through an applied type. */
      readonly environment?: Environment;
      /** How sure it is that this is meant, where the language's rules know better than the expression's form. */
      readonly confidence?: number;
      /** What an extension is called on, its first argument: a value of which nothing need be known. */
      readonly on?: { readonly value: Value | undefined };
    }
  /** A type parameter, by the identity of what declares it. */
  | { readonly kind: 'variable'; readonly owner: string; readonly position: number }
  /** A file as a whole: what `import * as` binds; and how sure it is that it is this one, where that is a guess. */
  | { readonly kind: 'module'; readonly path: string; readonly confidence?: number }
  /** A scope of several files as a whole: a Go package; or what one of its files has of it. */
  | { readonly kind: 'scope'; readonly scope: ScopeKey; readonly path?: string }
  /** Something of a dependency, or of the language's own library; `name` is dotted, '' for the package itself. */
  | { readonly kind: 'external'; readonly manager: string; readonly package: string; readonly name: string }
  /** A value of a type. */
  | { readonly kind: 'instance'; readonly of: Value }
  /** A type applied to arguments; undefined where an argument is not known. */
  | { readonly kind: 'applied'; readonly of: Value; readonly arguments: readonly (Value | undefined)[] }
  /** Something whose call gives `of`; undefined where that is not known. */
  | { readonly kind: 'function'; readonly of: Value | undefined }
  /** One of several. */
  | { readonly kind: 'either'; readonly options: readonly Value[] }
  /** A method of the language's own library on a known receiver: `files.filter`. */
  | { readonly kind: 'method'; readonly receiver: Value; readonly name: string };

/** What a reference denotes that is none: another one at its place says how the name is used. */
export const ofOtherUse: Value = { kind: 'function', of: undefined };

/** Arguments of type parameters by the parameters' owner; `key` tells environments apart. */
export interface Environment {
  readonly key: string;
  readonly arguments: ReadonlyMap<string, readonly (Value | undefined)[]>;
}

export type DefinitionValue = Extract<Value, { kind: 'definition' }>;

export interface Site {
  readonly document: MountedDocument;
  readonly slot: number;
}
