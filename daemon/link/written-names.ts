import type { DefinitionFact, DocumentFacts } from '../model/facts.ts';
import { lastDescriptorAt } from '../model/identity.ts';

/**
 * The names under which code means a definition. Where types, functions and values live beside each other and the place
 * of a name says which is meant, the name says it too: `Box#` or `Box+1#` (C#, by its number of type parameters), `box()`
 * and `->box` (PHP), `box/` for a namespace. Elsewhere it is the name.
 */
export function writtenNames(language: string, definition: DefinitionFact): readonly string[] {
  const { name, tail, kind } = definition;
  switch (language) {
    case 'csharp': {
      if (isTypeOrPlace(tail)) return [tail.slice(lastDescriptorAt(tail))];
      if (kind === 'constructor') return ['constructor'];
      // What fulfils an interface by saying so has no name in its class.
      const fulfils = /^`([^`]*)`/.exec(tail.slice(lastDescriptorAt(tail)))?.[1];
      if (fulfils?.endsWith(`.${name}`)) return [fulfils];
      const arity = /[(,](\+\d+)\)\.$/.exec(tail)?.[1];
      return arity === undefined ? [name] : [name, name + arity];
    }
    case 'php':
      if (isTypeOrPlace(tail)) return [tail.slice(lastDescriptorAt(tail))];
      if (tail.endsWith(').')) return [`${name.toLowerCase()}()`];
      return [kind === 'property' ? `->${name}` : name];
    default:
      return [name];
  }
}

/** The first of them. */
export function writtenName({ language, definitions }: DocumentFacts, slot: number): string {
  return writtenNames(language, definitions[slot]!)[0]!;
}

/**
 * The names under which all files of a language's one scope find a definition, wherever it stands: C#'s types and
 * namespaces, so that one question tells that a name is of no file here, and not one for each namespace that it may be
 * of. A namespace is found by those around it, too, which nothing else defines.
 */
export function namesToAll(language: string, { tail }: DefinitionFact): readonly string[] {
  if (language !== 'csharp' || !isTypeOrPlace(tail)) return [];
  const at = lastDescriptorAt(tail);
  if (tail.endsWith('/'))
    return tail
      .split('/')
      .slice(0, -1)
      .map(one => `${one}/`);
  return /[#.]/.test(tail.slice(0, at)) ? [] : [tail.slice(at)];
}

/** A name as readers know it. */
export function plainName(written: string): string {
  return written.replace(/^->|(?:\+\d+)?[#/]?$|\(\)$/g, '');
}

function isTypeOrPlace(tail: string): boolean {
  return tail.endsWith('#') || tail.endsWith('/');
}
