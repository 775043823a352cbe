import type { MountedDocument, ScopeKey } from '../model/document.ts';
import { scopeOfTail } from '../model/mount.ts';
import type { Cells } from './cells.ts';
import type { Manifest } from './manifest.ts';
import { either, pick } from './options.ts';
import { memberKey } from './questions.ts';
import { containerOf, memberName, surfaceOf } from './surface.ts';
import type { Site, Value } from './values.ts';

/** The definitions of a manifest, found by where they stand. */
export interface Definitions {
  /** The definition at a slot of a document, with all its sites. */
  at(document: MountedDocument, slot: number): Value | undefined;
  /** Definitions of a name directly in a container; several when a type and a value share it. */
  named(scope: ScopeKey, container: string, name: string): Value | undefined;
}

export function createDefinitions(manifest: Manifest, cells: Cells<Value>): Definitions {
  /** What is private to a file of a larger scope has the file as its scope. */
  const documentsOf = (scope: ScopeKey): readonly string[] => {
    const file = manifest.document(scope);
    return file === undefined || file.scope === scope ? manifest.documentsOf(scope) : [file.path];
  };

  const sitesByTail = (scope: ScopeKey, container: string, name: string): Map<string, Site[]> => {
    const byTail = new Map<string, Site[]>();
    for (const path of documentsOf(scope)) {
      const document = manifest.document(path);
      if (document === undefined) continue;
      for (const slot of surfaceOf(document.facts).members.get(memberName(container, name)) ?? []) {
        const { tail } = document.facts.definitions[slot]!;
        const sites = byTail.get(tail);
        if (sites === undefined) byTail.set(tail, [{ document, slot }]);
        else sites.push({ document, slot });
      }
    }
    return byTail;
  };

  const named = (scope: ScopeKey, container: string, name: string): Value | undefined =>
    cells.get(`d${scope}\0${container}\0${name}`, () => {
      cells.ask(memberKey(scope, container, name));
      const found = sitesByTail(scope, container, name);
      return either([...found].map(([tail, sites]) => ({ kind: 'definition', scope, tail, sites })));
    });

  return {
    named,
    at(document, slot) {
      const { tail, name } = document.facts.definitions[slot]!;
      return pick(named(scopeOfTail(document, tail), containerOf(tail), name), tail);
    },
  };
}
