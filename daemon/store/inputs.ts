import { familyOf, isCode } from '../model/families.ts';
import { type DigestSum, digestSum, digestValue } from './digest-sum.ts';

/** Of each family of languages the digest of the files that its indexers read, and of the files that configure any. */
export type InputDigests = Readonly<Record<string, string>>;

const configuration = 'configuration';
/** Of documents that an upload brought: no indexer will read them again. */
const uploaded = 'scip';

/** Whose indexers read a file that is no code of theirs, if any do. */
const familyConfigured: Readonly<Record<string, string>> = {
  'lerna.json': 'ecmascript',
  'rush.json': 'ecmascript',
  'project.json': 'ecmascript',
  'melos.yaml': 'dart',
  '.sln': 'csharp',
  'requirements.txt': 'python',
  'pom.xml': 'jvm',
  '.gradle': 'jvm',
  'libs.versions.toml': 'jvm',
  'composer.json': 'php',
  'composer.lock': 'php',
  vue: 'none',
  svelte: 'none',
  astro: 'none',
  mdx: 'none',
  about: 'none',
  '.html': 'none',
  'manifest.json': 'none',
  commands: 'none',
  'META-INF': 'none',
  'AndroidManifest.xml': 'none',
  'services.yaml': 'none',
  settings: 'none',
  classes: 'none',
  razor: 'none',
  xaml: 'none',
  '.config': 'none',
  'CMakeLists.txt': 'c',
  'compile_commands.json': 'c',
};

function familyReading(dialect: string): string {
  if (Object.hasOwn(familyConfigured, dialect)) return familyConfigured[dialect]!;
  return isCode(dialect) ? familyOf(dialect) : configuration;
}

/**
 * What indexers have to read, by path and content, as it changes. What one says of a document rests on all of it: on the
 * signatures in other files, on the options of its compiler.
 */
export class Inputs {
  readonly #sums: Map<string, DigestSum>;

  constructor(before: InputDigests = {}) {
    this.#sums = new Map(Object.entries(before).map(([family, id]) => [family, digestSum(id)]));
  }

  /** `dialect` '': a file that nothing reads. `hash` '': its bytes were not read. */
  count(file: { readonly path: string; readonly dialect: string; readonly hash: string }, sign: 1 | -1): void {
    if (file.dialect === '' || file.dialect === uploaded || file.hash === '') return;
    const key = familyReading(file.dialect);
    const sum = this.#sums.get(key) ?? digestSum('');
    this.#sums.set(key, sum);
    sum.add(BigInt(sign) * digestValue(file.path, file.hash));
  }

  digests(): InputDigests {
    const digests = [...this.#sums].map(([family, sum]) => [family, sum.id()] as const);
    return Object.fromEntries(digests.filter(([, id]) => id !== '').sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** The contexts that one of two trees has and the other has not. */
export function contextsApart(one: InputDigests, other: InputDigests): readonly string[] {
  const [these, those] = [contextsOf(one), contextsOf(other)];
  return [...[...these].filter(context => !those.has(context)), ...[...those].filter(context => !these.has(context))];
}

/** Of each family, and of files of configuration, which are of none. */
function contextsOf(inputs: InputDigests): ReadonlySet<string> {
  const families = Object.keys(inputs).filter(family => family !== configuration);
  return new Set(['', ...families].map(family => contextIn(inputs, family)));
}

/** The context of what an indexer of a language (or dialect) says: equal as long as all of its inputs are. */
export function contextIn(inputs: InputDigests, language: string): string {
  const sum = digestSum(inputs[familyOf(language)] ?? '');
  sum.add(BigInt(`0x0${inputs[configuration] ?? ''}`));
  return sum.id();
}
