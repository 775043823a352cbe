import { pick, type Random, snake } from './plan.ts';
import { nouns, verbs } from './words.ts';

export interface MadeFile {
  /** Relative to the repository. */
  readonly path: string;
  readonly text: string;
}

export function indented(lines: readonly string[], by: string): readonly string[] {
  return lines.map(line => (line === '' ? '' : by + line));
}

/** Tells in a line what something named so would be for. */
export function sentence(name: string, random: Random): string {
  const about = snake(name).replaceAll('_', ' ');
  const noun = (): string => pick(random, nouns).toLowerCase();
  return `Serves ${about}: ${pick(random, verbs)} each ${noun()} of the ${noun()} before the ${noun()} is due.`;
}
