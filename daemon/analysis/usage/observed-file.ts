/** Whether files that processes tell of are files of a repository, which they know from elsewhere, or built. */

/**
 * How far an observed path and a repository's are the same, from their ends:
 *
 * - `whole`: all of one ends the other, in two segments or more, or is the whole of the repository's path
 * - `part`: the file and its folder; `name`: the file alone
 */
export interface FileFit {
  readonly extent: 'whole' | 'part' | 'name';
  /** Segments. */
  readonly common: number;
  /** It is the file that was written, so that lines mean the same. */
  readonly isSource: boolean;
}

/** An observed path, taken apart. */
export interface ObservedFile {
  /** From the last to the first. */
  readonly segments: readonly string[];
  /** It is somebody else's: of a package, or of the runtime. */
  readonly isForeign: boolean;
}

const foreign =
  /(?:^|\/)(?:node_modules|site-packages|dist-packages|go\/pkg\/mod|\.cargo\/registry|rustc|gems|\.m2|jsr\.io|\.pub-cache|vendor\/(?:github\.com|golang\.org|bundle|composer))(?:\/|$)|^(?:node:|internal\/|java\/|jdk\.|<)|^\/usr\/(?:local\/)?lib\//;

/** Undefined where nothing is said. */
export function observedFile(text: string): ObservedFile | undefined {
  const path = text
    .replace(/^(?:file:\/\/|webpack(?:-internal)?:\/\/\/?[^/]{0,200}\/|[A-Za-z]:)/, '')
    .replace(/[?#].*$/, '')
    .replaceAll('\\', '/');
  const segments = path.split('/').filter(segment => segment !== '' && segment !== '.');
  if (segments.length === 0) return undefined;
  return { segments: segments.reverse(), isForeign: foreign.test(path) };
}

/** Undefined where even the names differ. */
export function fileFit({ segments: observed }: ObservedFile, repoPath: string): FileFit | undefined {
  const own = repoPath.split('/').reverse();
  const isSource = observed[0] === own[0];
  if (!isSource && !isBuiltFrom(observed[0]!, own[0]!)) return undefined;
  let common = 1;
  while (common < own.length && common < observed.length && isSameFolder(observed[common]!, own[common]!)) common++;
  const isWhole = common === own.length || (common === observed.length && common > 1);
  return { extent: isWhole ? 'whole' : common > 1 ? 'part' : 'name', common, isSource };
}

const extents = { whole: 2, part: 1, name: 0 } as const;

/** Which of two fits better: negative for the first. */
export function compareFits(a: FileFit, b: FileFit): number {
  return extents[b.extent] - extents[a.extent] || b.common - a.common || Number(b.isSource) - Number(a.isSource);
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
