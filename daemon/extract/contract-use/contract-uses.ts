import type { ContractUse } from '../../model/contract.ts';
import { generatedIn } from './generated.ts';
import { readerOf } from './readers.ts';
import { type Found, linesOf, sourceOf } from './text/source.ts';

/**
 * What a file of source code or build configuration shows of contracts, from its path and text alone, in the order of lines:
 * none for files that nothing reads. Of generated code only that it is generated.
 */
export function contractUsesIn(path: string, text: string): readonly ContractUse[] {
  const reader = readerOf(path);
  if (reader === undefined || text.length > longest) return [];
  const { language, lexis, marks, places, detectors } = reader;
  const generated = language === 'configuration' ? [] : generatedIn(path, text);
  if (generated.length > 0) return usesOf(language, text, generated);
  if (!marks(text) && places?.test(path) !== true) return [];
  const source = sourceOf(path, text, lexis);
  const found = detectors.flatMap(detect => [...detect(source)].slice(0, mostUses));
  // What comments alone speak of makes no strings of the code count.
  const isSpoken = marks(source.readable) || places?.test(path) === true;
  return usesOf(language, text, isSpoken ? found : found.filter(({ at }) => source.readable[at] !== text[at]));
}

/** In UTF-16 units: what is larger was not written by hand. */
const longest = 4_000_000;

/** In one file, and of one detector. */
const mostUses = 500;

function usesOf(language: string, text: string, found: readonly Found[]): readonly ContractUse[] {
  if (found.length === 0) return [];
  const lineOf = linesOf(text);
  const uses = new Map<string, ContractUse>();
  let called = { path: '', line: Number.NEGATIVE_INFINITY };
  for (const { at, ...rest } of together(found)) {
    // What generates is configuration, wherever it stands: in comments of Go, in scripts of Python.
    const use = { language: rest.kind === 'generator' ? 'configuration' : language, ...lineOf(at), ...rest };
    const { kind, line, service, from, type, fullName, file, method, path, module } = use;
    // What a call was found to have is not told again for its string.
    if (kind === 'route-call' && path !== undefined) {
      if (method === '' && line - called.line <= linesOfCall && called.path.startsWith(path)) continue;
      called = { path, line };
    }
    const key = JSON.stringify([line, kind, service, from, type, fullName, file, method, path, module]);
    if (!uses.has(key) && uses.size < mostUses) uses.set(key, use);
  }
  return [...uses.values()];
}

/** That a call's address stands below it at most. */
const linesOfCall = 5;

/** In the order of the text; what several found at one place is one, with all that they told. */
function together(found: readonly Found[]): readonly Found[] {
  const places = new Map<string, Found>();
  for (const one of found) {
    const what = one.service ?? one.path ?? `${one.file ?? ''} ${one.from ?? ''} ${one.type ?? ''}`;
    const key = `${one.at} ${one.kind} ${one.method ?? ''} ${what}`;
    places.set(key, { ...places.get(key), ...one });
  }
  return [...places.values()].sort((a, b) => a.at - b.at);
}
