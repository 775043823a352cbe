import type { MountedDocument } from '../model/document.ts';
import type { Cells } from './cells.ts';
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
      const seen = new Set([path]);
      for (const at of seen) {
        const found = own(at, name);
        if (found !== undefined) return found;
        if (name !== 'default' && name !== '=') for (const next of wholesale(at)) seen.add(next);
      }
      // A namespace package of Python is a module without a file.
      const language = manifest.document(path)?.facts.language ?? (path.endsWith('/__init__.py') ? 'python' : '');
      return resolverFor(language).submodule?.(questions, path, name);
    });

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
