import { directoryOf } from '../../model/paths.ts';
import type { Questions } from '../resolver.ts';
import { within } from './roots.ts';

/**
 * The file of a module, sources before stubs; the package itself where no parts are left. A namespace package (a folder
 * without `__init__.py`) is written as the `__init__.py` that it doesn't have.
 */
export function moduleAt(ask: Questions, root: string, parts: readonly string[]): string | undefined {
  const path = within(root, parts.join('/'));
  const files = ['.py', '/__init__.py', '.pyi', '/__init__.pyi'].map(suffix => path + suffix);
  const candidates = parts.length === 0 ? files.filter(file => file.includes('__init__')) : files;
  const found = candidates.map(file => file.replace(/^\//, '')).find(file => ask.exists(file));
  if (found !== undefined || path === '') return found;
  return ask.filesIn(path).some(file => /\.pyi?$/.test(file)) ? initOf(path) : undefined;
}

/** The folder of a package by its `__init__`, whether that is there or not. */
export function packageFolder(path: string): string | undefined {
  return /(?:^|\/)__init__\.pyi?$/.test(path) ? directoryOf(path) : undefined;
}

export function initOf(folder: string): string {
  return within(folder, '__init__.py');
}

/** Whether a package has what lies in other folders of its name, too: one without a file of its own, or whose file says so. */
export function isOpenPackage(ask: Questions, path: string): boolean {
  if (packageFolder(path) === undefined) return false;
  return !ask.exists(path) || ask.configuration(path)?.['isNamespace'] === true;
}
