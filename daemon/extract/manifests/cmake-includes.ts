import { type Content, maxItems, said } from './values.ts';

/** What of a target others compile with. */
interface Linked {
  readonly includes: Set<string>;
  readonly links: Set<string>;
}

/** Gathers what commands of CMake say of where headers are looked for. */
export function includeStatements() {
  const everywhere = new Set<string>();
  const targets = new Map<string, Linked>();
  const linkedBy = (name: string): Linked => {
    const known = targets.get(name) ?? { includes: new Set(), links: new Set() };
    if (targets.size < maxItems) targets.set(name, known);
    return known;
  };
  return {
    /** `expand`: what a word stands for. */
    take(command: string, words: readonly string[], expand: (word: string) => readonly string[]): void {
      if (!/^(?:target_)?(?:include_directories|link_libraries)$/.test(command)) return;
      const given = words.filter(word => !keywords.has(word));
      const [target] = command.startsWith('target_') ? expand(given.shift() ?? '') : [undefined];
      if (command.startsWith('target_') && target === undefined) return;
      if (command.endsWith('include_directories')) {
        const into = target === undefined ? everywhere : linkedBy(target).includes;
        for (const folder of given.flatMap(word => foldersOf(word, expand))) if (into.size < maxItems) into.add(folder);
      } else if (target !== undefined) {
        const { links } = linkedBy(target);
        for (const one of given.flatMap(expand)) if (!/[$<]/.test(one) && links.size < maxItems) links.add(one);
      }
    },
    all(): Content {
      const linked = [...targets].map(([name, { includes, links }]) => [
        name,
        said({ includes: [...includes], links: [...links] }),
      ]);
      return said({ includes: [...everywhere], linked: said(Object.fromEntries(linked)) });
    },
  };
}

const keywords: ReadonlySet<string> = new Set(
  'AFTER BEFORE SYSTEM PUBLIC PRIVATE INTERFACE debug optimized general'.split(' '),
);

/** Folders of the sources alone: what is built, or installed, lies elsewhere. */
function foldersOf(written: string, expand: (word: string) => readonly string[]): readonly string[] {
  const word = written.replace(/^\$<BUILD_INTERFACE:(.*)>$/, '$1');
  const around = word.replace(/^\$\{\w*_?SOURCE_DIR\}/, '');
  const isAround = around !== word && !/^\$\{CMAKE_CURRENT_SOURCE_DIR\}/.test(word);
  const folders = isAround ? [around.startsWith('/') ? around : `/${around}`] : expand(word);
  return folders.filter(one => !/[$<]/.test(one) && one.length < longestPath);
}

const longestPath = 300;
