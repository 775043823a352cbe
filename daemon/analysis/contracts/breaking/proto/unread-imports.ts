import { type Comparison, type Place, type Told, tell } from './comparison.ts';
import { type ImportIndex, importIndex } from './imported.ts';
import type { ProtoSide, TypeTable } from './types.ts';

interface Unread {
  readonly why: string;
  readonly before?: Place;
  readonly after?: Place;
}

/** What the contract imports, directly or through others, and one revision can't be read of: nothing is known of what changed there. */
export function tellUnreadImports(comparison: Comparison): void {
  const { before, after } = comparison;
  const [old, now] = [indexOf(before.side), indexOf(after.side)];
  const unread = new Map<string, Unread>();
  for (const { written, place, why } of unreadIn(before, old, now)) unread.set(written, { why, before: place });
  for (const { written, place, why } of unreadIn(after, now, old))
    unread.set(written, { ...unread.get(written), why, after: place });
  for (const [written, { why, ...places }] of unread) {
    const told: Told = {
      id: 'import-unreadable',
      severity: 'risky',
      compatibility: [],
      subject: written,
      message: `what changed in ${written} can’t be told: ${why}`,
      ...places,
    };
    tell(comparison, { everything: true }, told);
  }
}

function indexOf({ files, unread }: ProtoSide): ImportIndex {
  return importIndex([...files.keys(), ...(unread?.keys() ?? [])]);
}

interface UnreadImport {
  readonly written: string;
  readonly place: Place;
  readonly why: string;
}

/** Each path that is imported once, where it is met first. What neither revision has is nobody's change. */
function* unreadIn({ side }: TypeTable, own: ImportIndex, other: ImportIndex): Iterable<UnreadImport> {
  const met = new Set<string>();
  const files = new Set([side.path]);
  for (const path of files) {
    const schema = side.files.get(path);
    for (const { path: written, line } of schema?.imports ?? []) {
      if (met.has(written)) continue;
      met.add(written);
      const meant = own.filesOf(written);
      for (const one of meant) files.add(one);
      const place = { path, schema: schema!, line };
      const [problem] = meant.some(one => side.files.has(one)) ? [] : meant.flatMap(one => side.unread?.get(one) ?? []);
      if (problem !== undefined) yield { written, place, why: `line ${problem.line} of it: ${problem.message}` };
      else if (meant.length === 0 && other.filesOf(written).length > 0)
        yield { written, place, why: 'one of the revisions has no such file' };
    }
  }
}
