import type { MountedDocument } from '../model/document.ts';
import { identityOf, ownerOf } from './environments.ts';
import { bareType, isSelf } from './instances.ts';
import { containerOf } from './surface.ts';
import type { DefinitionValue, Value } from './values.ts';

/** So many classes above one are looked at. */
const maxAncestors = 64;

export interface Inheritance {
  /** What a class has of its bases. */
  inherited(of: DefinitionValue, name: string): Value | undefined;
  /** A class and those above it, each once. */
  upFrom(base: Value): readonly DefinitionValue[];
  basesOf(of: DefinitionValue): Iterable<Value>;
}

/**
 * What a class has of its bases: the first base's, in Python unless a later base has it from a class between: of
 * `class D(B, C)` whose bases both extend `A`, `A`'s is behind `C`'s, as in Python's own order (C3).
 */
export function createInheritance(
  evaluate: (document: MountedDocument, index: number) => Value | undefined,
  memberOf: (base: Value, name: string) => Value | undefined,
): Inheritance {
  function* basesOf(of: DefinitionValue): Generator<Value> {
    for (const { document, slot } of of.sites) {
      for (const index of document.facts.definitions[slot]!.supers) {
        const base = evaluate(document, index);
        if (base !== undefined && !isItself(of, base)) yield base;
      }
    }
  }

  /** A class and those above it, each once. */
  const upFrom = (base: Value): readonly DefinitionValue[] => {
    const classes = new Map<string, DefinitionValue>();
    const pending: Value[] = [base];
    for (let one = pending.shift(); one !== undefined && classes.size < maxAncestors; one = pending.shift()) {
      const type = bareType(one);
      if (type?.kind !== 'definition' || classes.has(identityOf(type))) continue;
      classes.set(identityOf(type), type);
      pending.push(...basesOf(type));
    }
    return [...classes.values()];
  };

  const isBetween = (base: Value, found: Value, first: Value): boolean => {
    const between = upFrom(base).find(one => has(one, found));
    return between !== undefined && !has(between, first) && upFrom(between).some(one => has(one, first));
  };

  const inherited = (of: DefinitionValue, name: string): Value | undefined => {
    const isOrdered = of.sites[0]!.document.facts.language === 'python';
    let found: Value | undefined;
    for (const base of basesOf(of)) {
      const next = memberOf(base, name);
      if (next === undefined || next.kind === 'method' || next.kind === 'external') continue;
      if (!isOrdered) return next;
      if (found === undefined || isBetween(base, next, found)) found = next;
      if (has(base, found)) return found;
    }
    return found;
  };

  return { inherited, upFrom, basesOf };
}

/** A template is built on itself with other arguments; of what it has then, no more is known than of itself. */
function isItself(of: DefinitionValue, base: Value): boolean {
  const type = bareType(base);
  return type !== undefined && isSelf(of, type);
}

/** Whether a member is a class's own. */
function has(type: Value, member: Value): boolean {
  if (type.kind !== 'definition' || member.kind !== 'definition') return false;
  return ownerOf(type.scope, type.tail) === ownerOf(member.scope, containerOf(member.tail));
}
