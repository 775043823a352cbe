import type { MountedDocument } from '../../model/document.ts';
import type { Lookup } from '../resolver.ts';
import type { DefinitionValue } from '../values.ts';
import { required } from './requires.ts';

/** Files that a file requires itself. */
export function requiredBy(look: Lookup, from: MountedDocument): readonly string[] {
  return from.facts.imports.flatMap(one => {
    const module = required(look, from, one);
    return module?.kind === 'module' ? module.path : [];
  });
}

/**
 * Whether a file may find loaded what another defines: nobody loads a script that is run by itself but those that require
 * it, and only tests load what stands in tests.
 */
export function isLoadedFor(look: Lookup, from: MountedDocument, { sites }: DefinitionValue): boolean {
  return sites.some(({ document }) => {
    if (document.path === from.path) return true;
    if (document.isTest && !from.isTest) return false;
    const isScript = /(?:^|\/)(?:bench(?:marks?)?|examples?|samples?|scripts?|bin|exe)\//.test(document.path);
    return !isScript || requiredBy(look, from).includes(document.path);
  });
}
