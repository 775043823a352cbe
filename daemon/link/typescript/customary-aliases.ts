import { directoryOf, join } from '../../model/paths.ts';
import { first } from '../options.ts';
import type { Places } from '../resolver.ts';
import { byCustom, type Source } from './built-output.ts';
import { moduleFile } from './module-file.ts';

interface Alias {
  readonly prefix: string;
  /** Its configuration lies in the folder that the alias is about. */
  readonly tool: string;
  /** Below that folder, the first that has the module. */
  readonly folders: readonly string[];
}

/** What tools put into a configuration that they write themselves and nobody checks in, or that new projects begin with. */
const aliases: readonly Alias[] = [
  { prefix: '@site/', tool: 'docusaurus', folders: [''] },
  { prefix: '$lib/', tool: 'svelte', folders: ['src/lib'] },
  { prefix: '$lib', tool: 'svelte', folders: ['src/lib'] },
  ...['~/', '@/'].map(prefix => ({ prefix, tool: 'nuxt', folders: ['app', 'src', ''] })),
  ...['~~/', '@@/'].map(prefix => ({ prefix, tool: 'nuxt', folders: [''] })),
  ...['vite', 'vue', 'webpack'].map(tool => ({ prefix: '@/', tool, folders: ['src'] })),
];

/** The file that a module is by a custom of the tool whose configuration lies above. */
export function customaryAlias(ask: Places, directory: string, specifier: string): Source | undefined {
  const fitting = aliases.filter(
    ({ prefix }) => specifier === prefix || (prefix.endsWith('/') && specifier.startsWith(prefix)),
  );
  if (fitting.length === 0) return undefined;
  for (let at = directory; ; at = directoryOf(at)) {
    for (const { prefix, tool, folders } of fitting) {
      const isThere = ['ts', 'js', 'mjs', 'mts', 'cjs'].some(one => ask.exists(join(at, `${tool}.config.${one}`)!));
      const found = isThere
        ? first(folders, folder => moduleFile(ask, join(at, `${folder}/${specifier.slice(prefix.length)}`)!))
        : undefined;
      if (found !== undefined) return { path: found, confidence: byCustom };
    }
    if (at === '') return undefined;
  }
}
