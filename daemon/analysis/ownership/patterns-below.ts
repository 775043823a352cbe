import { fitsGlob } from '../../model/fits-glob.ts';

/**
 * What a pattern of CODEOWNERS, as GitHub reads it, says of the files of a folder, in patterns that begin there: none where it says
 * nothing of them. `prefix`: the folder's path from the top of the work tree, '' or ending in `/`.
 */
export function patternsBelow(pattern: string, prefix: string): readonly string[] {
  if (prefix === '') return [pattern];
  const folders = prefix.split('/').slice(0, -1);
  const bare = pattern.replace(/^\/+/, '').replace(/\/+$/, '');
  const isAnchored = /^\/|\/(?!$)/.test(pattern);
  if (!isAnchored) return folders.some(folder => fitsGlob(bare, folder)) ? [everything] : [pattern];
  const names = bare.split('/');
  const end = pattern.endsWith('/') ? '/' : '';
  const found = new Set<string>();
  const met = new Set<string>();
  const walk = (name: number, folder: number): void => {
    const key = `${name} ${folder}`;
    if (met.has(key)) return;
    met.add(key);
    const [asked, own] = [names[name], folders[folder]];
    const isLast = name === names.length - 1;
    if (own === undefined) found.add(`/${names.slice(name).join('/')}${end}`);
    else if (asked === '**') {
      if (isLast) found.add(everything);
      else walk(name + 1, folder);
      walk(name, folder + 1);
    } else if (asked !== undefined && fitsGlob(asked, own)) {
      if (!isLast) walk(name + 1, folder + 1);
      // All that lies below what fits; a star at the end means files alone.
      else if (asked !== '*' || end !== '') found.add(everything);
    }
  };
  walk(0, 0);
  return found.has(everything) ? [everything] : [...found];
}

const everything = '*';
