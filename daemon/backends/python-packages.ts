import { realpathSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { askPython, entriesOf, type PythonQuestion, pythonPlaces } from './python-places.ts';
import { packageName } from './python-requirements.ts';

/** What scip-python finds of packages for a project. */
export interface SeenPackages {
  /** Absolute: the environment, or where the python itself lies that has none. */
  readonly prefix: string;
  readonly kind: 'environment' | 'conda' | 'python';
  /** Whether it has a folder for packages. */
  readonly hasFolder: boolean;
  /** Packages and modules, by their names as `packageName` writes them. */
  readonly installed: ReadonlySet<string>;
}

/** Undefined where PATH has no python outside of the root, so that scip-python finds nothing. */
export type SeePackages = (root: string, signal: AbortSignal) => Promise<SeenPackages | undefined>;

/** By the rules of `pythonPlaces`; python is asked once for as long as it is the same program. */
export function packagesSeen({ environment, scratch }: Pick<PythonQuestion, 'environment' | 'scratch'>): SeePackages {
  const told = new Map<string, ReturnType<typeof askPython>>();
  const ask: typeof askPython = (program, path, question) => {
    const key = `${realpathSync(program)} ${statSync(program).mtimeMs} ${path}`;
    const known = told.get(key) ?? askPython(program, path, question);
    if (told.size >= pythonsKept) told.clear();
    told.set(key, known);
    // Who asked first may have gone away.
    known.then(
      answer => answer === undefined && told.delete(key),
      () => told.delete(key),
    );
    return known;
  };
  return async (root, signal) => {
    const places = await pythonPlaces({ root, scratch, environment, signal }, ask);
    if (places === undefined) return undefined;
    const { prefix, paths, isEnvironment } = places;
    const conda = isEnvironment ? [] : entriesOf(join(prefix, 'conda-meta'));
    return {
      prefix,
      kind: isEnvironment ? 'environment' : conda.length > 0 ? 'conda' : 'python',
      hasFolder: paths.some(path => path.startsWith(`${prefix}/`) && /^(?:site|dist)-packages$/.test(basename(path))),
      installed: new Set([...paths.flatMap(entriesOf), ...conda].map(entry => packageName(nameOf(entry)))),
    };
  };
}

const pythonsKept = 8;

/** What an entry of a folder for packages is of: `PyYAML-6.0.dist-info`, `yaml`, `six.py`, `numpy-1.26.4-py312_0.json`. */
function nameOf(entry: string): string {
  return /^(.+?)(?:-\d.*)?\.(?:dist-info|egg-info|egg-link|egg|py|json)$/.exec(entry)?.[1] ?? entry;
}
