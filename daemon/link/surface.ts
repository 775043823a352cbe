import { createHash } from 'node:crypto';
import type { DefinitionFact, DocumentFacts } from '../model/facts.ts';
import { lastDescriptorAt } from '../model/identity.ts';
import { namesToAll, writtenNames } from './written-names.ts';

/**
 * What other documents may ask of one: its definitions by container and name, and its exports. Of the facts alone, so
 * the same bytes at two paths share it.
 */
export interface Surface {
  /**
   * Slots by `container tail \0 name as code writes it`; those with a body first. What files of a shared scope give each
   * other by the name alone (see `namesToAll`, C#'s extension methods, what Java calls a file of Kotlin by) stands in the
   * container `export`.
   */
  readonly members: ReadonlyMap<string, readonly number[]>;
  /** Slots by tail, those with a body first. */
  readonly byTail: ReadonlyMap<string, readonly number[]>;
  /** Expressions by exported name. */
  readonly exports: ReadonlyMap<string, readonly number[]>;
  /** Modules exported wholesale. */
  readonly wholesale: readonly number[];
}

export function surfaceOf(facts: DocumentFacts): Surface {
  const known = surfaces.get(facts);
  if (known !== undefined) return known;
  const made = buildSurface(facts);
  surfaces.set(facts, made);
  return made;
}

export function memberName(container: string, name: string): string {
  return `${container}\0${name}`;
}

/** The container of what files of a shared scope export. */
export const shared = 'export';

export function containerOf(tail: string): string {
  return tail.slice(0, lastDescriptorAt(tail));
}

/**
 * What an expression says without slots and indexes: equal texts mean the same in any document at the same place.
 * Long ones are digested.
 */
export function portable(facts: DocumentFacts, index: number): string {
  let texts = portables.get(facts);
  if (texts === undefined) {
    texts = new Map();
    portables.set(facts, texts);
  }
  const known = texts.get(index);
  if (known !== undefined) return known;
  const text = shorten(portableOf(facts, index));
  texts.set(index, text);
  return text;
}

const surfaces = new WeakMap<DocumentFacts, Surface>();
const portables = new WeakMap<DocumentFacts, Map<number, string>>();

/** The segment of Rust's `impl Trait for Type`. */
const implementation = /`impl [^`]*`#$/;

/**
 * What a type has by an implementation of a trait is the type's, too; C's constants are seen beside their enum, and macros
 * everywhere, whatever they stand in.
 */
function seenAs(facts: DocumentFacts, { kind }: DefinitionFact, container: string): string {
  const isOfC = facts.language === 'c' || facts.language === 'cpp';
  if (isOfC && kind === 'enum-member') return containerOf(container);
  if (isOfC && kind === 'macro') return /(?:^|\/)static\//.test(container) ? 'static/' : '';
  return facts.language === 'rust' ? container.replace(implementation, '') : container;
}

/** Languages whose files export to the files of their scope. */
const sharesExports: ReadonlySet<string> = new Set(['csharp', 'kotlin']);

function buildSurface(facts: DocumentFacts): Surface {
  const members = new Map<string, number[]>();
  const byTail = new Map<string, number[]>();
  facts.definitions.forEach((definition, slot) => {
    const at = lastDescriptorAt(definition.tail);
    const container = definition.tail.slice(0, at);
    const type = seenAs(facts, definition, container);
    for (const name of writtenNames(facts.language, definition, at)) {
      append(members, memberName(container, name), slot);
      if (type !== container) append(members, memberName(type, name), slot);
    }
    for (const name of namesToAll(facts.language, definition, at)) append(members, memberName(shared, name), slot);
    append(byTail, definition.tail, slot);
  });
  const exports = new Map<string, number[]>();
  const wholesale: number[] = [];
  for (const one of facts.exports) {
    const of = facts.expressions[one.of];
    if (sharesExports.has(facts.language) && of?.op === 'slot') append(members, memberName(shared, one.name), of.slot);
    else if (one.name === '*') wholesale.push(one.of);
    else append(exports, one.name, one.of);
  }
  for (const slots of [...members.values(), ...byTail.values()]) if (slots.length > 1) primaryFirst(facts, slots);
  return { members, byTail, exports, wholesale };
}

function primaryFirst(facts: DocumentFacts, slots: number[]): void {
  slots.sort((a, b) => Number(facts.definitions[b]!.hasBody) - Number(facts.definitions[a]!.hasBody) || a - b);
}

function append(map: Map<string, number[]>, key: string, value: number): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else known.push(value);
}

function portableOf(facts: DocumentFacts, index: number): string {
  const one = facts.expressions[index]!;
  switch (one.op) {
    case 'slot':
      return `slot(${facts.definitions[one.slot]!.tail})`;
    case 'super':
      return `super(${facts.definitions[one.slot]!.tail})`;
    case 'import': {
      const { specifier, name, wildcard } = facts.imports[one.import]!;
      return `import(${JSON.stringify([specifier, name, wildcard])})`;
    }
    case 'free':
      return `free(${one.name})`;
    case 'member':
      return `${portable(facts, one.of)}.${one.name}`;
    case 'call':
    case 'instance':
    case 'element':
    case 'awaited':
    case 'function':
      return `${one.op}(${portable(facts, one.of)})`;
    case 'generic':
      return `generic(${portable(facts, one.of)},${portable(facts, one.argument)})`;
    case 'either':
    case 'otherwise':
      return `${one.op}(${portable(facts, one.of)},${portable(facts, one.other)})`;
    case 'overload': {
      const given = one.arguments.map(argument => (argument < 0 ? '?' : portable(facts, argument)));
      return `overload(${portable(facts, one.of)},${given.join(',')})`;
    }
    case 'parameter':
      return `parameter(${portable(facts, one.of)},${one.position})`;
    case 'argument':
      return `argument(${facts.definitions[one.slot]!.tail},${one.position})`;
    case 'unknown':
      return '?';
  }
}

function shorten(text: string): string {
  return text.length <= 160 ? text : `#${createHash('sha256').update(text).digest('base64url')}`;
}
