import { perSource } from './per-source.ts';
import type { Source } from './source.ts';

/** Names that a file sets to one string, once: what they hold, for paths that are put together of them. */
export const textConstants = perSource(source => new Map([...textsOf(source)].filter(([, text]) => !isFilled(text))));

/** Those of capitals that hold a string to be filled in, `/carts/{}`, as it is written. */
export const textTemplates = perSource(
  source => new Map([...textsOf(source)].filter(([name, text]) => isFilled(text) && /^[A-Z][A-Z\d_]*$/.test(name))),
);

function isFilled(text: string): boolean {
  return /[$%{]/.test(text);
}

const textsOf = perSource(foundTextsOf);

function foundTextsOf(source: Source): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const pattern =
    /(?<![\w.$])([A-Za-z_]\w{0,100})\s{0,10}(?::\s{0,5}&?(?:'static\s)?\w{1,20}\s{0,5})?:?=\s{0,10}(["'`])(\/?[\w./:{}$%-]{1,200})\2[ \t]{0,10}(?=[;,\n)]|$)/g;
  const several = new Set<string>();
  for (const match of source.readable.matchAll(pattern)) {
    if (source.code.charCodeAt(match.index) !== source.readable.charCodeAt(match.index)) continue;
    const [, name, , text] = match;
    if (found.has(name!) && found.get(name!) !== text) several.add(name!);
    if (found.size < 500 && text!.includes('/')) found.set(name!, text!);
  }
  for (const name of several) found.delete(name);
  return found;
}
