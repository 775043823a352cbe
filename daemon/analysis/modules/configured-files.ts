import { isCode } from '../../model/families.ts';
import type { ConfiguredFile } from '../../model/module.ts';
import { baseName, join } from '../../model/paths.ts';
import { record, said, texts } from './content.ts';
import type { EntryContext } from './entry-context.ts';

/**
 * Files that tools load by name: configurations written as code, wherever they lie, and paths that tools' settings in a
 * package.json name. What lies among tests is left to them. Sorted, each once.
 */
export function configuredFilesOf(context: EntryContext): readonly ConfiguredFile[] {
  const found = new Map<string, string>();
  for (const { path, language, isTest } of context.tree.files) {
    if (isCode(language) && !isTest && isByConvention(path)) found.set(path, `${baseName(path)} convention`);
  }
  for (const { ecosystem, directory, manifest } of context.packages) {
    if (ecosystem !== 'npm') continue;
    for (const [tool, names] of Object.entries(record(said(context.configuration(manifest), 'names')))) {
      for (const name of texts(names)) {
        const at = join(directory, name);
        const path = at === undefined ? undefined : context.sourceAt(at);
        if (path !== undefined && !found.has(path) && isCode(context.tree.file(path)?.language ?? '')) {
          found.set(path, `package.json ${tool}`);
        }
      }
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, by]) => ({ path: path, by }));
}

function isByConvention(path: string): boolean {
  return conventions.some(pattern => pattern.test(path));
}

const conventions: readonly RegExp[] = [
  // JavaScript's tools: `vite.config.ts`, `karma.conf.js`, `.eslintrc.cjs`, `vitest.workspace.ts`, `setupTests.ts`.
  /(?:^|\/)[\w.-]+\.(?:config|conf|workspace|setup)(?:\.[\w-]+)?\.[cm]?[jt]sx?$/,
  /(?:^|\/)\.[\w-]+rc\.[cm]?[jt]s$/,
  /(?:^|\/)\.(?:storybook|husky|yarn|changeset|dependency-cruiser|pnpmfile|pnp|lintstagedrc)(?:\/[^/]+)?\.?[cm]?[jt]sx?$/,
  /(?:^|\/)(?:[Gg]ulpfile|[Gg]runtfile|Jakefile|setupTests|setupProxy|reportWebVitals|plopfile|webpack\.mix|sidebars)\.[cm]?[jt]sx?$/,
  /(?:^|\/)\.pnpmfile\.cjs$/,
  /(?:^|\/)cypress\/(?:support|plugins)\/[^/]+\.[cm]?[jt]sx?$/,
  // Python's.
  /(?:^|\/)(?:setup|noxfile|tasks|fabfile|gunicorn\.conf|hatch_build)\.py$/,
  /(?:^|\/)docs?\/(?:[^/]+\/)?conf\.py$/,
  // Ruby's.
  /(?:^|\/)(?:Rakefile|Gemfile)$|\.gemspec$|\.rake$|(?:^|\/)config\/(?:initializers|environments|locales)\/.*\.rb$|(?:^|\/)config\/(?:routes|boot|puma|importmap|deploy|schedule)\.rb$|(?:^|\/)db\/(?:seeds|schema|migrate\/[^/]+)\.rb$/,
  // Gradle's, PHP's and Go's.
  /\.gradle\.kts$/,
  /(?:^|\/)(?:\.php-cs-fixer(?:\.dist)?|rector|ecs|scoper\.inc|castor|deploy)\.php$/,
  /(?:^|\/)(?:magefile|tools)\.go$/,
];
