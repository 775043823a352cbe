import { lastDescriptorAt } from '../model/identity.ts';
import type { SymbolKind } from '../model/symbol.ts';
import { either, optionsOf } from './options.ts';
import type { DefinitionValue, Site, Value } from './values.ts';

/** What a definition can be used as. */
export type Role = 'type' | 'alias' | 'callable' | 'value' | 'place';

export function roleOf(of: DefinitionValue): Role {
  const { document, slot } = of.sites[0]!;
  return roles[document.facts.definitions[slot]!.kind];
}

const roles: Readonly<Record<SymbolKind, Role>> = {
  function: 'callable',
  method: 'callable',
  constructor: 'callable',
  macro: 'callable',
  class: 'type',
  interface: 'type',
  struct: 'type',
  enum: 'type',
  trait: 'type',
  object: 'type',
  type: 'alias',
  'type-parameter': 'alias',
  'enum-member': 'value',
  variable: 'value',
  constant: 'value',
  field: 'value',
  property: 'value',
  parameter: 'value',
  event: 'value',
  module: 'place',
  namespace: 'place',
  package: 'place',
};

/** Is it an attribute that is only given values, so that a base's declaration of it is what it is? */
export function isUndeclared(value: Value): value is DefinitionValue {
  if (value.kind !== 'definition' || roleOf(value) !== 'value') return false;
  return value.sites.every(({ document, slot }) => document.facts.definitions[slot]!.supers.length > 0);
}

/** Whether calling a name gives what the value of that name holds: a record's component, a property that Java reads. */
export function hasAccessor(of: DefinitionValue): boolean {
  const { language } = of.sites[0]!.document.facts;
  return roleOf(of) === 'value' && (language === 'java' || language === 'kotlin');
}

/** A constructor that bears its class's name is no member of that name. */
export function withoutConstructors(named: Value | undefined): Value | undefined {
  const isMember = (one: Value): boolean => one.kind !== 'definition' || !bearsNameOfClass(one);
  return optionsOf(named).every(isMember) ? named : either(optionsOf(named).filter(isMember));
}

/** Those of a name that make values of the class that they stand in. */
export function onlyConstructors(named: Value | undefined): readonly DefinitionValue[] {
  return optionsOf(named).filter(
    (one): one is DefinitionValue =>
      one.kind === 'definition' &&
      isConstructor(one) &&
      !/[(,]static[,)]/.test(one.tail.slice(lastDescriptorAt(one.tail))),
  );
}

function isConstructor({ sites }: DefinitionValue): boolean {
  const { document, slot } = sites[0]!;
  return document.facts.definitions[slot]!.kind === 'constructor';
}

function bearsNameOfClass({ sites }: DefinitionValue): boolean {
  // The site of a body that stands elsewhere is in no class.
  return sites.some(({ document, slot }) => {
    const { kind, name, container } = document.facts.definitions[slot]!;
    return kind === 'constructor' && container >= 0 && document.facts.definitions[container]!.name === name;
  });
}

/** Does a definition only hold others? */
export function isPlace(value: Value): boolean {
  return value.kind === 'definition' && roleOf(value) === 'place';
}

/** Does a definition stand for a type (as opposed to a value) of its name? */
export function isType(value: Value): boolean {
  if (value.kind !== 'definition') return false;
  const role = roleOf(value);
  return role === 'type' || role === 'alias';
}

/** The sites of a definition, a function's overloads first: its body's site says what it happens to give. */
export function inCallersEyes(of: DefinitionValue): readonly Site[] {
  if (of.sites.length === 1 || roleOf(of) !== 'callable') return of.sites;
  const hasBody = ({ document, slot }: Site): boolean => document.facts.definitions[slot]!.hasBody;
  return [...of.sites.filter(one => !hasBody(one)), ...of.sites.filter(hasBody)];
}

/** A function says of what it makes that it makes it. */
export function isResult(of: DefinitionValue, value: Value): boolean {
  return value.kind === 'instance' && roleOf(of) === 'callable';
}

/** What a variable holds, by way of others. */
export function heldBy(
  value: Value | undefined,
  typeOf: (of: DefinitionValue) => Value | undefined,
  steps = 0,
): Value | undefined {
  if (value?.kind !== 'definition' || roleOf(value) !== 'value' || steps > maxSteps) return value;
  return heldBy(typeOf(value), typeOf, steps + 1);
}

const maxSteps = 4;
