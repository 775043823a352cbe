import type { MountedDocument, ScopeKey } from '../model/document.ts';
import type { ImportFact } from '../model/facts.ts';
import { directoryOf } from '../model/paths.ts';
import type { Cells, CellTable } from './cells.ts';
import type { Definitions } from './definitions.ts';
import type { Exports } from './exports.ts';
import { either, first, optionsOf } from './options.ts';
import type { Questions } from './resolver.ts';
import { resolverFor } from './resolvers.ts';
import { isPlace } from './roles.ts';
import type { Value } from './values.ts';

/** What imports bind, and what is there without any. */
export interface Imports {
  of(document: MountedDocument, one: ImportFact): Value | undefined;
  /** The module that an import names. */
  moduleOf(document: MountedDocument, one: ImportFact): Value | undefined;
  /** What files that declare for others define under a name, the nearest first. */
  ambient(document: MountedDocument, name: string): Value | undefined;
}

interface Parts {
  readonly cells: Cells<Value, MountedDocument>;
  readonly questions: Questions;
  readonly exports: Exports;
  readonly definitions: Definitions;
  member(of: Value, name: string): Value | undefined;
}

export function createImports({ cells, questions, exports, definitions, member }: Parts): Imports {
  const moduleOf = (document: MountedDocument, one: ImportFact): Value | undefined =>
    resolverFor(document.facts.language).module(questions, document, one);

  const of = (document: MountedDocument, one: ImportFact): Value | undefined => {
    const module = moduleOf(document, one);
    if (module === undefined || one.name === '') return module;
    if (module.kind === 'external') return ofPackage(document, one, module);
    if (one.name !== '*') return submoduleOfItself(document, module, one.name) ?? member(module, one.name);
    return module.kind === 'module' ? either([exports.whole(module.path), module]) : module;
  };

  /** `from . import x` in a package's own `__init__`, where the package's `x` is what this binds. */
  const submoduleOfItself = (document: MountedDocument, module: Value, name: string): Value | undefined => {
    if (module.kind !== 'module' || module.path !== document.path) return undefined;
    return resolverFor(document.facts.language).submodule?.(questions, module.path, name);
  };

  /** What the repository declares of a package (`declare module 'x'`) before what the package has itself. */
  const ofPackage = (document: MountedDocument, one: ImportFact, external: Value): Value | undefined => {
    const declared = optionsOf(ambient(document, one.specifier)).find(isPlace);
    if (one.name === '*') return either([declared, external]);
    return (declared && member(declared, one.name)) ?? member(external, one.name);
  };

  const declared: CellTable<Value> = new Map();
  const ambient = (document: MountedDocument, name: string): Value | undefined => {
    const resolver = resolverFor(document.facts.language);
    if (resolver.ambient === undefined) return undefined;
    const directory = directoryOf(document.path);
    return cells.get(declared, `${directory}\0${name}`, () =>
      first(resolver.ambient!(questions, directory), path => definitions.named(path as string as ScopeKey, '', name)),
    );
  };

  return { of, moduleOf, ambient };
}
