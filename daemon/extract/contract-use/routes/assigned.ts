import { perSource } from '../text/per-source.ts';
import { inCode, type Source } from '../text/source.ts';

interface Assigned {
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

/** The expression of an address that a variable was set to last before an offset; undefined where none is near. */
export function assignedTo(source: Source, name: string, before: number): Assigned | undefined {
  return assignedIn(source)
    .get(name)
    ?.findLast(({ at }) => at < before && before - at < farthest);
}

/** In characters: further off another function begins. */
const farthest = 3_000;

const assignedIn = perSource(foundAssignedIn);

function foundAssignedIn(source: Source): ReadonlyMap<string, readonly Assigned[]> {
  const found = new Map<string, Assigned[]>();
  const pattern =
    /^[ \t]{0,80}(?:(?:const|let|var|val|final|auto|String|(?:std::)?string|static|private)[ \t]{1,5}){0,4}\$?([A-Za-z_]\w{0,100})[ \t]{0,10}(?::[ \t]{0,5}\w{1,40}[ \t]{0,5})?:?=(?![=>])/gm;
  for (const match of inCode(source, pattern)) {
    const name = match[1]!;
    const from = match.index + match[0].length;
    // In strings of several lines there are no statements.
    if (source.code[from - 1] !== '=') continue;
    const end = source.code.slice(from, from + 500).search(/[;\n]/);
    const to = end < 0 ? Math.min(source.code.length, from + 500) : from + end;
    const written = source.readable.slice(from, to);
    // What ends with a comma is an argument.
    if (
      !/["'`]/.test(written) ||
      /,\s*$/.test(written) ||
      !/:\/\/|ur[il]|endpoint|base|host|addr/i.test(name + written)
    )
      continue;
    found.set(name, [...(found.get(name) ?? []), { at: match.index, from, to }]);
  }
  return found;
}
