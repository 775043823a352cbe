import type { MountedDocument } from '../../model/document.ts';
import type { ImportFact } from '../../model/facts.ts';
import { directoryOf, join } from '../../model/paths.ts';
import type { Questions } from '../resolver.ts';
import type { Value } from '../values.ts';
import { isStandardLibrary } from './library.ts';

/** The file that a `require` loads: beside the file, or below a `lib` folder on the way up. */
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
  if (isStandardLibrary(gem)) return { kind: 'external', manager: 'std', package: 'ruby', name: specifier };
  return { kind: 'external', manager: 'gem', package: gem, name: '' };
}
