import { instance, isReceiver } from './instances.ts';
import { either } from './options.ts';
import { roleOf } from './roles.ts';
import type { DefinitionValue, Environment, Value } from './values.ts';

/** Types nest no deeper than this where arguments are put in. */
const maxNesting = 6;
/** What an environment says is written out to tell it from others; one that says more is not followed. */
const maxKeyLength = 400;

/** Who declares a type parameter. */
export function ownerOf(scope: string, tail: string): string {
  return `${scope}\0${tail}`;
}

/** Tells a definition from every other, and from itself in another environment. */
export function identityOf(of: DefinitionValue): string {
  const owner = ownerOf(of.scope, of.tail);
  return of.environment === undefined ? owner : `${owner}\0${of.environment.key}`;
}

/** What `find` tells of the definition behind a type, with the type's arguments put in. */
export function through(type: Value, find: (of: DefinitionValue) => Value | undefined): Value | undefined {
  if (type.kind === 'definition') return find(type);
  if (type.kind !== 'applied' || type.of.kind !== 'definition') return undefined;
  return substituted(find(type.of), type);
}

/** What `value`, found through the type `applied`, is with the type's arguments in place of its parameters. */
export function substituted(value: Value | undefined, applied: Extract<Value, { kind: 'applied' }>): Value | undefined {
  if (value === undefined || applied.of.kind !== 'definition') return value;
  const owner = ownerOf(applied.of.scope, applied.of.tail);
  const key = `${owner}<${applied.arguments.map(argument => textOf(argument, 0)).join(',')}>`;
  if (key.length > maxKeyLength) return value;
  return within(value, { key, arguments: new Map([[owner, applied.arguments]]) });
}

/** `value` with what the environment knows of type parameters put in; undefined where it is a parameter without argument. */
export function within(value: Value | undefined, environment: Environment, nesting = 0): Value | undefined {
  if (value === undefined || nesting > maxNesting) return value;
  const inner = (one: Value | undefined): Value | undefined => within(one, environment, nesting + 1);
  switch (value.kind) {
    case 'variable': {
      const known = environment.arguments.get(value.owner);
      return known === undefined || isReceiver(value) ? value : known[value.position];
    }
    case 'definition':
      return roleOf(value) === 'type' ? value : bound(value, environment, nesting);
    case 'instance': {
      const of = inner(value.of);
      return of === undefined ? undefined : instance(of);
    }
    case 'applied': {
      const of = inner(value.of);
      return of === undefined ? undefined : { kind: 'applied', of, arguments: value.arguments.map(inner) };
    }
    case 'function':
      return { kind: 'function', of: inner(value.of) };
    case 'either':
      return either(value.options.map(inner));
    case 'method': {
      const receiver = inner(value.receiver);
      return receiver === undefined ? undefined : { ...value, receiver };
    }
    case 'module':
    case 'scope':
    case 'external':
      return value;
  }
}

/** What is known already goes first, with the new environment put into its arguments. */
function bound(value: DefinitionValue, environment: Environment, nesting: number): DefinitionValue {
  const own = value.environment;
  if (own === undefined) return { ...value, environment };
  const merged = new Map(environment.arguments);
  for (const [owner, values] of own.arguments) {
    merged.set(
      owner,
      values.map(one => within(one, environment, nesting + 1)),
    );
  }
  const key = `${own.key};${environment.key}`;
  return key.length > maxKeyLength ? value : { ...value, environment: { key, arguments: merged } };
}

function textOf(value: Value | undefined, nesting: number): string {
  if (value === undefined || nesting > maxNesting) return '?';
  const inner = (one: Value | undefined): string => textOf(one, nesting + 1);
  switch (value.kind) {
    case 'variable':
      return `$${value.owner}${value.position}`;
    case 'definition':
      return `${ownerOf(value.scope, value.tail)}${value.environment === undefined ? '' : `{${value.environment.key}}`}`;
    case 'instance':
      return `:${inner(value.of)}`;
    case 'applied':
      return `${inner(value.of)}<${value.arguments.map(inner).join(',')}>`;
    case 'function':
      return `=>${inner(value.of)}`;
    case 'either':
      return value.options.map(inner).join('|');
    case 'method':
      return `${inner(value.receiver)}.${value.name}`;
    case 'module':
      return value.path;
    case 'scope':
      return value.scope;
    case 'external':
      return `${value.package}/${value.name}`;
  }
}
