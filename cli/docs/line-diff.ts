/** Lines of context around what differs. */
const around = 2;

/** A unified diff of two texts of as many lines, of which some differ, as `git apply` takes it; '' where none does. */
export function lineDiff(path: string, before: string, after: string): string {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  const differing = old.flatMap((line, at) => (line === fresh[at] ? [] : [at]));
  if (differing.length === 0) return '';
  const hunks = hunksOf(differing, old.length);
  const shown = hunks.map(([from, to]) => {
    const head = `@@ -${from + 1},${to - from} +${from + 1},${to - from} @@\n`;
    return head + hunkLines(old, fresh, from, to).join('');
  });
  return `--- ${quoted(`a/${path}`)}\n+++ ${quoted(`b/${path}`)}\n${shown.join('')}`;
}

/** Each with its end, which the last may lack; a diff says so in a line of its own. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  const last = lines.pop()!;
  const ended = lines.map(line => `${line}\n`);
  return last === '' ? ended : [...ended, `${last}\n\\ No newline at end of file\n`];
}

/** A path as git writes one that a line of a patch could not hold. */
function quoted(path: string): string {
  if (!/[\u0000-\u001f"\\\u007f]/.test(path)) return path;
  const octal = (sign: string): string => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`;
  return `"${path.replace(/[\u0000-\u001f"\\\u007f]/g, octal)}"`;
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
