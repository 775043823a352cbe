import { lineOf } from '../../tree.ts';
import type { Walk } from './walk.ts';

/**
 * `require 'a.php'`, `include_once __DIR__ . '/a.php'`, `require dirname(__FILE__, 2) . '/a.php'`: as a path from the file
 * where that is told. What is put together of anything else is no import, for it may be any file.
 */
export function importIncluded({ tree, facts }: Walk, node: number): void {
  const written = tree.text(node).replace(/^\w+\s*\(?\s*|\s*\)?$/g, '');
  const [, place, path] = /^(?:(.*?)\s*\.\s*)?['"]([^'"$]+)['"]$/s.exec(written) ?? [];
  const folder = place === undefined ? '' : folderOf(place);
  if (path === undefined || folder === undefined) return;
  const specifier = folder === '' ? path : `${folder}${path.replace(/^\//, '')}`;
  facts.addImport({ specifier, name: '', local: '', wildcard: false, typeOnly: false, line: lineOf(tree, node) });
}

/** `./` for the file's own folder, `../` for each one above; undefined for what isn't known. */
function folderOf(place: string): string | undefined {
  const [, calls, start, levels] =
    /^((?:\\?dirname\(\s*)*)(__DIR__|__FILE__)(?:\s*,\s*(\d+))?[\s)]*$/.exec(place) ?? [];
  if (calls === undefined) return undefined;
  const count = calls.split('(').length - 1 + (levels === undefined ? 0 : Number(levels) - 1);
  const above = count - (start === '__FILE__' ? 1 : 0);
  if (above < 0 || above > maxAbove) return undefined;
  return above === 0 ? './' : '../'.repeat(above);
}

const maxAbove = 20;
