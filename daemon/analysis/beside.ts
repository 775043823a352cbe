import { abovePackages } from './above-packages.ts';

/** Examples, benchmarks and what documents show: people and tools run that by its name. */
export function isAside(path: string): boolean {
  return aside.test(abovePackages(path));
}

const aside = /(?:^|\/)(?:examples?(?:[_-]\w+)*|samples?|demos?|bench(?:es|marks?)?|snippets?|docs?|website)\//i;
