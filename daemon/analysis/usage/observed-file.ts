/** Whether files that processes tell of are files of a repository, which they know from elsewhere, or built. */

/**
 * How far an observed path and a repository's are the same, from their ends:
 *
 * - `whole`: all that was told, or all of the repository's path in two segments or more
 * - `part`: the file and its folder
 * - `root`: the file alone, which lies at the repository's root, as files of that name may anywhere; `name`: the file alone
 */
export interface FileFit {
  readonly extent: 'whole' | 'part' | 'root' | 'name';
  /** Segments. */
  readonly common: number;
  /** It is the file that was written, so that lines mean the same. */
  readonly isSource: boolean;
}

/** An observed path, taken apart. */
export interface ObservedFile {
  /** From the last to the first. */
  readonly segments: readonly string[];
  /** Of what lies among other people's code, how many of them a file of the repository has to share; else 0. */
  readonly least: number;
}

/** The folder of the repository that a package is, '' for its root; undefined of one that is none of its own. */
export type PackageFolder = (manager: string, name: string) => string | undefined;

/** Where packages are installed by their names, and who installs them there. */
const installs =
  /(?:^|\/)(?:(node_modules)|(go\/pkg\/mod)|(\.?cargo\/(?:registry\/src|git\/checkouts)\/[^/]+)|(gems)|(\.pub-cache\/hosted\/[^/]+)|(vendor)|(?:site-packages|dist-packages|\.m2|jsr\.io|rustc|^\/usr\/(?:local\/)?lib))(?=\/)/g;
const installers: readonly Installer[] = [
  { managers: ['npm'] },
  { managers: ['go'], version: /@.*$/ },
  { managers: ['cargo'], version: /-\d.*$/ },
  { managers: ['gem'], version: /-\d.*$/ },
  { managers: ['pub'], version: /-\d.*$/ },
  { managers: ['composer', 'go'] },
];

interface Installer {
  readonly managers: readonly string[];
  /** What stands behind a name. */
  readonly version?: RegExp;
}

const ofRuntimes = /^(?:node:|internal\/|java\/|jdk\.|<)/;

/** Undefined where nothing is said. A path in a package that the repository has itself is told as the repository has it. */
export function observedFile(text: string, folderOf: PackageFolder): ObservedFile | undefined {
  const path = text
    .replace(/^(?:file:\/\/|webpack(?:-internal)?:\/\/\/?[^/]{0,200}\/|[A-Za-z]:)/, '')
    .replace(/[?#].*$/, '')
    .replaceAll('\\', '/');
  const segments = segmentsOf(path);
  if (segments.length === 0) return undefined;
  const place = [...path.matchAll(installs)].at(-1);
  if (place === undefined) return { segments, least: ofRuntimes.test(path) ? segments.length : 0 };
  const behind = path.slice(place.index + place[0].length + 1);
  const by = installers[place.slice(1).findIndex(one => one !== undefined)];
  const own = by === undefined ? undefined : ownPath(behind, by, folderOf);
  if (own !== undefined) return { segments: segmentsOf(own), least: 0 };
  const count = segmentsOf(behind).length;
  // Where folders of code lie as they are in their repositories, the path is as good as that there.
  return { segments, least: by === undefined ? Math.max(2, count) : count + 1 };
}

function segmentsOf(path: string): readonly string[] {
  return path
    .split('/')
    .filter(segment => segment !== '' && segment !== '.')
    .reverse();
}

/** Names of packages have so many words at most. */
const mostWords = 6;

function ownPath(behind: string, { managers, version }: Installer, folderOf: PackageFolder): string | undefined {
  const words = behind.split('/');
  const names = words.slice(0, -1).map(word => (version === undefined ? word : word.replace(version, '')));
  for (let count = Math.min(mostWords, names.length); count > 0; count--) {
    const name = names.slice(0, count).join('/');
    for (const manager of managers) {
      const folder = folderOf(manager, name);
      if (folder !== undefined) return [folder, ...words.slice(count)].join('/');
    }
  }
  return undefined;
}

/** Undefined where even the names differ, or the file is somebody else's. */
export function fileFit({ segments: observed, least }: ObservedFile, repoPath: string): FileFit | undefined {
  const own = repoPath.split('/').reverse();
  const isSource = observed[0] === own[0];
  if (!isSource && !isBuiltFrom(observed[0]!, own[0]!)) return undefined;
  let common = 1;
  while (common < own.length && common < observed.length && isSameFolder(observed[common]!, own[common]!)) common++;
  if (common < least) return undefined;
  return { extent: extentOf(common, observed.length, own.length), common, isSource };
}

function extentOf(common: number, observed: number, own: number): FileFit['extent'] {
  if (common === observed || (common > 1 && common === own)) return 'whole';
  if (common > 1) return 'part';
  return own === 1 ? 'root' : 'name';
}

const extents = { whole: 3, part: 2, root: 1, name: 0 } as const;

/** Which of two fits better: negative for the first. */
export function compareFits(a: FileFit, b: FileFit): number {
  return b.common - a.common || extents[b.extent] - extents[a.extent] || Number(b.isSource) - Number(a.isSource);
}

/** Languages that are run as JavaScript. */
const built = /\.(?:[cm]?js|jsx)$/;
const source = /\.(?:[cm]?tsx?|jsx|vue|svelte)$/;

function isBuiltFrom(observed: string, own: string): boolean {
  return built.test(observed) && source.test(own) && observed.replace(built, '') === own.replace(source, '');
}

/** Where sources lie, and where builds put what they make of them. */
const ofSources: ReadonlySet<string> = new Set(['src', 'source', 'lib', 'app']);
const ofBuilds: ReadonlySet<string> = new Set([
  'dist',
  'build',
  'out',
  'lib',
  'output',
  '.output',
  'compiled',
  'target',
]);

function isSameFolder(observed: string, own: string): boolean {
  return observed === own || (ofBuilds.has(observed) && ofSources.has(own));
}
