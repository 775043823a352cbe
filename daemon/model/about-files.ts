import { baseName } from './paths.ts';
import { isOpenApiName } from './routes.ts';

/** What marks up the text of a README. */
export type Markup = 'markdown' | 'restructured' | 'asciidoc' | 'rdoc' | 'plain';

const readme = /^readme(?:\.(md|markdown|mkd|mdown|rst|adoc|asciidoc|asc|rdoc|txt))?$/i;

const markups: Readonly<Record<string, Markup>> = {
  ...{ md: 'markdown', markdown: 'markdown', mkd: 'markdown', mdown: 'markdown' },
  ...{ rst: 'restructured', adoc: 'asciidoc', asciidoc: 'asciidoc', asc: 'asciidoc', rdoc: 'rdoc', txt: 'plain' },
};

/** How a README is marked up, by its name; undefined of any other file. One without an extension is plain. */
export function readmeMarkup(path: string): Markup | undefined {
  const named = readme.exec(baseName(path));
  if (named === null) return undefined;
  return named[1] === undefined ? 'plain' : markups[named[1].toLowerCase()];
}

/** Files that are there to say what something is, as catalogues of services and lists of modules have them. */
export const declaringNames: readonly string[] = [
  'MODULES.toml',
  'catalog-info.yaml',
  'catalog-info.yml',
  'opslevel.yml',
  'cortex.yaml',
  'service.datadog.yaml',
];
const declaring: ReadonlySet<string> = new Set(declaringNames);

export function isDeclaration(path: string): boolean {
  return declaring.has(baseName(path));
}

/** What a generator of Kotlin's documentation reads of a module and its packages (Dokka): `Module.md`. */
export function isModulePage(path: string): boolean {
  return /^(?:module|package|packages)\.md$/i.test(baseName(path));
}

/** Files that people write about a repository or a part of it, and those that tell its interfaces: kept as texts, whose facts say nothing. */
export function isAbout(path: string): boolean {
  return (
    readmeMarkup(path) !== undefined ||
    isDeclaration(path) ||
    isModulePage(path) ||
    isOpenApiName(path) ||
    /\.(?:md|markdown)$/i.test(path)
  );
}
