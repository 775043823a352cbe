import type { MountedDocument } from '../../model/document.ts';
import type { ImportFact } from '../../model/facts.ts';
import { isTestPath } from '../../model/mount.ts';
import { baseName, directoryOf, join } from '../../model/paths.ts';
import type { Questions } from '../resolver.ts';
import type { Value } from '../values.ts';
import { isStandardLibrary } from './library.ts';

/** The file that a `require` loads: beside the file, below a `lib` folder on the way up, or of another gem here. */
export function required(ask: Questions, from: MountedDocument, { specifier }: ImportFact): Value | undefined {
  const file = specifier.endsWith('.rb') ? specifier : `${specifier}.rb`;
  if (specifier.startsWith('.')) {
    const path = join(directoryOf(from.path), file);
    return path !== undefined && ask.exists(path) ? { kind: 'module', path } : undefined;
  }
  for (let directory = directoryOf(from.path); ; directory = directoryOf(directory)) {
    const found = [`lib/${file}`, file]
      .map(one => (directory === '' ? one : `${directory}/${one}`))
      .find(one => ask.exists(one));
    if (found !== undefined) return { kind: 'module', path: found };
    if (directory === '') break;
  }
  const [gem = ''] = specifier.split('/', 1);
  const neighbour = isStandardLibrary(gem) ? undefined : ofNeighbour(ask, from, file);
  if (neighbour !== undefined) return { kind: 'module', path: neighbour };
  if (isStandardLibrary(gem)) return { kind: 'external', manager: 'std', package: 'ruby', name: specifier };
  return { kind: 'external', manager: 'gem', package: gem, name: '' };
}

/** What another gem of the repository has below its `lib`: the one with the shortest path, and none that is a test's. */
function ofNeighbour(ask: Questions, from: MountedDocument, file: string): string | undefined {
  const own = ask.filesNamed(baseName(file)).filter(path => path.endsWith(`/lib/${file}`) && isOther(path, from.path));
  return [...own].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0];
}

/** What stands in for a gem in tests is loaded there alone. */
function isOther(path: string, from: string): boolean {
  return path !== from && !isTestPath(path) && !/(?:^|\/)vendor\//.test(path);
}
