import type { MountedDocument } from '../model/document.ts';
import type { Cells } from './cells.ts';
import { identityOf } from './environments.ts';
import type { Manifest } from './manifest.ts';
import { either, optionsOf } from './options.ts';
import { exportKey } from './questions.ts';
import type { Questions } from './resolver.ts';
import { resolverFor } from './resolvers.ts';
import { surfaceOf } from './surface.ts';
import type { Value } from './values.ts';

/** What the files of a manifest export. */
export interface Exports {
  /** What a file exports under a name, itself or by way of others. */
  of(path: string, name: string): Value | undefined;
  /** `module.exports = x`, `export = x`: what requiring the module gives. */
  whole(path: string): Value | undefined;
}

export function createExports(
  manifest: Manifest,
  cells: Cells<Value>,
  questions: Questions,
  evaluate: (document: MountedDocument, index: number) => Value | undefined,
): Exports {
  const of = (path: string, name: string): Value | undefined =>
    cells.get(`e${path}\0${name}`, () => {
      // A namespace package of Python is a module without a file.
      const language = manifest.document(path)?.facts.language ?? (path.endsWith('/__init__.py') ? 'python' : '');
      const { submodule, namesMayClash } = resolverFor(language);
      let found: Value | undefined;
      for (const one of given(path, name)) {
        if (found !== undefined && !isSame(found, one)) return undefined;
        found ??= one;
        if (!namesMayClash) break;
      }
      return found ?? submodule?.(questions, path, name);
    });

  /** What stands for a name in the file itself, else in those that it exports wholesale, in their order. */
  function* given(path: string, name: string): Generator<Value> {
    const seen = new Set<string>();
    const pending = [path];
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const found = own(at, name);
      if (found !== undefined) yield found;
      else if (name !== 'default' && name !== '=') pending.push(...wholesale(at).toReversed());
    }
  }

  const own = (path: string, name: string): Value | undefined => {
    cells.ask(exportKey(path, name));
    const document = manifest.document(path);
    if (document === undefined) return undefined;
    const found = surfaceOf(document.facts).exports.get(name);
    return found === undefined ? undefined : either(found.map(index => evaluate(document, index)));
  };

  const wholesale = (path: string): readonly string[] => {
    cells.ask(exportKey(path, '*'));
    const document = manifest.document(path);
    if (document === undefined) return [];
    return surfaceOf(document.facts).wholesale.flatMap(index => {
      const module = evaluate(document, index);
      return optionsOf(module).flatMap(one => (one.kind === 'module' ? [one.path] : []));
    });
  };

  return { of, whole: path => of(path, '=') };
}

function isSame(a: Value, b: Value): boolean {
  if (a.kind === 'definition' && b.kind === 'definition') return identityOf(a) === identityOf(b);
  if (a.kind === 'module' && b.kind === 'module') return a.path === b.path;
  if (a.kind === 'external' && b.kind === 'external') {
    return a.manager === b.manager && a.package === b.package && a.name === b.name;
  }
  if (a.kind !== 'either' || b.kind !== 'either') return a === b;
  return a.options.length === b.options.length && a.options.every((one, index) => isSame(one, b.options[index]!));
}
