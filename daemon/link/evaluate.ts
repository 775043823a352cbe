import type { MountedDocument } from '../model/document.ts';
import type { Expression, ImportFact, ReferenceFact } from '../model/facts.ts';
import { prototypeOf, returnedSegment } from '../model/identity.ts';
import { scopeOfTail } from '../model/mount.ts';
import { type Cells, type CellTable, createCells } from './cells.ts';
import { definitionCells } from './definition-cells.ts';
import { createDefinitions } from './definitions.ts';
import { ownerOf, substituted, through, within } from './environments.ts';
import { createExports } from './exports.ts';
import { foreignResult } from './foreign.ts';
import { createImports } from './imports.ts';
import { createInheritance } from './inheritance.ts';
import { apply, instance, isSelf } from './instances.ts';
import { fileClass, ofFile } from './jvm-files.ts';
import { functionBehind, heldUnder, isNever, isPresumed, resultOf, throughOf } from './library.ts';
import type { Manifest } from './manifest.ts';
import { either, first, onSide, optionsOf, otherwise, then } from './options.ts';
import { chosen, overloadRules } from './overloads.ts';
import { ownRules } from './own-rules.ts';
import { createParameters } from './parameters.ts';
import { received, receiverOf } from './receivers.ts';
import { recordedQuestions } from './recorded-questions.ts';
import type { Lookup } from './resolver.ts';
import { resolverFor } from './resolvers.ts';
import {
  hasAccessor,
  heldBy,
  inCallersEyes,
  isResult,
  isType,
  isUndeclared,
  roleOf,
  withoutConstructors,
} from './roles.ts';
import { createUnpacking } from './unpacking.ts';
import type { DefinitionValue, Value } from './values.ts';
import { plainName } from './written-names.ts';

export interface Evaluator {
  readonly cells: Cells<Value, MountedDocument>;
  /** What the expression at `index` of the document's facts denotes; undefined where nothing is known. */
  evaluate(document: MountedDocument, index: number): Value | undefined;
  /** What its language's rules take a reference for that denotes nothing known. */
  guess(document: MountedDocument, reference: ReferenceFact): DefinitionValue | undefined;
  /** The module that an import names. */
  moduleOf(document: MountedDocument, one: ImportFact): Value | undefined;
  /** Whether no file that one hands on exports a name; undefined where not all of them are known by their paths. */
  lacksBehind(path: string, name: string): boolean | undefined;
  /** Whether a module has nothing of that name; undefined where its language has no order of its own for that: see `Resolver`. */
  lacksInModule(path: string, place: string, name: string): boolean | undefined;
  /** Asks what a document must be linked anew for because others look through it. */
  askAsHander(document: MountedDocument): void;
}

/**
 * Evaluates expressions across the documents of a manifest. Everything that is read of another document goes through a
 * recorded question, and every step is memoised in a cell: see `cells.ts` for why the results don't depend on order.
 */
export function createEvaluator(manifest: Manifest): Evaluator {
  const cells = createCells<Value, MountedDocument>(({ facts }) => facts.expressions.length);
  const computeAt = (document: MountedDocument, index: number): Value | undefined =>
    compute(document, document.facts.expressions[index]!);
  const evaluate = (document: MountedDocument, index: number): Value | undefined =>
    cells.at(document, index, computeAt);
  const cellsOf = definitionCells();
  const byOwnRules: CellTable<Value> = new Map();
  const definitions = createDefinitions(manifest, cells);
  const questions = recordedQuestions(manifest, cells, definitions);
  const exports = createExports(manifest, cells, questions, evaluate);

  const compute = (document: MountedDocument, one: Expression): Value | undefined => {
    switch (one.op) {
      case 'slot':
        return definitions.at(document, one.slot);
      case 'import':
        return imports.of(document, document.facts.imports[one.import]!);
      case 'free':
        return free(document, one.name);
      case 'member':
        return memberSeenFrom(document, evaluate(document, one.of), one.name);
      case 'call':
        return received(then(evaluate(document, one.of), call), () =>
          receiverOf(document, one.of, evaluate, definitions),
        );
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
      case 'otherwise':
        return otherwise(evaluate(document, one.of), () => evaluate(document, one.other));
      case 'function':
        return { kind: 'function', of: evaluate(document, one.of) };
      case 'parameter':
        return then(evaluate(document, one.of), of => parameter(of, one.position));
      case 'argument':
        return variable(document, one.slot, one.position);
      case 'overload':
        return then(callable(document, one.of), of =>
          (resolverFor(document.facts.language).overload ?? chosen)(
            of,
            one.arguments.map(index => () => (index < 0 ? undefined : evaluate(document, index))),
            overloads,
          ),
        );
      case 'unknown':
        return undefined;
    }
  };

  const variable = (document: MountedDocument, slot: number, position: number): Value => {
    const { tail } = document.facts.definitions[slot]!;
    return { kind: 'variable', owner: ownerOf(scopeOfTail(document, tail), tail), position };
  };

  const moduleOf = (document: MountedDocument, one: ImportFact): Value | undefined => imports.moduleOf(document, one);

  const free = (document: MountedDocument, name: string): Value | undefined => {
    const resolver = resolverFor(document.facts.language);
    if (resolver.named !== undefined) return resolver.named(look, document, name);
    const shared = document.scope !== (document.path as string);
    const inScope = shared ? definitions.named(document.scope, '', name) : undefined;
    if (inScope !== undefined) return inScope;
    for (const one of document.facts.imports) {
      if (!one.wildcard) continue;
      const module = resolver.module(questions, document, one);
      const found = module === undefined || module.kind === 'external' ? undefined : member(module, name);
      if (found !== undefined) return found;
    }
    return resolver.free?.(questions, document, name) ?? imports.ambient(document, name);
  };

  /** Its own member before what others add to it, and that before what a library's type may have. */
  const memberSeenFrom = (document: MountedDocument, of: Value | undefined, name: string): Value | undefined => {
    const own = then(of, one => member(one, name));
    if (own !== undefined && own.kind !== 'method') return own;
    return resolverFor(document.facts.language).extension?.(look, document, of, name) ?? own;
  };

  /** The same of what is called: in some languages others add methods alone. */
  const callable = (document: MountedDocument, index: number): Value | undefined => {
    const found = evaluate(document, index);
    const one = document.facts.expressions[index]!;
    const { extensionMethod } = resolverFor(document.facts.language);
    if (one.op !== 'member' || (found !== undefined && found.kind !== 'method')) return found;
    return extensionMethod?.(look, document, evaluate(document, one.of), one.name) ?? found;
  };

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
        return memberOfModule(of.path, name);
      case 'scope':
        return ofFile(definitions.named(of.scope, '', name), of.path) ?? fileClass(questions, of.scope, name);
      case 'external':
        return { ...of, name: [of.name, plainName(name)].filter(Boolean).join('.') };
      case 'instance':
        return memberOfValue(of, name);
      case 'applied':
        return member(of.of, name);
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
    const { inModule } = resolverFor(manifest.document(path)?.facts.language ?? '');
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
    if (inside !== undefined) return inside;
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

  const held = (of: Value | undefined): Value | undefined => {
    const value = heldBy(of, typeOf);
    return value?.kind === 'method' ? resultOf(value.receiver, value.name) : value;
  };
  const look: Lookup = {
    ...questions,
    evaluate,
    member,
    held,
    free: (...of) => free(...of),
    imported: (...of) => imports.of(...of),
    exported: (...of) => exports.of(...of),
    call: of => call(of),
    basesOf: of => basesOf(of),
  };
  const imports = createImports({ cells, questions, exports, definitions, member });
  const { inherited, upFrom, basesOf } = createInheritance(evaluate, (base, name) =>
    memberOfEither(instance(base), name),
  );

  const impliedOf = (of: DefinitionValue, name: string): Value | undefined =>
    resolverFor(of.sites[0]!.document.facts.language).implied?.(look, of, name);

  const baseOf = (document: MountedDocument, slot: number): Value | undefined => {
    const [base] = document.facts.definitions[slot]!.supers;
    return base === undefined ? undefined : evaluate(document, base);
  };

  /** The value of a variable, the result of a function, what an alias stands for. */
  const typeOf = (of: DefinitionValue): Value | undefined => {
    const bare = cells.get(cellsOf({ scope: of.scope, tail: of.tail }).facets, 'type', () =>
      first(inCallersEyes(of), ({ document, slot }) => {
        const { type } = document.facts.definitions[slot]!;
        return type < 0
          ? undefined
          : either(optionsOf(evaluate(document, type)).filter(one => isResult(of, one) || !isSelf(of, one)));
      }),
    );
    return of.environment === undefined ? bare : within(bare, of.environment);
  };

  /** The function that a value of a type is; what a function makes, which is of the function itself, is none. */
  const signatureOf = (of: DefinitionValue): Value | undefined => (roleOf(of) === 'callable' ? undefined : typeOf(of));

  const call = (of: Value): Value | undefined => {
    switch (of.kind) {
      case 'definition':
        // A named type that is called converts to itself (Go, C++), whatever calling a value of it gives.
        return roleOf(of) === 'alias' ? instance(of) : callDefinition(of);
      case 'function':
        return of.of;
      case 'either':
        return first(of.options, call);
      case 'method':
        return resultOf(of.receiver, of.name) ?? foreignResult(of, '()');
      case 'applied':
        if (of.of.kind === 'method') return resultOf(of.of.receiver, of.of.name, of.arguments[0]);
        if (of.of.kind === 'external') return undefined;
        if (of.of.kind !== 'definition') return call(of.of);
        return isType(of.of) ? instance(of) : substituted(call(of.of), of);
      case 'instance':
        return through(of.of, type =>
          roleOf(type) === 'alias' ? callDefinition(type) : then(signatureOf(type), call),
        );
      case 'external':
        return foreignResult(of, '()');
      case 'variable':
      case 'module':
      case 'scope':
        return undefined;
    }
  };

  const callDefinition = (of: DefinitionValue): Value | undefined =>
    cells.get(cellsOf(of).facets, 'call', () => resultOfDefinition(of));

  const resultOfDefinition = (of: DefinitionValue): Value | undefined => {
    switch (roleOf(of)) {
      case 'type':
        return instance(of);
      case 'callable':
        return typeOf(of);
      case 'value':
      case 'alias':
        return then(typeOf(of), call) ?? (hasAccessor(of) ? typeOf(of) : undefined);
      case 'place':
        return undefined;
    }
  };

  const parameter = createParameters({
    cells,
    cellsOf,
    evaluate,
    typeOf,
    signatureOf,
    constructorOf: of => memberOfDefinition(of, 'constructor'),
  });

  const unpack = createUnpacking({ cells, cellsOf, typeOf, basesOf });
  const overloads = overloadRules({ parameter, upFrom, inherited, at: definitions.at, evaluate, held, basesOf });

  const guess = (document: MountedDocument, reference: ReferenceFact): DefinitionValue | undefined =>
    resolverFor(document.facts.language).guess?.(look, document, reference);

  const lacksInModule = (path: string, place: string, name: string): boolean | undefined => {
    const { lacksInModule } = resolverFor(manifest.document(path)?.facts.language ?? '');
    return lacksInModule?.(look, path, place, name);
  };

  const { lacksBehind, askAsHander } = exports;
  return { cells, evaluate, guess, moduleOf, lacksBehind, lacksInModule, askAsHander };
}
