import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { entriesOf, pythonPlaces, type Told, textOf } from './python-places.ts';
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
export type SeePackages = (root: string) => Promise<SeenPackages | undefined>;

/** By the rules of `pythonPlaces`, from where programs and packages lie: nothing is run, for the repository need not be trusted. */
export function packagesSeen(environment: NodeJS.ProcessEnv): SeePackages {
  return async root => {
    const places = await pythonPlaces({ root, environment }, async program => toldByPlace(program, environment));
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

/** What a python tells of itself, as far as its place does: Debian's folders for packages, and everybody else's. */
function toldByPlace(program: string, { HOME, PYENV_VERSION }: NodeJS.ProcessEnv): Told {
  const real = realpathSync(program);
  const prefix = shimmedBy(real, PYENV_VERSION) ?? dirname(dirname(real));
  const libraries = entriesOf(join(prefix, 'lib')).filter(name => /^python3\.\d+$/.test(name));
  const library = libraries.find(name => name === basename(real)) ?? libraries[0] ?? 'python3.0';
  const user = HOME === undefined ? [] : [join(HOME, '.local/lib', library, 'site-packages')];
  const site = [
    join(prefix, 'lib', library, 'site-packages'),
    join(prefix, 'local/lib', library, 'dist-packages'),
    join(prefix, 'lib/python3/dist-packages'),
    ...user,
  ];
  return { version: [3, Number(library.slice('python3.'.length))], prefix, path: [], site };
}

/** Where the python lies that a shim of pyenv stands for; undefined of what is none. */
function shimmedBy(program: string, asked: string | undefined): string | undefined {
  if (basename(dirname(program)) !== 'shims') return undefined;
  const home = dirname(dirname(program));
  const [version = ''] = (asked ?? textOf(join(home, 'version'))).split(/[:\s]/);
  return /^[\w.-]+$/.test(version) ? join(home, 'versions', version) : undefined;
}

/** What an entry of a folder for packages is of: `PyYAML-6.0.dist-info`, `yaml`, `six.py`, `numpy-1.26.4-py312_0.json`. */
function nameOf(entry: string): string {
  return /^(.+?)(?:-\d.*)?\.(?:dist-info|egg-info|egg-link|egg|py|json)$/.exec(entry)?.[1] ?? entry;
}
