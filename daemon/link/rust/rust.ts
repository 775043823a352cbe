import type { MountedDocument } from '../../model/document.ts';
import { preludeValues } from '../../model/rust-namespaces.ts';
import type { Lookup, Resolver } from '../resolver.ts';
import type { Value } from '../values.ts';
import { crate, declaredFile, macro, moduleAt, parentOf, rootOf } from './crates.ts';
import { importedInRust } from './imports.ts';
import { firstOfPath, inRustModule, lacksInRustModule, seenInRust, throughGlobs } from './modules.ts';
import { macroNames, preludeTypes } from './prelude.ts';
import { methodOfTrait } from './traits.ts';

/**
 * Rust's crates and modules. A module is a file, its parent the file that declares it; where that can't be found, the
 * file is the root of its crate. Crates are found by the names of their manifests and by paths in them.
 */
export const rustResolver: Resolver = {
  module: () => undefined,
  importTarget: importedInRust,
  inModule: inRustModule,
  lacksInModule: lacksInRustModule,
  seenFrom: seenInRust,
  extension: methodOfTrait,
  named(look, from, name) {
    if (name === 'crate') return rootOf(look, from.path);
    if (name === 'self') return moduleAt(from.path);
    if (name === 'super') return parentOf(look, from.path);
    if (name.startsWith('mod ')) return declaredFile(look, from.path, name.slice(4));
    if (/^(?:use |::)/.test(name)) return firstOfPath(look, from, name);
    return nameOf(look, from, name);
  },
};

/** A name that its file does not settle: of a module, of which the place in the file stands in front, and of a namespace. */
function nameOf(look: Lookup, from: MountedDocument, written: string): Value | undefined {
  const at = written.lastIndexOf('/') + 1;
  const { found, isClash, external } = throughGlobs(
    look,
    { path: from.path, place: written.slice(0, at) },
    written.slice(at),
  );
  if (found !== undefined || isClash) return found;
  const [, name = '', among = ''] = /^(.*?)(#|\(\)|!)?$/.exec(written.slice(at))!;
  switch (among) {
    case '!':
      return macro(look, from, name) ?? standard(macroNames, name) ?? external;
    case '()':
      return standard(preludeValues, name) ?? external;
    case '#':
      return crate(look, from, name) ?? standard(preludeTypes, name) ?? external;
    default:
      return crate(look, from, name) ?? standard(preludeTypes, name) ?? standard(preludeValues, name) ?? external;
  }
}

function standard(names: ReadonlySet<string>, name: string): Value | undefined {
  return names.has(name) ? { kind: 'external', manager: 'std', package: 'rust', name } : undefined;
}
