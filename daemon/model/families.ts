/** Languages whose definitions name one another, and which an indexer reads together; dialects of them as well. */
export function familyOf(language: string): string {
  switch (language) {
    case 'typescript':
    case 'tsx':
    case 'javascript':
    case 'jsx':
    case 'vue':
    case 'svelte':
    case 'astro':
    case 'mdx':
      return 'ecmascript';
    case 'c':
    case 'cpp':
    case 'header':
    case 'cpp-header':
      return 'c';
    case 'java':
    case 'kotlin':
      return 'jvm';
    default:
      return language;
  }
}

const code: ReadonlySet<string> = new Set('ecmascript c jvm python go rust dart ruby csharp php'.split(' '));

/** Whether a dialect is a programming language's; the others are those of configuration. */
export function isCode(dialect: string): boolean {
  return code.has(familyOf(dialect));
}

/** The language that files of a dialect count under; of a header without facts, which may be of either, C. */
export function languageOf(dialect: string): string {
  switch (dialect) {
    case 'tsx':
    case 'vue':
    case 'svelte':
    case 'astro':
    case 'mdx':
      return 'typescript';
    case 'header':
      return 'c';
    case 'cpp-header':
      return 'cpp';
    default:
      return dialect;
  }
}

/** Languages whose files may hold test code between other code, and mark it: see `DocumentFacts.tests`. */
export const marksTests: ReadonlySet<string> = new Set(['rust']);
