import type { Language } from './language.ts';

/** Grammars load when the first file of their language comes: an extract worker holds only what its repository needs.
 * A new language is a folder under `languages/` and a line here; its dialects are in `dialect.ts`. */
export function languageFor(dialect: string, source: string): Promise<Language> | undefined {
  return Object.hasOwn(languages, dialect) ? languages[dialect]!(source) : undefined;
}

const languages: Readonly<Record<string, (source: string) => Promise<Language>>> = {
  typescript: async () => (await import('./languages/typescript/typescript.ts')).typescript,
  tsx: async () => (await import('./languages/typescript/typescript.ts')).tsx,
  javascript: async () => (await import('./languages/typescript/typescript.ts')).javascript,
  vue: async source => (await import('./languages/typescript/typescript.ts')).componentIn('vue', source),
  svelte: async source => (await import('./languages/typescript/typescript.ts')).componentIn('svelte', source),
  astro: async source => (await import('./languages/typescript/typescript.ts')).componentIn('astro', source),
  mdx: async source => (await import('./languages/typescript/typescript.ts')).componentIn('mdx', source),
  python: async () => (await import('./languages/python/python.ts')).python,
  go: async () => (await import('./languages/go/go.ts')).go,
  rust: async () => (await import('./languages/rust/rust.ts')).rust,
  java: async () => (await import('./languages/java/java.ts')).java,
  kotlin: async () => (await import('./languages/kotlin/kotlin.ts')).kotlin,
  c: async () => (await import('./languages/c/c.ts')).c,
  header: async source => {
    const { isCpp } = await import('./languages/c/header.ts');
    return (await import('./languages/c/c.ts'))[isCpp(source) ? 'cppHeader' : 'cHeader'];
  },
  'cpp-header': async () => (await import('./languages/c/c.ts')).cppHeader,
  cpp: async () => (await import('./languages/c/c.ts')).cpp,
  dart: async () => (await import('./languages/dart/dart.ts')).dart,
  ruby: async () => (await import('./languages/ruby/ruby.ts')).ruby,
  csharp: async () => (await import('./languages/csharp/csharp.ts')).csharp,
  php: async () => (await import('./languages/php/php.ts')).php,
};
