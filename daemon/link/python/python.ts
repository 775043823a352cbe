import type { MountedDocument } from '../../model/document.ts';
import type { ImportFact } from '../../model/facts.ts';
import { directoryOf, join } from '../../model/paths.ts';
import { either, first, optionsOf } from '../options.ts';
import type { Questions, Resolver } from '../resolver.ts';
import type { Value } from '../values.ts';
import { builtinNames, standardModules } from './library.ts';
import { initOf, isOpenPackage, moduleAt, packageFolder } from './modules.ts';
import { inNeighbours, isOpenName, portionsOf } from './neighbours.ts';
import { rootsFor, within } from './roots.ts';

/** Python modules as an interpreter with the project on its path, and those beside it, finds them: see `moduleAt`. */
export const pythonResolver: Resolver = {
  module,
  importTarget(look, from, index) {
    const one = wholeImport(from.facts.imports, index);
    const found = module(look, from, one);
    if (one.name === '' || one.name === '*') return found;
    const inside = first(optionsOf(found), option =>
      option.kind === 'module' ? submodule(look, option.path, one.name) : undefined,
    );
    return inside ?? found;
  },
  submodule,
  free: (_ask, _from, name) =>
    builtinNames.has(name) ? { kind: 'external', manager: 'std', package: 'python', name } : undefined,
};

function module(ask: Questions, from: MountedDocument, { specifier, name }: ImportFact): Value | undefined {
  const directory = directoryOf(from.path);
  const found = named(ask, directory, specifier);
  const isTaken = name !== '' && name !== '*' && !specifier.startsWith('.');
  const part = isTaken && mayBeSpread(ask, specifier, found) ? partWith(ask, directory, specifier, name) : undefined;
  return part === undefined ? found : { kind: 'module', path: part };
}

/** Whether a package may be one of several folders, each with a part of it. */
function mayBeSpread(ask: Questions, specifier: string, found: Value | undefined): boolean {
  const modules = optionsOf(found).flatMap(one => (one.kind === 'module' ? [one.path] : []));
  if (modules.length > 0) return modules.some(path => isOpenPackage(ask, path));
  return isOpenName(ask, specifier.split('.', 1)[0]!);
}

function named(ask: Questions, directory: string, specifier: string): Value | undefined {
  return ask.onceOfPlaces(`python ${directory}\0${specifier}`, () =>
    specifier.startsWith('.') ? relative(ask, directory, specifier) : absolute(ask, directory, specifier),
  );
}

/** The part of a namespace package that has a module, by the `__init__.py` that it may not have. */
function partWith(ask: Questions, directory: string, specifier: string, name: string): string | undefined {
  const inside = named(ask, directory, `${specifier}.${name}`);
  if (inside?.kind !== 'module') return undefined;
  const part = initOf(directoryOf(packageFolder(inside.path) ?? inside.path));
  return isOpenPackage(ask, part) ? part : undefined;
}

function submodule(ask: Questions, path: string, name: string): Value | undefined {
  const folder = packageFolder(path);
  return folder === undefined ? undefined : asModule(moduleAt(ask, folder, [name]));
}

/** `import a.b` is two facts: that `a` is bound, and that `a.b` is what is imported. */
function wholeImport(imports: readonly ImportFact[], index: number): ImportFact {
  const [one, next] = [imports[index]!, imports[index + 1]];
  const isBeginning = next?.name === '' && next.line === one.line && next.specifier.startsWith(`${one.specifier}.`);
  return isBeginning ? next : one;
}

/** One dot is the package that the file stands in, each further dot the one around it. */
function relative(ask: Questions, from: string, specifier: string): Value | undefined {
  const dots = /^\.+/.exec(specifier)?.[0].length ?? 1;
  const directory = join(from, '../'.repeat(dots - 1));
  if (directory === undefined) return undefined;
  const rest = specifier.slice(dots);
  return asModule(moduleAt(ask, directory, rest === '' ? [] : rest.split('.')));
}

function absolute(ask: Questions, from: string, specifier: string): Value | undefined {
  const parts = specifier.split('.');
  const [top = ''] = parts;
  const own = ofOwnProjects(ask, from, parts);
  if (own === 'gone') return undefined;
  if (own !== undefined) {
    const isPart = parts.length === 1 && isOpenPackage(ask, own);
    return isPart ? either([asModule(own), portionsOf(ask, from, top)]) : asModule(own);
  }
  if (standardModules.has(top)) return { kind: 'external', manager: 'std', package: 'python', name: specifier };
  const found = inNeighbours(ask, from, parts);
  if (found === 'gone') return undefined;
  return found ?? { kind: 'external', manager: 'pypi', package: top, name: parts.slice(1).join('.') };
}

/** A package with a file of its own before folders without: these only add to a namespace. */
function ofOwnProjects(ask: Questions, from: string, parts: readonly string[]): string | 'gone' | undefined {
  const [top = ''] = parts;
  const { sure, beside } = rootsFor(ask, from, top);
  let open: string | undefined;
  for (const root of sure) {
    const found = moduleAt(ask, root, parts);
    if (found !== undefined && ask.exists(found)) return found;
    open ??= found;
    // A package of ours without that module: it is generated or gone, but no dependency.
    const init = initOf(within(root, top));
    if (parts.length > 1 && ask.exists(init) && !isOpenPackage(ask, init)) return open ?? 'gone';
  }
  return open ?? (beside === undefined ? undefined : moduleAt(ask, beside, parts));
}

function asModule(path: string | undefined): Value | undefined {
  return path === undefined ? undefined : { kind: 'module', path };
}
