import { cResolver } from './c/c.ts';
import { csharpResolver } from './csharp/csharp.ts';
import { dartResolver } from './dart/dart.ts';
import { goResolver } from './go/go.ts';
import { javaResolver, kotlinResolver } from './jvm/jvm.ts';
import { phpResolver } from './php/php.ts';
import { pythonResolver } from './python/python.ts';
import type { Resolver } from './resolver.ts';
import { rubyResolver } from './ruby/ruby.ts';
import { rustResolver } from './rust/rust.ts';
import { typescriptResolver } from './typescript/typescript.ts';

/** The rules for a language, by `DocumentFacts.language`. Languages without rules of their own link inside the file and the scope only. */
export function resolverFor(language: string): Resolver {
  return resolvers[language] ?? generic;
}

/** Whether all that a type of the language has is found: without rules of its own, extensions and mixins are not. */
export function knowsMembers(language: string): boolean {
  return resolvers[language] !== undefined;
}

/** Whether one name in one place may be several things, which their uses tell apart. */
export function knowsOverloads(language: string): boolean {
  return overloaded.has(language);
}

const overloaded: ReadonlySet<string> = new Set(['c', 'cpp', 'java', 'kotlin', 'rust']);

/** Whether functions of one name in one place are each a symbol of its own: their tails have the types that they take. */
export function overloadsFunctions(language: string): boolean {
  return tellsFunctions.has(language);
}

const tellsFunctions: ReadonlySet<string> = new Set(['cpp', 'java', 'kotlin', 'csharp']);

const generic: Resolver = { module: () => undefined };

const resolvers: Readonly<Record<string, Resolver>> = {
  c: cResolver,
  cpp: cResolver,
  csharp: csharpResolver,
  dart: dartResolver,
  go: goResolver,
  java: javaResolver,
  javascript: typescriptResolver,
  kotlin: kotlinResolver,
  php: phpResolver,
  python: pythonResolver,
  ruby: rubyResolver,
  rust: rustResolver,
  typescript: typescriptResolver,
};
