import { isCode } from '../../model/families.ts';
import type { EntryContext, Found } from './entry-context.ts';

interface Framework {
  readonly name: string;
  /** Any of these among the packages that are required means that it is used. */
  readonly requires: readonly string[];
  /** Of paths below the package, without extension: what the framework loads by itself. */
  readonly loads: RegExp;
}

const frameworks: readonly Framework[] = [
  {
    name: 'Next.js',
    requires: ['next'],
    loads:
      /^(?:src\/)?(?:pages\/.*|app\/(?:.*\/)?(?:page|layout|route|template|loading|error|global-error|not-found|default|sitemap|robots|manifest|icon|apple-icon|opengraph-image|twitter-image)|middleware|proxy|instrumentation|instrumentation-client)$/,
  },
  {
    name: 'Remix',
    requires: ['@remix-run/react', '@remix-run/node', '@remix-run/dev', '@react-router/dev'],
    loads: /^app\/(?:root|entry\.(?:client|server)|routes|routes\/.*)$/,
  },
  {
    name: 'SvelteKit',
    requires: ['@sveltejs/kit'],
    loads:
      /^src\/(?:routes\/(?:.*\/)?\+(?:page|layout|server|error)[^/]*|hooks(?:\.client|\.server)?|params\/[^/]*|service-worker)$/,
  },
  {
    name: 'Nuxt',
    requires: ['nuxt', 'nuxt3'],
    loads:
      /^(?:app\/)?(?:pages|layouts|middleware|plugins|server|composables|utils|modules)\/.*$|^(?:app\/)?app(?:\.config)?$/,
  },
  { name: 'Astro', requires: ['astro'], loads: /^src\/(?:pages\/.*|content\/config|content\.config|middleware)$/ },
  { name: 'Gatsby', requires: ['gatsby'], loads: /^(?:src\/(?:pages|api)\/.*|gatsby-(?:node|config|browser|ssr))$/ },
  {
    name: 'Docusaurus',
    requires: ['@docusaurus/core'],
    loads: /^(?:docusaurus\.config|sidebars|src\/(?:pages|theme)\/.*)$/,
  },
  { name: 'Expo Router', requires: ['expo-router'], loads: /^(?:src\/)?app\/.*$/ },
];

/** What frameworks that a package requires load by the places of files. */
export function* frameworkEntries(
  { tree }: EntryContext,
  directory: string,
  requires: ReadonlySet<string>,
): Iterable<Found> {
  const used = frameworks.filter(one => one.requires.some(name => requires.has(name)));
  if (used.length === 0) return;
  const start = directory === '' ? 0 : directory.length + 1;
  for (const { path, language, isTest } of tree.below(directory)) {
    if (isTest || !isCode(language)) continue;
    const inside = path.slice(start).replace(/\.[cm]?[jt]sx?$/, '');
    const framework = used.find(one => one.loads.test(inside));
    if (framework !== undefined) yield { path, name: inside, kind: 'server', because: `${framework.name} convention` };
  }
}
