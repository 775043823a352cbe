import type { Places } from '../resolver.ts';

const extensions = ['.ts', '.tsx', '.d.ts', '.js', '.jsx', '.mts', '.cts', '.mjs', '.cjs', '.vue'];
/** What stands in the sources for what the build will write. */
const sourcesOf: Readonly<Record<string, readonly string[]>> = {
  js: ['.ts', '.tsx', '.d.ts', '.js'],
  jsx: ['.tsx', '.jsx'],
  mjs: ['.mts', '.d.mts', '.mjs'],
  cjs: ['.cts', '.d.cts', '.cjs'],
};

/** The file that a module path without or with an extension means: itself, with an extension added or mapped, or a folder's index. */
export function moduleFile(ask: Pick<Places, 'exists'>, path: string): string | undefined {
  const [, stem = '', extension = ''] = /^(.*)\.([cm]?jsx?)$/.exec(path) ?? [];
  for (const one of sourcesOf[extension] ?? []) if (ask.exists(stem + one)) return stem + one;
  if (/\.(?:[cm]?tsx?|json|vue|svelte|astro|mdx|css)$/.test(path) && ask.exists(path)) return path;
  for (const one of extensions) if (path !== '' && ask.exists(path + one)) return path + one;
  const folder = path === '' ? '' : `${path}/`;
  for (const one of extensions.slice(0, 5)) if (ask.exists(`${folder}index${one}`)) return `${folder}index${one}`;
  // A text, a picture: what loads it is the bundler's matter.
  return /\.\w+$/.test(path) && ask.exists(path) ? path : undefined;
}
