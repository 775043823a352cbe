import { isCode } from '../../model/families.ts';
import type { ConfiguredFile } from '../../model/module.ts';
import { baseName, directoryOf, join } from '../../model/paths.ts';
import { isToolConfiguration } from '../../model/tool-configurations.ts';
import { record, said, texts } from './content.ts';
import type { EntryContext } from './entry-context.ts';

/**
 * Files that tools load by name: configurations written as code, wherever they lie, and paths that those, or tools'
 * settings in a package.json, name. What lies among tests is left to them. Sorted, each once.
 */
export function configuredFilesOf(context: EntryContext): readonly ConfiguredFile[] {
  const { tree, packages } = context;
  const found = new Map<string, string>();
  const configurations = tree.files.flatMap(({ path, language, isTest }) =>
    isCode(language) && !isTest && isToolConfiguration(path) ? [path] : [],
  );
  for (const path of configurations) found.set(path, `${baseName(path)} convention`);
  const manifests = packages.flatMap(({ ecosystem, manifest }) => (ecosystem === 'npm' ? [manifest] : []));
  for (const naming of [...configurations, ...manifests]) {
    for (const { path, key } of filesNamedIn(context, naming)) {
      if (!found.has(path)) found.set(path, `${baseName(naming)} ${key}`);
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, by]) => ({ path, by }));
}

/** Files of code that a file of settings names, and the key under which it does. */
function* filesNamedIn(
  { tree, configuration, sourceAt }: EntryContext,
  naming: string,
): Iterable<{ readonly path: string; readonly key: string }> {
  for (const [key, names] of Object.entries(record(said(configuration(naming), 'names')))) {
    for (const name of texts(names)) {
      const at = join(directoryOf(naming), name);
      const path = at === undefined || tree.has(at) ? at : sourceAt(at);
      if (path !== undefined && isCode(tree.file(path)?.language ?? '')) yield { path, key };
    }
  }
}
