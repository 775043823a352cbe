import type { MountedDocument } from '../../model/document.ts';
import { first } from '../options.ts';
import type { Lookup } from '../resolver.ts';
import type { Value } from '../values.ts';
import { tailOf } from './global-usings.ts';
import { isOfDotnet, packageOf } from './packages.ts';
import { namespacesNamed, outwards, typeAt } from './usings.ts';

/**
 * What a `using` opens: a namespace of the repository, or the type that it names after `static` or an `=`. What begins as
 * a namespace of ours does is generated or gone; everything else is .NET's own or a package's.
 */
export function usedBy(look: Lookup, from: MountedDocument, index: number): Value | undefined {
  const { specifier } = from.facts.imports[index]!;
  const bar = specifier.indexOf('|');
  const place = specifier.slice(0, Math.max(bar, 0));
  const path = /^[\w.@]*/.exec(specifier.slice(bar + 1))![0];
  if (isOfDotnet(look, path)) return { kind: 'external', manager: 'std', package: 'dotnet', name: path };
  return inRepository(look, place, path) ?? outside(look, from, path);
}

function inRepository(look: Lookup, place: string, path: string): Value | undefined {
  const namespaces = namespacesNamed(look, path.slice(path.lastIndexOf('.') + 1));
  return first(outwards(place), around => {
    const tail = around + tailOf(path);
    return namespaces.find(one => one.tail === tail) ?? typeOn(look, around.replaceAll('/', '.') + path);
  });
}

/** The type that a path leads to, or the outermost one around it. */
function typeOn(look: Lookup, path: string): Value | undefined {
  for (let one = path; one !== ''; one = one.slice(0, Math.max(one.lastIndexOf('.'), 0))) {
    const found = typeAt(look, one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function outside(look: Lookup, from: MountedDocument, path: string): Value | undefined {
  const [top = ''] = path.split('.', 1);
  if (top === '' || namespacesNamed(look, top).some(({ tail }) => tail.startsWith(tailOf(top)))) return undefined;
  return { kind: 'external', manager: 'nuget', package: packageOf(look, from.path, path), name: path };
}
