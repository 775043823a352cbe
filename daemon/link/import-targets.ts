import type { MountedDocument } from '../model/document.ts';
import type { ImportTarget } from '../model/links.ts';
import type { RepoPath } from '../model/paths.ts';
import { optionsOf } from './options.ts';
import type { Lookup } from './resolver.ts';
import { resolverFor } from './resolvers.ts';
import type { Value } from './values.ts';

/** What each import of a document makes it hang on, in their order. */
export function importTargets(look: Lookup, document: MountedDocument): readonly ImportTarget[] {
  const { imports, language } = document.facts;
  const { importTarget, module } = resolverFor(language);
  const targets: ImportTarget[] = [];
  imports.forEach((one, index) => {
    const isOfSameModule = importTarget === undefined && imports[index - 1]?.specifier === one.specifier;
    const found = (): Value | undefined =>
      importTarget === undefined ? module(look, document, one) : importTarget(look, document, index);
    targets.push(isOfSameModule ? targets[index - 1]! : targetOf(look, found()));
  });
  return targets;
}

const unresolved: ImportTarget = { kind: 'unresolved' };

/** Of several what lies in the repository: a dependency may lie there as well. */
function targetOf(look: Lookup, value: Value | undefined): ImportTarget {
  let dependency: ImportTarget | undefined;
  for (const one of optionsOf(value)) {
    switch (one.kind) {
      case 'module':
        // A namespace package of Python is none.
        if (look.exists(one.path)) return { kind: 'file', path: one.path as RepoPath };
        break;
      case 'scope':
        if (one.path !== undefined) return { kind: 'file', path: one.path as RepoPath };
        return { kind: 'scope', scope: one.scope };
      case 'definition':
        return { kind: 'definition', scope: one.scope, tail: one.tail };
      case 'external':
        dependency ??= { kind: 'external', manager: one.manager, package: one.package };
        break;
      default:
    }
  }
  return dependency ?? unresolved;
}
