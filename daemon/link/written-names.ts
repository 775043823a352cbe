import type { DefinitionFact, DocumentFacts } from '../model/facts.ts';

/**
 * The names under which code means a definition. Where types, functions and values live beside each other and the place
 * of a name says which is meant, the name says it too: `Box#` or `Box+1#` (C#, by its number of type parameters), `box()`
 * and `->box` (PHP), `box/` for a namespace. Elsewhere it is the name.
 */
export function writtenNames(_language: string, { name }: DefinitionFact): readonly string[] {
  return [name];
}

/** The first of them. */
export function writtenName({ language, definitions }: DocumentFacts, slot: number): string {
  return writtenNames(language, definitions[slot]!)[0]!;
}

/** A name as readers know it. */
export function plainName(written: string): string {
  return written.replace(/^->|(?:\+\d+)?[#/]$|\(\)$/g, '');
}
