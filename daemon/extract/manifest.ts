import type { Dialect } from '../model/document.ts';
import type { DocumentFacts } from '../model/facts.ts';

/** The facts of a configuration file, undefined where the dialect is a programming language. */
export function configurationFacts(_source: string, _dialect: Dialect): DocumentFacts | undefined {
  return undefined;
}
