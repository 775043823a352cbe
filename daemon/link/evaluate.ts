import type { MountedDocument, ScopeKey } from '../model/document.ts';
import type { Expression, ImportFact } from '../model/facts.ts';
import { scopeOfTail } from '../model/mount.ts';
import type { SymbolKind } from '../model/symbol.ts';
import { type Cells, createCells } from './cells.ts';
import { awaitedOf, elementOf, functionBehind, positionOf, resultOf, throughOf } from './library.ts';
import type { Manifest } from './manifest.ts';
import { exportKey, memberKey } from './questions.ts';
import { recordedQuestions } from './recorded-questions.ts';
import { resolverFor } from './resolvers.ts';
import { containerOf, memberName, surfaceOf } from './surface.ts';
import type { DefinitionValue, Site, Value } from './values.ts';

export interface Evaluator {
  readonly cells: Cells<Value>;
  /** What the expression at `index` of the document's facts denotes; undefined where nothing is known. */
  evaluate(document: MountedDocument, index: number): Value | undefined;
}

/** A union has at most so many options worth looking at. */
const maxOptions = 8;

/**
 * Evaluates expressions across the documents of a manifest. Everything that is read of another document goes through a
 * recorded question, and every step is memoised in a cell: see `cells.ts` for why the results don't depend on order.
 */
export function createEvaluator(manifest: Manifest): Evaluator {
  const cells = createCells<Value>();
  const questions = recordedQuestions(manifest, cells.ask);

  const evaluate = (document: MountedDocument, index: number): Value | undefined =>
    cells.get(`x${document.path}\0${index}`, () => compute(document, document.facts.expressions[index]!));

  const compute = (document: MountedDocument, one: Expression): Value | undefined => {
    switch (one.op) {
      case 'slot':
        return definitionAt(document, one.slot);
      case 'import':
        return imported(document, document.facts.imports[one.import]!);
      case 'free':
        return free(document, one.name);
      case 'member':
        return then(evaluate(document, one.of), of => member(of, one.name));
      case 'call':
        return then(evaluate(document, one.of), call);
      case 'instance':
        return then(evaluate(document, one.of), instance);
      case 'element':
        return then(evaluate(document, one.of), of => unpack(of, 'element'));
      case 'awaited':
        return then(evaluate(document, one.of), of => unpack(of, 'awaited'));
      case 'super':
        return baseOf(document, one.slot);
      case 'generic':
        return then(evaluate(document, one.of), of => apply(of, evaluate(document, one.argument)));
      case 'either':
        return either([evaluate(document, one.of), evaluate(document, one.other)]);
      case 'function':
        return then(evaluate(document, one.of), of => ({ kind: 'function', of }));
      case 'parameter':
        return then(evaluate(document, one.of), of => parameter(of, one.position));
      case 'unknown':
        return undefined;
    }
  };

  const definitionAt = (document: MountedDocument, slot: number): Value | undefined => {
    const { tail, name } = document.facts.definitions[slot]!;
    return pick(definitionsNamed(scopeOfTail(document, tail), containerOf(tail), name), tail);
  };

  /** What is private to a file of a larger scope has the file as its scope. */
  const documentsOf = (scope: ScopeKey): readonly string[] => {
    const file = manifest.document(scope);
    return file === undefined || file.scope === scope ? manifest.documentsOf(scope) : [file.path];
  };

  /** Definitions of a name directly in a container; several when a type and a value share it. */
  const definitionsNamed = (scope: ScopeKey, container: string, name: string): Value | undefined =>
    cells.get(`d${scope}\0${container}\0${name}`, () => {
      cells.ask(memberKey(scope, container, name));
      const byTail = new Map<string, Site[]>();
      for (const path of documentsOf(scope)) {
        const document = manifest.document(path);
        if (document === undefined) continue;
        for (const slot of surfaceOf(document.facts).members.get(memberName(container, name)) ?? []) {
          const { tail } = document.facts.definitions[slot]!;
          const sites = byTail.get(tail);
          if (sites === undefined) byTail.set(tail, [{ document, slot }]);
          else sites.push({ document, slot });
        }
      }
      return either([...byTail].map(([tail, sites]) => ({ kind: 'definition', scope, tail, sites })));
    });

  const imported = (document: MountedDocument, one: ImportFact): Value | undefined => {
    const module = resolverFor(document.facts.language).module(questions, document, one);
    if (module === undefined || one.name === '') return module;
    if (one.name !== '*') return member(module, one.name);
    return module.kind === 'module' ? either([wholeExport(module.path), module]) : module;
  };

  /** `module.exports = x`, `export = x`: what requiring the module gives. */
  const wholeExport = (path: string): Value | undefined => exportOf(path, '=');

  const exportOf = (path: string, name: string): Value | undefined =>
    cells.get(`e${path}\0${name}`, () => {
      const seen = new Set([path]);
      for (const at of seen) {
        const found = ownExport(at, name);
        if (found !== undefined) return found;
        if (name !== 'default' && name !== '=') for (const next of wholesaleOf(at)) seen.add(next);
      }
      // A namespace package of Python is a module without a file.
      const language = manifest.document(path)?.facts.language ?? (path.endsWith('/__init__.py') ? 'python' : '');
      return resolverFor(language).submodule?.(questions, path, name);
    });

  const ownExport = (path: string, name: string): Value | undefined => {
    cells.ask(exportKey(path, name));
    const document = manifest.document(path);
    if (document === undefined) return undefined;
    const found = surfaceOf(document.facts).exports.get(name);
    return found === undefined ? undefined : either(found.map(index => evaluate(document, index)));
  };

  const wholesaleOf = (path: string): readonly string[] => {
    cells.ask(exportKey(path, '*'));
    const document = manifest.document(path);
    if (document === undefined) return [];
    return surfaceOf(document.facts).wholesale.flatMap(index => {
      const module = evaluate(document, index);
      return optionsOf(module).flatMap(one => (one.kind === 'module' ? [one.path] : []));
    });
  };

  const free = (document: MountedDocument, name: string): Value | undefined => {
    const shared = document.scope !== (document.path as string);
    const inScope = shared ? definitionsNamed(document.scope, '', name) : undefined;
    if (inScope !== undefined) return inScope;
    const resolver = resolverFor(document.facts.language);
    for (const one of document.facts.imports) {
      if (!one.wildcard) continue;
      const module = resolver.module(questions, document, one);
      const found = module === undefined || module.kind === 'external' ? undefined : member(module, name);
      if (found !== undefined) return found;
    }
    return resolver.free?.(questions, document, name);
  };

  const member = (of: Value, name: string): Value | undefined => {
    switch (of.kind) {
      case 'definition':
        return memberOfDefinition(of, name);
      case 'module':
        return exportOf(of.path, name) ?? (name === 'default' ? wholeExport(of.path) : undefined);
      case 'scope':
        return definitionsNamed(of.scope, '', name);
      case 'external':
        return { ...of, name: of.name === '' ? name : `${of.name}.${name}` };
      case 'instance':
        return memberOfValue(of, name);
      case 'applied':
        return member(of.of, name);
      case 'either':
        return first(of.options, one => member(one, name));
      case 'function':
      case 'method':
        return undefined;
    }
  };

  const memberOfValue = (value: Extract<Value, { kind: 'instance' }>, name: string): Value | undefined => {
    const type = value.of.kind === 'applied' ? value.of.of : value.of;
    if (type.kind !== 'external') return member(type, name);
    const inside = positionOf(value, name);
    if (inside !== undefined) return inside;
    const through = throughOf(value);
    if (through !== undefined) return member(instance(through), name);
    const result = functionBehind(value);
    if (result !== undefined) return then(call(result), given => member(given, name));
    return { kind: 'method', receiver: value, name };
  };

  const memberOfDefinition = (of: DefinitionValue, name: string): Value | undefined =>
    cells.get(`m${of.scope}\0${of.tail}\0${name}`, () => {
      const own = definitionsNamed(of.scope, of.tail, name);
      if (own !== undefined) return own;
      switch (roleOf(of)) {
        case 'type':
          return inherited(of, name);
        case 'callable':
          return definitionsNamed(of.scope, prototypeOf(of.tail), name);
        case 'value':
        case 'alias':
          return then(typeOf(of), type => member(type, name));
        case 'place':
          return undefined;
      }
    });

  const inherited = (of: DefinitionValue, name: string): Value | undefined => {
    for (const { document, slot } of of.sites) {
      for (const index of document.facts.definitions[slot]!.supers) {
        const base = evaluate(document, index);
        const found = base === undefined ? undefined : member(instance(base), name);
        if (found !== undefined && found.kind !== 'method' && found.kind !== 'external') return found;
      }
    }
    return undefined;
  };

  const baseOf = (document: MountedDocument, slot: number): Value | undefined => {
    const [base] = document.facts.definitions[slot]!.supers;
    return base === undefined ? undefined : evaluate(document, base);
  };

  /** The value of a variable, the result of a function, what an alias stands for. */
  const typeOf = (of: DefinitionValue): Value | undefined =>
    cells.get(`t${of.scope}\0${of.tail}`, () =>
      first(of.sites, ({ document, slot }) => {
        const { type } = document.facts.definitions[slot]!;
        return type < 0 ? undefined : either(optionsOf(evaluate(document, type)).filter(one => !isSelf(of, one)));
      }),
    );

  const call = (of: Value): Value | undefined => {
    switch (of.kind) {
      case 'definition':
        return callDefinition(of);
      case 'function':
        return of.of;
      case 'either':
        return first(of.options, call);
      case 'method':
        return resultOf(of.receiver, of.name);
      case 'applied':
        return of.of.kind === 'definition' && roleOf(of.of) === 'type' ? instance(of) : call(of.of);
      case 'instance':
        return of.of.kind === 'definition' && roleOf(of.of) === 'alias' ? callDefinition(of.of) : undefined;
      case 'external':
      case 'module':
      case 'scope':
        return undefined;
    }
  };

  const callDefinition = (of: DefinitionValue): Value | undefined =>
    cells.get(`c${of.scope}\0${of.tail}`, () => resultOfDefinition(of));

  const resultOfDefinition = (of: DefinitionValue): Value | undefined => {
    switch (roleOf(of)) {
      case 'type':
        return instance(of);
      case 'callable':
        return typeOf(of);
      case 'value':
        return then(typeOf(of), call);
      case 'alias':
        // Where a named type is called, it converts (Go) or makes a value of it.
        return then(typeOf(of), call) ?? instance(of);
      case 'place':
        return undefined;
    }
  };

  const parameter = (of: Value, position: number): Value | undefined => {
    switch (of.kind) {
      case 'definition':
        return cells.get(`p${position}\0${of.scope}\0${of.tail}`, () => parameterOfDefinition(of, position));
      case 'applied':
        return of.of.kind === 'function' ? of.arguments[position] : parameter(of.of, position);
      case 'either':
        return first(of.options, one => parameter(one, position));
      case 'instance':
        return of.of.kind === 'definition' && roleOf(of.of) === 'alias' ? parameter(of.of, position) : undefined;
      case 'function':
      case 'method':
      case 'external':
      case 'module':
      case 'scope':
        return undefined;
    }
  };

  const parameterOfDefinition = (of: DefinitionValue, position: number): Value | undefined => {
    switch (roleOf(of)) {
      case 'callable':
        return first(of.sites, ({ document, slot }) => {
          const index = document.facts.definitions[slot]!.supers[position];
          return index === undefined ? undefined : evaluate(document, index);
        });
      case 'type':
        return then(memberOfDefinition(of, 'constructor'), made => parameter(made, position));
      case 'value':
      case 'alias':
        return then(typeOf(of), type => parameter(type, position));
      case 'place':
        return undefined;
    }
  };

  /** Looks through variables, aliases and unions for a library type to take apart. */
  const unpack = (of: Value, part: 'element' | 'awaited'): Value | undefined => {
    if (of.kind === 'either') return first(of.options, one => unpack(one, part));
    const inner = of.kind === 'instance' ? of.of : of;
    if (inner.kind === 'definition' && (roleOf(inner) === 'value' || roleOf(inner) === 'alias')) {
      const key = `${part}\0${inner.scope}\0${inner.tail}`;
      return cells.get(key, () => then(typeOf(inner), type => unpack(type, part)));
    }
    return then(part === 'element' ? elementOf(of) : awaitedOf(of), instance);
  };

  return { cells, evaluate };
}

/** What a definition can be used as. */
type Role = 'type' | 'alias' | 'callable' | 'value' | 'place';

function roleOf(of: DefinitionValue): Role {
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

/** Does a definition stand for a type (as opposed to a value) of its name? */
export function isType(value: Value): boolean {
  if (value.kind !== 'definition') return false;
  const role = roleOf(value);
  return role === 'type' || role === 'alias';
}

/** A value of a type; a value stays what it is. */
function instance(of: Value): Value {
  switch (of.kind) {
    case 'instance':
    case 'function':
    case 'method':
      return of;
    case 'either': {
      const types = of.options.filter(one => isType(one));
      const options = (types.length > 0 ? types : of.options).map(instance);
      return options.length === 1 ? options[0]! : { kind: 'either', options };
    }
    case 'definition':
      return roleOf(of) === 'value' ? of : { kind: 'instance', of };
    case 'applied':
      return of.of.kind === 'function' ? of : { kind: 'instance', of };
    case 'external':
    case 'module':
    case 'scope':
      return { kind: 'instance', of };
  }
}

/** A type that has members of its own besides what it is built from mentions itself. */
function isSelf(of: DefinitionValue, value: Value): boolean {
  const inner = value.kind === 'instance' ? value.of : value;
  return inner.kind === 'definition' && inner.tail === of.tail && inner.scope === of.scope;
}

function apply(of: Value, argument: Value | undefined): Value {
  if (of.kind === 'either') return apply(of.options.find(isType) ?? of.options[0]!, argument);
  if (of.kind === 'applied') return { kind: 'applied', of: of.of, arguments: [...of.arguments, argument] };
  return { kind: 'applied', of, arguments: [argument] };
}

/** In JavaScript a function is its own class: `X().` has its methods under `X#`. */
function prototypeOf(tail: string): string {
  return tail.replace(/\([^()]*\)\.$/, '#');
}

function either(values: readonly (Value | undefined)[]): Value | undefined {
  const options = values.flatMap(value => optionsOf(value)).slice(0, maxOptions);
  return options.length <= 1 ? options[0] : { kind: 'either', options };
}

function optionsOf(value: Value | undefined): readonly Value[] {
  if (value === undefined) return [];
  return value.kind === 'either' ? value.options : [value];
}

function pick(value: Value | undefined, tail: string): Value | undefined {
  return optionsOf(value).find(one => one.kind === 'definition' && one.tail === tail);
}

function first<T, R>(many: readonly T[], find: (one: T) => R | undefined): R | undefined {
  for (const one of many) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

function then(value: Value | undefined, next: (value: Value) => Value | undefined): Value | undefined {
  return value === undefined ? undefined : next(value);
}
