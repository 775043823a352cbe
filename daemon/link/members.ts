import type { MountedDocument } from '../model/document.ts';
import { prototypeOf, returnedSegment } from '../model/identity.ts';
import type { Cells, CellTable } from './cells.ts';
import { isOfDotnet } from './csharp/dotnet-library.ts';
import type { CellsOfDefinitions } from './definition-cells.ts';
import type { Definitions } from './definitions.ts';
import { substituted, through, within } from './environments.ts';
import type { Exports } from './exports.ts';
import { foreignResult } from './foreign.ts';
import { createInheritance, type Inheritance } from './inheritance.ts';
import { instance } from './instances.ts';
import { fileClass, ofFile } from './jvm/files.ts';
import { functionBehind, heldUnder, isNever, isPresumed, throughOf } from './library.ts';
import { first, onSide, sure, then } from './options.ts';
import { ownRules } from './own-rules.ts';
import type { Lookup } from './resolver.ts';
import { resolverFor } from './resolvers.ts';
import type { Results } from './results.ts';
import { isUndeclared, roleOf, withoutConstructors } from './roles.ts';
import type { DefinitionValue, Value } from './values.ts';
import { plainName } from './written-names.ts';

export interface Members extends Inheritance {
  member(of: Value, name: string): Value | undefined;
  /** Of a definition itself, not of a value that it types. */
  memberOfDefinition(of: DefinitionValue, name: string): Value | undefined;
}

interface Sources extends Pick<Results, 'typeOf'> {
  readonly cells: Cells<Value, MountedDocument>;
  readonly cellsOf: CellsOfDefinitions;
  readonly definitions: Definitions;
  readonly exports: Exports;
  readonly look: Lookup;
  languageOf(path: string): string;
}

/** What the values of expressions have under a name. */
export function createMembers(sources: Sources): Members {
  const { cells, cellsOf, definitions, exports, look, languageOf, typeOf } = sources;
  const { evaluate, call } = look;
  const byOwnRules: CellTable<Value> = new Map();

  /** Where a class and its instances have members of one name, the receiver tells which is meant. */
  const member = (of: Value, name: string): Value | undefined => {
    const own = ownRules(of);
    if (own !== undefined) return cells.get(byOwnRules, `${own.key}\0${name}`, () => own.member(look, of, name));
    const found = memberOfEither(of, name);
    if (found?.kind !== 'either') return found;
    if (of.kind === 'instance') return onSide(found.options, false);
    return of.kind === 'definition' && roleOf(of) === 'type' ? onSide(found.options, true) : found;
  };

  const memberOfEither = (of: Value, name: string): Value | undefined => {
    switch (of.kind) {
      case 'definition':
        return memberOfDefinition(of, name);
      case 'module':
        return of.confidence === undefined
          ? memberOfModule(of.path, name)
          : sure(memberOfModule(of.path, name), of.confidence);
      case 'scope':
        return ofFile(definitions.named(of.scope, '', name), of.path) ?? fileClass(look, of.scope, name);
      case 'external':
        return { ...of, name: [of.name, plainName(name)].filter(Boolean).join('.') };
      case 'instance':
        return memberOfValue(of, name);
      case 'applied':
        return substituted(member(of.of, name), of);
      case 'either':
        return memberOfOptions(of.options, name);
      case 'method':
        return then(foreignResult(of, ''), given => member(given, name));
      case 'function':
      case 'variable':
        return undefined;
    }
  };

  const memberOfModule = (path: string, name: string): Value | undefined => {
    const { inModule } = resolverFor(languageOf(path));
    if (inModule !== undefined) return inModule(look, path, '', name);
    return (
      exports.of(path, name) ?? then(exports.whole(path), whole => (name === 'default' ? whole : member(whole, name)))
    );
  };

  /**
   * Where types take turns, one of them may declare a member only to say that it has none: `error?: never`; and what a
   * library's type is not known to have, another of them may.
   */
  const memberOfOptions = (options: readonly Value[], name: string): Value | undefined => {
    const isThere = (found: Value): boolean =>
      found.kind === 'definition' ? roleOf(found) !== 'value' || !isNever(typeOf(found)) : !isPresumed(found);
    let last: Value | undefined;
    for (const one of options) {
      const found = member(one, name);
      if (found !== undefined && isThere(found)) return found;
      last ??= found;
    }
    return last;
  };

  const memberOfValue = (value: Extract<Value, { kind: 'instance' }>, name: string): Value | undefined => {
    const type = value.of.kind === 'applied' ? value.of.of : value.of;
    if (type.kind === 'definition' && roleOf(type) === 'callable') return memberOfResult(type, name);
    if (type.kind === 'definition')
      return through(value.of, one => memberOfEither(one, name)) ?? memberOfApplied(value.of, name);
    if (type.kind !== 'external') return member(type, name);
    if (isNever(value)) return undefined;
    const inside = heldUnder(value, name);
    // The value that is held, not its type: code that names a member of the library doesn't name that.
    // An element of a tuple may be given by a property, whose name it has not.
    const held = isOfDotnet(value) ? look.held(inside) : inside;
    if (held !== undefined) return instance(held);
    const behind = throughOf(value, name);
    if (behind !== undefined) return member(instance(behind), name);
    const result = functionBehind(value);
    if (result !== undefined) return then(call(result), given => member(given, name));
    return { kind: 'method', receiver: value, name: plainName(name) };
  };

  /** What a function makes: the object that it returns, or in JavaScript, as it is its own class, has under `X#`. */
  const memberOfResult = (of: DefinitionValue, name: string): Value | undefined =>
    definitions.named(of.scope, of.tail + returnedSegment, name) ??
    definitions.named(of.scope, prototypeOf(of.tail), name) ??
    memberOfDefinition(of, name);

  /** `type Flat<T> = T`: what the argument has. */
  const memberOfApplied = (of: Value, name: string): Value | undefined => {
    if (of.kind !== 'applied' || of.of.kind !== 'definition' || roleOf(of.of) !== 'alias') return undefined;
    return then(substituted(typeOf(of.of), of), type => member(type, name));
  };

  const memberOfDefinition = (of: DefinitionValue, name: string): Value | undefined =>
    cells.get(cellsOf(of).members, name, () => {
      const { inModule } = resolverFor(of.sites[0]!.document.facts.language);
      if (inModule !== undefined && roleOf(of) === 'place') {
        const inFile = then(typeOf(of), type => member(type, name));
        return inFile ?? first(of.sites, ({ document }) => inModule(look, document.path, of.tail, name));
      }
      const named = withoutConstructors(definitions.named(of.scope, of.tail, name));
      if (named !== undefined) return declaredAs(of, name) ?? ownMember(of, named);
      switch (roleOf(of)) {
        case 'type':
          return inherited(of, name) ?? impliedOf(of, name);
        case 'callable':
          return definitions.named(of.scope, prototypeOf(of.tail), name);
        case 'alias':
          return inherited(of, name) ?? then(typeOf(of), type => member(type, name));
        case 'value':
          return then(typeOf(of), type => member(type, name));
        case 'place':
          return then(typeOf(of), type => member(type, name));
      }
    });

  /** What a variable's type declares: the keys of an object that is given to the variable only fulfil it. */
  const declaredAs = (of: DefinitionValue, name: string): Value | undefined => {
    if (roleOf(of) !== 'value') return undefined;
    const found = then(typeOf(of), type => member(type, name));
    return found?.kind === 'definition' ? found : undefined;
  };

  const ownMember = (of: DefinitionValue, named: Value): Value | undefined => {
    const own = declaredAbove(named) ?? named;
    return of.environment === undefined ? own : within(own, of.environment);
  };

  /** What a base declares under the name of an attribute that is only given a value. */
  const declaredAbove = (own: Value): Value | undefined => {
    if (!isUndeclared(own)) return undefined;
    return first(own.sites, ({ document, slot }) =>
      first(document.facts.definitions[slot]!.supers, index => {
        const above = evaluate(document, index);
        return above?.kind === 'definition' && !isUndeclared(above) ? above : undefined;
      }),
    );
  };

  const impliedOf = (of: DefinitionValue, name: string): Value | undefined =>
    resolverFor(of.sites[0]!.document.facts.language).implied?.(look, of, name);

  const inheritance = createInheritance(evaluate, (base, name) => memberOfEither(instance(base), name));
  const { inherited } = inheritance;

  return { ...inheritance, member, memberOfDefinition };
}
