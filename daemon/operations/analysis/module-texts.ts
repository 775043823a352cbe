import type { RepositoryParts } from '../../analysis/modules/module-model.ts';
import type { ModuleTexts, ProseFile, SaidAt } from '../../analysis/responsibilities/responsibilities.ts';
import { packageDocFiles, readmesOf } from '../../analysis/responsibilities/text-files.ts';
import { type DeclaredModule, declaredModules } from '../../extract/manifests/declared-modules.ts';
import { manifestDescription } from '../../extract/manifests/description.ts';
import { packageDoc } from '../../extract/package-docs/package-doc.ts';
import { proseBlocks } from '../../extract/prose/blocks.ts';
import { isDeclaration, isModulePage, readmeMarkup } from '../../model/about-files.ts';
import type { CodeModule, Entrypoint } from '../../model/module.ts';
import { baseName, directoryOf, join } from '../../model/paths.ts';

/** Where texts about modules are found: the files of a snapshot, and what is in those that it has facts of. */
export interface ModuleTextPlaces {
  readonly tree: RepositoryParts['tree'];
  readonly textOf: (path: string) => string | undefined;
  /** What files that are there for it say, by the path of the module. */
  readonly declared: ReadonlyMap<string, SaidModule>;
  /** What the repository is called. */
  readonly repositoryName: string;
}

export interface SaidModule extends SaidAt {
  readonly capabilities: readonly string[];
}

/** What declaring files of a repository say, each module once: a file in its folder before a list further out. */
export function declaredIn(
  files: Iterable<string>,
  textOf: (path: string) => string | undefined,
): ReadonlyMap<string, SaidModule> {
  const found = new Map<string, SaidModule>();
  const inOrder = [...files].filter(isDeclaration).sort((a, b) => (a < b ? 1 : -1));
  for (const path of inOrder) {
    for (const one of declaredModules(path, textOf(path) ?? '')) {
      const module = placeOf(directoryOf(path), one);
      if (module === undefined || (found.has(module) && one.path !== '.')) continue;
      const { summary: text, capabilities, line } = one;
      found.set(module, { text, path, line, capabilities });
    }
  }
  return found;
}

/** `@root` is the folder of the file. */
function placeOf(directory: string, { path }: DeclaredModule): string | undefined {
  return join(directory, path === '@root' ? '.' : path.replace(/^\.?\/|\/$/g, ''));
}

/** The texts that say something of a module. Reads no more of them than may be needed. */
export function moduleTexts(
  module: CodeModule,
  entrypoints: readonly Entrypoint[],
  { tree, textOf, declared, repositoryName }: ModuleTextPlaces,
): ModuleTexts {
  const { path, name } = module;
  return {
    declared: declared.get(path),
    readme: readmesOf(module, tree)
      .slice(0, 1)
      .flatMap(file => proseOfReadme(file, textOf)),
    packageDocs: proseOfPackage(packageDocFiles(module, tree, entrypoints), tree, textOf),
    manifest: manifestText(module, tree, textOf),
    // Whose it is, and in which path it is published, tells nothing of it.
    names: [name.slice(name.lastIndexOf('/') + 1), path === '' ? repositoryName : baseName(path)],
  };
}

function proseOfReadme(path: string, textOf: ModuleTextPlaces['textOf']): readonly ProseFile[] {
  const [text, markup] = [textOf(path), readmeMarkup(path)];
  return text === undefined || markup === undefined ? [] : [{ path, blocks: proseBlocks(text, markup) }];
}

/** Of the first file that documents the package. */
function proseOfPackage(
  files: readonly string[],
  tree: ModuleTextPlaces['tree'],
  textOf: ModuleTextPlaces['textOf'],
): readonly ProseFile[] {
  for (const path of files) {
    const text = textOf(path);
    if (text === undefined) continue;
    if (isModulePage(path)) return [{ path, blocks: proseBlocks(text, 'markdown') }];
    const doc = packageDoc(text, tree.file(path)?.language ?? '');
    if (doc === undefined) continue;
    const blocks = proseBlocks(doc.text, doc.markup);
    return [{ path, blocks: blocks.map(block => ({ ...block, line: block.line + doc.line })) }];
  }
  return [];
}

/** The first paragraph of what is written above a definition, without the marks that its language has for that. */
export function firstParagraph(documentation: string, language: string): string {
  const plain = documentation
    .replace(/\{@(?:template|macro|endtemplate)[^{}]{0,200}\}/g, '')
    .replace(/\{@\w{1,20}\s+([^{}|]{1,300})(?:\|[^{}]{0,300})?\}/g, '$1')
    .replace(/(?:^|\n)[ \t]*(?:@\w|:param|:return|Args:|Parameters\n)[\s\S]*$/, '')
    .replace(/<\/?(?:summary|p|para|remarks|see|b|i|code|pre|ul|li|a)\b[^<>]{0,300}>/g, ' ')
    .trim();
  const blocks = proseBlocks(plain, language === 'python' ? 'restructured' : language === 'ruby' ? 'rdoc' : 'markdown');
  return blocks.find(({ kind }) => kind === 'paragraph')?.text ?? '';
}

/** Of its own manifest, or of others in its folder that have a place for it. */
function manifestText(
  { path, manifest }: CodeModule,
  tree: ModuleTextPlaces['tree'],
  textOf: ModuleTextPlaces['textOf'],
): SaidAt | undefined {
  const beside = tree
    .filesIn(path)
    .flatMap(file => (file.language === 'configuration' || describing.test(file.path) ? [file.path] : []));
  for (const file of [...(manifest === undefined ? [] : [manifest]), ...beside]) {
    const source = textOf(file);
    const found = source === undefined ? undefined : manifestDescription(file, source);
    if (found !== undefined) return { ...found, path: file };
  }
  return undefined;
}

/** Manifests that are source code. */
const describing = /\.gemspec$|(?:^|\/)(?:setup\.py|build\.gradle\.kts)$/;
