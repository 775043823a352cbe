import type { DefinitionFact, DocumentFacts } from '../model/facts.ts';
import { lastDescriptorAt } from '../model/identity.ts';
import { isAmong } from '../model/rust-namespaces.ts';

/**
 * The names under which code means a definition. Where types, functions and values live beside each other and the place
 * of a name says which is meant, the name says it too: `Box#` or `Box+1#` (C#, by its number of type parameters), `box()`
 * and `->box` (PHP), `box/` for a namespace; in Rust each also without, as a `use` names all of them. Elsewhere it is the
 * name. `last` is where the tail's last descriptor begins.
 */
export function writtenNames(language: string, definition: DefinitionFact, last: number): readonly string[] {
  const { name, tail, kind } = definition;
  switch (language) {
    case 'csharp': {
      if (isTypeOrPlace(tail)) return [tail.slice(last)];
      if (kind === 'constructor') return ['constructor'];
      // What fulfils an interface by saying so has no name in its class.
      const fulfils = tail[last] === '`' ? /`([^`]*)`/.exec(tail.slice(last))?.[1] : undefined;
      if (fulfils?.endsWith(`.${name}`)) return [fulfils];
      const arity = tail.endsWith(').') ? /[(,](\+\d+)\)\.$/.exec(tail)?.[1] : undefined;
      return arity === undefined ? [name] : [name, name + arity];
    }
    case 'php':
      if (isTypeOrPlace(tail)) return [tail.slice(last)];
      if (tail.endsWith(').')) return [`${name.toLowerCase()}()`];
      return [kind === 'property' ? `->${name}` : name];
    case 'rust':
      return [name, ...namespaces.filter(one => isAmong(definition, one)).map(one => name + one)];
    default:
      return [name];
  }
}

const namespaces = ['#', '()'];

/** The first of them. */
export function writtenName({ language, definitions }: DocumentFacts, slot: number): string {
  const definition = definitions[slot]!;
  return writtenNames(language, definition, lastDescriptorAt(definition.tail))[0]!;
}

/**
 * The names under which all files of a language's one scope find a definition, wherever it stands: of PHP all that stands
 * in no class, without regard to case; C#'s types and namespaces, so that one question tells that a name is of no file
 * here, and not one for each namespace that it may be of. A namespace is found by those around it, too, which nothing else
 * defines.
 */
export function namesToAll(language: string, definition: DefinitionFact, last: number): readonly string[] {
  const { tail } = definition;
  if (language === 'php') {
    const container = tail.slice(0, last);
    if (/[#.]/.test(container)) return [];
    return writtenNames(language, definition, last).map(name => foldedName(container + name));
  }
  if (language !== 'csharp' || !isTypeOrPlace(tail)) return [];
  if (tail.endsWith('/'))
    return tail
      .split('/')
      .slice(0, -1)
      .map(one => `${one}/`);
  return /[#.]/.test(tail.slice(0, last)) ? [] : [tail.slice(last)];
}

/** A path of PHP in the case in which it is looked for: what a constant is called is told apart by case. */
export function foldedName(path: string): string {
  const cut = /[#/)]$/.test(path) ? path.length : path.lastIndexOf('/') + 1;
  return path.slice(0, cut).toLowerCase() + path.slice(cut);
}

/** A name as readers know it. */
export function plainName(written: string): string {
  return written.replace(/^->|(?:\+\d+)?[#/]?$|\(\)$/g, '');
}

function isTypeOrPlace(tail: string): boolean {
  return tail.endsWith('#') || tail.endsWith('/');
}
