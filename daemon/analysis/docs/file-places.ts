import { isPartOfPages } from '../../model/document-files.ts';
import type { PathMention } from '../../model/mentions.ts';
import { baseName, directoryOf, join } from '../../model/paths.ts';
import { isToolConfiguration } from '../../model/tool-configurations.ts';
import type { Stale } from './gone-mentions.ts';

/** What a tree has at paths, and had once. */
export interface TreePlaces {
  isFile(path: string): boolean;
  isFolder(path: string): boolean;
  /** Whether a file stood there once, and where it is now, as far as that is known. */
  was(path: string): { readonly movedTo: string | undefined } | undefined;
  /** All files of a name. */
  filesCalled(name: string): readonly string[];
}

/** What a path in a document comes to; `open`: nobody can tell what it means. */
export type FilePlace =
  | { readonly kind: 'resolved'; readonly path: string }
  | ({ readonly kind: 'stale' } & Stale)
  | { readonly kind: 'open' };

/** Every path that may have to be looked up for a mention, the most likely first. */
export function candidatesOf({ kind, rawText }: PathMention, document: string): readonly string[] {
  const text = decoded(rawText);
  const folder = directoryOf(document);
  const isRelative = /^\.{1,2}(?:\/|$)/.test(text);
  const isFromHere = isRelative || (kind === 'link' && !text.startsWith('/'));
  const bases = isFromHere ? [folder, ...(isImage(text) ? pageFolder(document) : [])] : basesAround(folder, kind);
  const plain = text.replace(/^\/+/, '');
  const found = bases.flatMap(base => join(base, plain) ?? []);
  const pages = kind === 'link' ? found.flatMap(pagesOf) : [];
  return [...new Set([...found, ...pages])].filter(path => path !== '');
}

const image = /\.(?:png|jpe?g|gif|svg|webp|avif|bmp)$/i;

function isImage(path: string): boolean {
  return image.test(path);
}

/** Sites that give each page a folder of its own leave where its images are to browsers, which look from there. */
function pageFolder(document: string): readonly string[] {
  return [document.replace(/\.[^./]*$/, '')];
}

/** What is named from nowhere is named from the root, from a folder on the way to the document, or from beside it. */
function basesAround(folder: string, kind: PathMention['kind']): readonly string[] {
  if (kind === 'link') return [''];
  const bases = [''];
  for (let at = folder; at !== ''; at = directoryOf(at)) bases.push(at);
  return bases;
}

/** Sites are linked without the endings of their pages. */
function pagesOf(path: string): readonly string[] {
  const plain = path.replace(/\/$/, '').replace(/\.html?$/, '');
  return [`${plain}.md`, `${plain}.mdx`, `${plain}/index.md`, `${plain}/README.md`];
}

/** As paths are written, whatever the system of whoever wrote it. */
function decoded(text: string): string {
  const path = text.replaceAll('\\', '/');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export function placeOfPath(mention: PathMention, document: string, tree: TreePlaces): FilePlace {
  const candidates = candidatesOf(mention, document);
  const found = candidates.find(path => tree.isFile(path)) ?? candidates.find(path => tree.isFolder(path));
  if (found !== undefined) return { kind: 'resolved', path: found.replace(/\/$/, '') };
  // Out of the repository nobody knows what there is.
  if (candidates.length === 0 || isAnybodys(mention)) return { kind: 'open' };
  for (const path of candidates) {
    const was = tree.was(path);
    if (was === undefined) continue;
    // A page that is linked without its ending is written in a way of the site's own.
    const isWhole = baseName(path) === baseName(decoded(mention.rawText));
    const suggestion = was.movedTo === undefined || !isWhole ? undefined : writtenFrom(mention, document, was.movedTo);
    return { kind: 'stale', reason: was.movedTo === undefined ? 'file_deleted' : 'file_moved', suggestion };
  }
  if (!leadsNowhere(mention) || isPartOfPages(document)) return { kind: 'open' };
  const alike = tree.filesCalled(baseName(decoded(mention.rawText)));
  if (isImage(mention.rawText) && alike.some(path => served.test(path))) return { kind: 'open' };
  const [only] = alike.length === 1 ? alike : alike.length > 1 ? [] : writtenOtherwise(candidates[0] ?? '', tree);
  // What another example has is not what this one means.
  const isOthers = only !== undefined && isExample.test(only) && !only.startsWith(`${directoryOf(document)}/`);
  const suggestion = only === undefined || isOthers ? undefined : writtenFrom(mention, document, only);
  return { kind: 'stale', reason: 'file_missing', suggestion };
}

const script = /\.[jt]sx?$/;

/** The one file of a script's name with another ending that stands in its folder, or below. */
function writtenOtherwise(path: string, { filesCalled }: TreePlaces): readonly string[] {
  if (!script.test(path)) return [];
  const stem = baseName(path).replace(script, '');
  const folder = directoryOf(path);
  const found = ['.js', '.jsx', '.ts', '.tsx']
    .flatMap(ending => filesCalled(stem + ending))
    .filter(one => folder === '' || one.startsWith(`${folder}/`));
  return found.length === 1 ? found : [];
}

/** Folders whose files sites serve from elsewhere. */
const served = /(?:^|\/)(?:public|static|assets|_static|_assets|media)\//i;
const isExample = /(?:^|\/)(?:examples?|samples?|demos?)\//i;

/** Every project may have one of that name: `vite.config.ts`. */
function isAnybodys({ kind, rawText }: PathMention): boolean {
  return kind === 'code' && !rawText.includes('/') && isToolConfiguration(rawText);
}

/** A link to a file beside, which a site might serve from nowhere else. */
function leadsNowhere({ kind, rawText }: PathMention): boolean {
  if (kind !== 'link' || rawText.startsWith('/')) return false;
  return (
    isImage(rawText) ||
    /^[^:]{1,300}\.(?:md|mdx|markdown|[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|c|h|cpp|sh|ya?ml|toml|json)$/i.test(
      rawText,
    )
  );
}

/** A path as the document would name it: links from where it lies, code as it was named. */
function writtenFrom(mention: PathMention, document: string, path: string): string {
  const written = namedFrom(mention, document, path);
  return mention.kind === 'link' ? inLink(written) : written;
}

function namedFrom({ kind, rawText }: PathMention, document: string, path: string): string {
  if (rawText.startsWith('/')) return `/${path}`;
  if (kind === 'code' && !rawText.startsWith('.')) return path;
  const from = directoryOf(document) === '' ? [] : directoryOf(document).split('/');
  const to = path.split('/');
  let same = 0;
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++;
  const relative = [...from.slice(same).map(() => '..'), ...to.slice(same)].join('/');
  return rawText.startsWith('./') && !relative.startsWith('.') ? `./${relative}` : relative;
}

/** What would end a link's target, or mean something else in it, as addresses write it. */
function inLink(path: string): string {
  const encoded = (sign: string): string => `%${sign.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;
  return path.replace(/[\u0000-\u0020<>()"'#?%\\]/g, encoded);
}
