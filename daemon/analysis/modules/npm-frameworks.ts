import { isCode } from '../../model/families.ts';
import { directoryOf, join } from '../../model/paths.ts';
import type { EntryContext, Found } from './entry-context.ts';

interface Framework {
  readonly name: string;
  /** Any of these among the packages that are required means that it is used. */
  readonly requires: readonly string[];
  /** So does any of these files in the package's folder. */
  readonly has?: readonly string[];
  /** Of paths below the package, without extension: what the framework loads by itself. */
  readonly loads: RegExp;
  /** A folder that scripts give it by `--dir` has nothing else in it. */
  readonly takesFolder?: true;
}

const frameworks: readonly Framework[] = [
  {
    name: 'Next.js',
    requires: ['next'],
    loads:
      /^(?:src\/)?(?:pages\/.*|app\/(?:.*\/)?(?:page|layout|route|template|loading|error|global-error|not-found|forbidden|unauthorized|default|sitemap|robots|manifest|icon|apple-icon|opengraph-image|twitter-image)|middleware|proxy|instrumentation|instrumentation-client|mdx-components)$/,
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
      /^src\/(?:routes\/(?:.*\/)?\+(?:page|layout|server|error)[^/]*|hooks(?:\.client|\.server)?|params\/[^/]*|service-worker|instrumentation\.server)$/,
  },
  {
    name: 'Nuxt',
    requires: ['nuxt', 'nuxt3'],
    loads:
      /^(?:app\/|src\/)?(?:pages|layouts|middleware|plugins|server|components|composables|utils|modules)\/.*$|^(?:app\/|src\/)?(?:app|error)(?:\.config)?$/,
  },
  {
    name: 'Astro',
    requires: ['astro'],
    loads:
      /^src\/(?:pages\/.*|content\/config|content\.config|live\.config|middleware|middleware\/index|actions|actions\/index)$/,
  },
  { name: 'Gatsby', requires: ['gatsby'], loads: /^(?:src\/(?:pages|api)\/.*|gatsby-(?:node|config|browser|ssr))$/ },
  {
    name: 'Docusaurus',
    requires: ['@docusaurus/core'],
    loads: /^(?:docusaurus\.config|sidebars|src\/(?:pages|theme)\/.*|(?:docs|blog)\/.*)$/,
  },
  { name: 'Expo Router', requires: ['expo-router'], loads: /^(?:src\/)?app\/.*$/ },
  {
    name: 'SolidStart',
    requires: ['@solidjs/start', 'solid-start'],
    loads: /^src\/(?:routes\/.*|app|entry-(?:client|server)|middleware(?:\/index)?)$/,
  },
  {
    name: 'TanStack Router',
    requires: [
      '@tanstack/react-start',
      '@tanstack/solid-start',
      '@tanstack/router-plugin',
      '@tanstack/router-vite-plugin',
    ],
    loads: /^(?:src|app)\/(?:routes\/.*|router|client|server|ssr|start|routeTree\.gen)$/,
  },
  {
    name: 'Qwik City',
    requires: ['@builder.io/qwik-city', '@qwik.dev/router'],
    loads: /^src\/(?:routes\/.*|entry\.[^/]*|root)$/,
  },
  { name: 'Vike', requires: ['vike', 'vite-plugin-ssr'], loads: /^(?:.*\/)?\+[^/]*$|\.page(?:\.\w+)?$|^renderer\/.*$/ },
  {
    name: 'Nitro',
    requires: ['nitropack', 'nitro'],
    loads: /^(?:src\/)?(?:server\/)?(?:api|routes|middleware|plugins|tasks)\/.*$/,
  },
  { name: 'VitePress', requires: ['vitepress'], loads: /^(?:.*\/)?(?:\.vitepress\/.*|[^/]*\.(?:data|paths))$/ },
  { name: 'VuePress', requires: ['vuepress'], loads: /^(?:.*\/)?\.vuepress\/.*$/ },
  { name: 'unplugin-vue-components', requires: ['unplugin-vue-components'], loads: /^(?:.*\/)?src\/components\/.*$/ },
  {
    name: 'unplugin-auto-import',
    requires: ['unplugin-auto-import'],
    loads: /^(?:.*\/)?src\/(?:composables|hooks|stores?|utils)\/.*$/,
  },
  {
    name: 'routes of files of Vue',
    requires: ['unplugin-vue-router', 'vite-plugin-pages', 'vite-plugin-vue-layouts'],
    loads: /^(?:.*\/)?src\/(?:pages|views|layouts)\/.*$/,
  },
  {
    name: 'Quasar',
    requires: ['quasar', '@quasar/app-vite', '@quasar/app-webpack'],
    loads:
      /^src(?:-\w+)?\/(?:boot|layouts|pages|router|stores?|electron-\w+|App|index|register-service-worker)(?:\/.*)?$/,
  },
  {
    name: 'Umi',
    requires: ['umi', '@umijs/max'],
    loads: /^(?:src\/(?:pages|models|layouts|access|app|global|locales|wrappers)|config|mock)(?:\/.*)?$/,
  },
  { name: 'Ember', requires: ['ember-source'], loads: /^(?:app|addon|config|mirage)\/.*$/ },
  { name: 'WXT', requires: ['wxt'], loads: /^(?:src\/)?entrypoints\/.*$/ },
  {
    name: 'Plasmo',
    requires: ['plasmo'],
    loads: /^(?:src\/)?(?:popup|options|newtab|sidepanel|devtools|background|contents?|tabs|sandboxes)(?:\/.*)?$/,
  },
  { name: 'Convex', requires: ['convex'], loads: /^convex\/.*$/ },
  { name: 'Trigger.dev', requires: ['@trigger.dev/sdk'], loads: /^(?:src\/)?trigger\/.*$/ },
  { name: 'React Email', requires: ['react-email'], loads: /^(?:src\/)?emails\/.*$/, takesFolder: true },
  {
    name: 'Fastify autoload',
    requires: ['@fastify/autoload', 'fastify-autoload'],
    loads: /^(?:src\/)?(?:plugins|routes)\/.*$/,
  },
  {
    name: 'AdonisJS',
    requires: ['@adonisjs/core'],
    loads:
      /^(?:bin|commands|config|contracts|database|providers|start|app\/(?:controllers|Controllers|middleware|Middleware|exceptions|Exceptions|listeners))\/.*$/,
  },
  {
    name: 'Strapi',
    requires: ['@strapi/strapi', '@strapi/core'],
    loads:
      /^(?:src\/(?:index|(?:api|extensions|plugins|components|middlewares|policies|admin)\/.*)|(?:config|database)\/.*)$/,
  },
  {
    name: 'Medusa',
    requires: ['@medusajs/medusa'],
    loads:
      /^src\/(?:api|admin|jobs|links|loaders|migrations|models|modules|scripts|services|strategies|subscribers|workflows)\/.*$/,
  },
  { name: 'Moleculer', requires: ['moleculer'], loads: /^(?:.*\/)?(?:[^/]*\.service|services\/.*|moleculer\.config)$/ },
  {
    name: 'migrations of a database',
    has: ['knexfile.js', 'knexfile.ts', 'knexfile.cjs', 'knexfile.mjs', '.sequelizerc'],
    requires: [
      'knex',
      'sequelize',
      'sequelize-cli',
      'typeorm',
      'umzug',
      'node-pg-migrate',
      'migrate-mongo',
      'db-migrate',
      '@mikro-orm/migrations',
      'kysely-ctl',
    ],
    loads: /^(?:.*\/)?(?:migrations|seeds|seeders)\/[^/]*$/,
  },
  {
    name: 'Netlify',
    requires: ['@netlify/functions'],
    has: ['netlify.toml'],
    loads: /^netlify\/(?:edge-)?functions\/.*$/,
  },
  { name: 'Vercel', requires: ['@vercel/node', 'vercel'], has: ['vercel.json'], loads: /^(?:src\/)?api\/.*$/ },
  { name: 'Cloudflare Pages', requires: ['wrangler'], loads: /^functions\/.*$/ },
  { name: 'Supabase', requires: ['supabase'], has: ['supabase/config.toml'], loads: /^supabase\/functions\/.*$/ },
];

/** What frameworks that a package requires load by the places of files. */
export function* frameworkEntries(
  { tree }: Pick<EntryContext, 'tree'>,
  directory: string,
  requires: ReadonlySet<string>,
  scripts: readonly string[],
): Iterable<Found> {
  const hasFile = (name: string): boolean => tree.has(join(directory, name) ?? name);
  const used = frameworks.filter(
    one => one.requires.some(name => requires.has(name)) || one.has?.some(hasFile) === true,
  );
  if (used.length === 0) return;
  for (const { root, isGiven } of [{ root: directory, isGiven: false }, ...rootsOf(directory, scripts)]) {
    const start = root === '' ? 0 : root.length + 1;
    for (const { path, language, isTest } of tree.below(root)) {
      if (isTest || !isCode(language)) continue;
      const inside = path.slice(start).replace(/\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx)$/, '');
      const framework = used.find(one => one.loads.test(inside) || (isGiven && one.takesFolder === true));
      if (framework !== undefined)
        yield { path, name: inside, kind: 'server', because: `${framework.name} convention` };
    }
  }
}

interface Root {
  readonly root: string;
  /** By `--dir`. */
  readonly isGiven: boolean;
}

/** Folders that scripts tell a tool to work in: that of its configuration, one that it is given as such. */
function rootsOf(directory: string, scripts: readonly string[]): readonly Root[] {
  return scripts.flatMap(script => {
    const options = script
      .slice(0, 4_000)
      .matchAll(/(?:^|\s)(--config|-c|--root|--dir|--cwd)(?:\s+|=)([\w./-]{1,300})/g);
    return [...options].flatMap(([, option, path]) => {
      const isConfiguration = option === '--config' || option === '-c';
      const root = join(directory, isConfiguration ? directoryOf(path!) : path!);
      return root === undefined || root === directory ? [] : [{ root, isGiven: option === '--dir' }];
    });
  });
}
