import { isCode } from '../../model/families.ts';
import type { ConfiguredFile } from '../../model/module.ts';
import { baseName } from '../../model/paths.ts';
import { isToolConfiguration } from '../../model/tool-configurations.ts';
import type { EntryContext } from './entry-context.ts';
import { filesOfFrameworks } from './frameworks.ts';
import { filesLoadedIn, filesNamedIn } from './named-files.ts';

/**
 * Files that tools load by name: configurations written as code, wherever they lie, and what those, tools' settings in a
 * package.json, pages, workflows and other files that something runs or loads name. Code that loads by patterns counts as
 * them. What lies among tests is left to them, but for what they load by patterns themselves. Sorted, each once.
 */
export function configuredFilesOf(context: EntryContext): readonly ConfiguredFile[] {
  const { tree, packages } = context;
  const found = new Map<string, string>();
  const configurations = tree.files.flatMap(({ path, language, isTest }) =>
    isCode(language) && !isTest && isToolConfiguration(path) ? [path] : [],
  );
  for (const path of configurations) found.set(path, `${baseName(path)} convention`);
  const naming = new Set(configurations);
  const globbing: string[] = [];
  for (const { path, language, isTest } of tree.files) {
    if (language === 'typescript' || language === 'javascript') globbing.push(path);
    else if (!isTest && ((language === 'configuration' && !isPackage(path)) || namesInTexts.has(language)))
      naming.add(path);
  }
  for (const { ecosystem, manifest } of packages) if (ecosystem === 'npm') naming.add(manifest);
  const take = (path: string, by: string): void => {
    if (!found.has(path)) found.set(path, by);
  };
  for (const one of naming) {
    for (const { path, key } of filesNamedIn(context, one)) take(path, `${baseName(one)} ${key}`);
  }
  for (const { path, key } of filesOfFrameworks(context)) take(path, key);
  for (const one of globbing) {
    const isOfTests = tree.file(one)!.isTest;
    for (const { path, key } of filesLoadedIn(context, one)) {
      if (!isOfTests || tree.file(path)!.isTest) take(path, `${baseName(one)} ${key}`);
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, by]) => ({ path, by }));
}

/** Languages of which texts name classes. */
const namesInTexts: ReadonlySet<string> = new Set(['java', 'kotlin', 'php', 'python']);

/** Those that are none of a package are of fixtures or of what was taken in. */
function isPackage(path: string): boolean {
  return baseName(path) === 'package.json';
}
