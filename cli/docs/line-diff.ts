/** Lines of context around what differs. */
const around = 2;

/** A unified diff of two texts of as many lines, of which some differ; '' where none does. */
export function lineDiff(path: string, before: string, after: string): string {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const differing = old.flatMap((line, at) => (line === fresh[at] ? [] : [at]));
  if (differing.length === 0) return '';
  const hunks = hunksOf(differing, old.length);
  const shown = hunks.map(([from, to]) => {
    const head = `@@ -${from + 1},${to - from} +${from + 1},${to - from} @@`;
    return [head, ...hunkLines(old, fresh, from, to)].join('\n');
  });
  return [`--- a/${path}`, `+++ b/${path}`, ...shown].join('\n').concat('\n');
}

function hunksOf(differing: readonly number[], count: number): readonly (readonly [number, number])[] {
  const hunks: [number, number][] = [];
  for (const at of differing) {
    const [from, to] = [Math.max(0, at - around), Math.min(count, at + around + 1)];
    const last = hunks.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = to;
    else hunks.push([from, to]);
  }
  return hunks;
}

/** Of lines that differ one after the other, the old ones first. */
function hunkLines(old: readonly string[], fresh: readonly string[], from: number, to: number): readonly string[] {
  const lines: string[] = [];
  for (let at = from; at < to; ) {
    if (old[at] === fresh[at]) lines.push(` ${old[at++]}`);
    else {
      const start = at;
      while (at < to && old[at] !== fresh[at]) at++;
      for (let line = start; line < at; line++) lines.push(`-${old[line]}`);
      for (let line = start; line < at; line++) lines.push(`+${fresh[line]}`);
    }
  }
  return lines;
}
