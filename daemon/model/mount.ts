import type { MountedDocument, ScopeKey } from './document.ts';
import type { DocumentFacts } from './facts.ts';
import { directoryOf, type RepoPath } from './paths.ts';

/** Facts at a place: gives them the scope that makes their tails unique, and says whether the place is one of tests. */
export function mount(path: RepoPath, facts: DocumentFacts): MountedDocument {
  return { path, scope: scopeOf(path, facts), isTest: isTestPath(path), facts };
}

/**
 * The scope of one definition, by its tail (or of what stands in a container, by the container's): the document's, but
 * what C, C++, Go and Ruby keep to the file has the file. `static` is a keyword in the former and the others have no
 * namespaces, so none has that name.
 */
export function scopeOfTail(document: Pick<MountedDocument, 'path' | 'scope'>, tail: string): ScopeKey {
  const keepsToFiles = document.scope === sharedByC || document.scope.startsWith(sharedByGo);
  const isPrivate =
    document.scope === sharedByRuby ? isOfExamples(tail) : keepsToFiles && /(?:^|\/)static\//.test(tail);
  return isPrivate ? (document.path as string as ScopeKey) : document.scope;
}

/** Whether a tail of Ruby is of a group of examples, and so private to its file. */
export function isOfExamples(tail: string): boolean {
  return /(?:^|#)static\//.test(tail);
}

const sharedByC = 'c:';
const sharedByGo = 'go:';
const sharedByRuby = 'ruby:';

/**
 * What finds the documents of one package wherever they lie, as a scope does those of one place: Java's and Kotlin's source
 * sets and modules share packages. '' of a scope that is no named package of theirs.
 */
export function packageOfScope(scope: string): ScopeKey | '' {
  if (!scope.startsWith('java:') && !scope.startsWith('kotlin:')) return '';
  const name = scope.slice(scope.indexOf('#') + 1);
  return name === '' ? '' : packageScope(name);
}

export function isPackageScope(scope: string): boolean {
  return scope.startsWith(packages);
}

const packages = 'jvm:package:';

export function packageScope(name: string): ScopeKey {
  return `${packages}${name}` as ScopeKey;
}

/**
 * - Go, Java and Kotlin: directory and package clause, since a package's files share one scope. An `init` of Go is its
 *   file's own: see `scopeOfTail`; a program that is one file is a package of its own.
 * - C#, PHP, Ruby, C and C++: tails are qualified names; the language is the scope. What is private to a file (static
 *   in C, an anonymous namespace in C++, a group of examples in Ruby) has a tail that says so: see `scopeOfTail`.
 * - A package manifest is found by the package's name, wherever it lies.
 * - Everything else, and every other configuration file: the path; Rust's `mod.rs`, `lib.rs` and `main.rs` are their
 *   directory's module.
 */
function scopeOf(path: RepoPath, facts: DocumentFacts): ScopeKey {
  const directory = directoryOf(path);
  switch (facts.language) {
    case 'go':
    case 'java':
    case 'kotlin':
      return `${facts.language}:${facts.standalone ? path : directory}#${facts.packageName}` as ScopeKey;
    case 'csharp':
    case 'php':
    case 'ruby':
    case 'c':
    case 'cpp':
      return `${facts.language === 'cpp' ? 'c' : facts.language}:` as ScopeKey;
    case 'rust':
      return (/(?:^|\/)(?:mod|lib|main)\.rs$/.test(path) ? directory || '.' : path) as ScopeKey;
    case 'configuration':
      return (facts.packageName === '' ? path : facts.packageName) as ScopeKey;
    default:
      return path as string as ScopeKey;
  }
}

const testNames =
  /[._-](?:test|tests|spec)\.[^./]+$|(?:^|\/)(?:test_[^/]+\.py|conftest\.py)$|Tests?\.(?:java|kt|cs|php)$/;
const testPaths: readonly RegExp[] = [
  /(?:^|\/)(?:tests?|__tests__|__mocks__|spec|specs|testdata|e2e|fixtures?)\//,
  testNames,
  // Source sets of Gradle (`src/jvmTest/`), and projects of C# (`App.Core.Tests/`, `UnitTests/`).
  /(?:^|\/)src\/(?:\w*[a-z\d]Test|testFixtures)\/|(?:^|\/)(?:[\w-]+\.)*(?:[A-Z]\w*)?Tests?\//,
];

/** Of routes that folders of `app/` make, what lies below is the address: `app/api/jobs/[id]/test/route.ts`. */
const route = /(?<=^|\/)app\/(?:[^/]+\/)+(?:page|route|layout|template|loading|error|not-found|default)\.[jt]sx?$/;

export function isTestPath(path: string): boolean {
  const place = withoutPackages(path).replace(route, 'app/');
  return testPaths.some(pattern => pattern.test(place));
}

/** A path that is one of tests by the name of its file, not only by that of a folder. */
export function isTestName(path: string): boolean {
  return testNames.test(path);
}

/** Where build tools of the JVM have sources, folders are packages: their names say nothing of what they hold. */
export function withoutPackages(path: string): string {
  const [sources] = /^(?:.*\/)?src\/\w+\/(?:java|kotlin|scala|groovy)\//.exec(path) ?? [];
  return sources === undefined ? path : sources + path.slice(path.lastIndexOf('/') + 1);
}
