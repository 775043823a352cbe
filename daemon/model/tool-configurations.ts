/** Whether a path is one of code that a tool loads by its name: its configuration, its tasks, what it sets up. */
export function isToolConfiguration(path: string): boolean {
  return conventions.some(pattern => pattern.test(path));
}

const conventions: readonly RegExp[] = [
  // JavaScript's tools: `vite.config.ts`, `karma.conf.js`, `.eslintrc.cjs`, `vitest.workspace.ts`, `setupTests.ts`.
  /(?:^|\/)[\w.-]+\.(?:config|conf|workspace|setup)(?:\.[\w-]+)?\.[cm]?[jt]sx?$/,
  /(?:^|\/)\.[\w-]+rc\.[cm]?[jt]s$/,
  /(?:^|\/)(?:cube|\.vitepress\/config)\.[cm]?[jt]s$/,
  /(?:^|\/)\.(?:storybook|husky|yarn|changeset|dependency-cruiser|pnpmfile|pnp|lintstagedrc)(?:\/[^/]+)?\.?[cm]?[jt]sx?$/,
  /(?:^|\/)(?:[Gg]ulpfile|[Gg]runtfile|Jakefile|setupTests|setupProxy|reportWebVitals|plopfile|knexfile|codegen|webpack\.mix|sidebars)\.[cm]?[jt]sx?$/,
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
