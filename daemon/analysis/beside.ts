import { abovePackages } from './above-packages.ts';

/** Examples, benchmarks and what documents show: people and tools run that by its name. */
export function isAside(path: string): boolean {
  return aside.test(abovePackages(path));
}

/**
 * Whether a program that begins with a file shows what its package is for, and makes no program of that: it lies aside, or in
 * a package of the JVM that is called for examples, which `com/example/demo` is not.
 */
export function isShowing(path: string): boolean {
  return isAside(path) || /(?:^|\/)(?:examples|samples|demos)\//i.test(path);
}

const aside = /(?:^|\/)(?:examples?(?:[_-]\w+)*|samples?|demos?|bench(?:es|marks?)?|snippets?|docs?|website)\//i;
