import { dialectOf, namesFilesAlone } from '../dialect.ts';

/** A document's language as facts name it: what the path says, else what the indexer says, `other` where neither does. */
export function languageOfScip(told: string, path: string): string {
  const dialect = dialectOf(path);
  if (namesFilesAlone(dialect)) return 'configuration';
  if (dialect !== '')
    return ofDialect[dialect] ?? (/[.]/.test(dialect) || dialect === 'tsconfig' ? 'configuration' : dialect);
  const name = told.toLowerCase();
  return names[name] ?? (/^[a-z0-9+#_-]{1,64}$/.test(name) ? name : 'other');
}

const ofDialect: Readonly<Record<string, string>> = {
  ...{ tsx: 'typescript', vue: 'typescript', svelte: 'typescript', astro: 'typescript', mdx: 'typescript' },
  ...{ header: 'c', 'cpp-header': 'cpp' },
};

const names: Readonly<Record<string, string>> = {
  typescriptreact: 'typescript',
  javascriptreact: 'javascript',
  'c++': 'cpp',
  'c#': 'csharp',
};
