import { mostProse } from '../../model/prose.ts';

/** Of one line no more is looked at, so that no pattern takes long over it. */
const longestLine = 4_000;

/** The lines at the beginning of a text, whatever ends them. */
export function proseLines(source: string): readonly string[] {
  const lines = source.slice(0, mostProse).replace(/\r\n?/g, '\n').split('\n');
  return lines.map(line => (line.length > longestLine ? line.slice(0, longestLine) : line));
}
