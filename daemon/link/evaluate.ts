import type { MountedDocument } from '../model/document.ts';
import { type Expression, guardPosition, type ImportFact, type ReferenceFact } from '../model/facts.ts';
import { scopeOfTail } from '../model/mount.ts';
import { type Cells, createCells } from './cells.ts';
import { definitionCells } from './definition-cells.ts';
import { createDefinitions } from './definitions.ts';
import { ownerOf } from './environments.ts';
import { createExports } from './exports.ts';
import { createImports } from './imports.ts';
import { apply, bounded, instance } from './instances.ts';
import type { Manifest } from './manifest.ts';
import { createMembers } from './members.ts';
import { narrowed } from './narrowing.ts';
import { operated, signOf } from './operators.ts';
import { either, otherwise, then } from './options.ts';
import { chosen, overloadRules } from './overloads.ts';
import { createParameters } from './parameters.ts';
import { received, receiverOf } from './receivers.ts';
import { recordedQuestions } from './recorded-questions.ts';
import type { Lookup } from './resolver.ts';
import { resolverFor } from './resolvers.ts';
import { createResults } from './results.ts';
import { onlyConstructors } from './roles.ts';
import { createUnpacking } from './unpacking.ts';
import type { DefinitionValue, Value } from './values.ts';

export interface Evaluator {
  readonly cells: Cells<Value, MountedDocument>;
  readonly look: Lookup;
  /** What the expression at `index` of the document's facts denotes; undefined where nothing is known. */
  evaluate(document: MountedDocument, index: number): Value | undefined;
  /** What its language's rules take a reference for that denotes nothing known. */
  guess(document: MountedDocument, reference: ReferenceFact): DefinitionValue | undefined;
  /**
   * The constructor that a call means, by its arguments, which makes a value of a class; undefined where the class has no
   * two, or the syntax doesn't tell.
   */
  constructorOf(document: MountedDocument, call: ReferenceFact, of: DefinitionValue): DefinitionValue | undefined;
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
  const definitions = createDefinitions(manifest, cells);
  const questions = recordedQuestions(manifest, cells, definitions);
  const exports = createExports(manifest, cells, questions, evaluate);
  const { typeOf, signatureOf, call, held } = createResults({ cells, cellsOf, evaluate });
  const languageOf = (path: string): string => manifest.document(path)?.facts.language ?? '';
  const look: Lookup = {
    ...questions,
    evaluate,
    call,
    held,
    member: (of, name) => member(of, name),
    free: (document, name) => free(document, name),
    imported: (document, one) => imports.of(document, one),
    exported: exports.of,
    basesOf: of => basesOf(of),
  };
  const { member, memberOfDefinition, inherited, upFrom, basesOf } = createMembers({
    ...{ cells, cellsOf, definitions, exports, look, languageOf, typeOf },
  });
  const imports = createImports({ cells, questions, exports, definitions, member });
  const parameter = createParameters({
    ...{ cells, cellsOf, evaluate, typeOf, signatureOf, call, held },
    constructorOf: of => memberOfDefinition(of, 'constructor') ?? either(constructorsOf(of)),
  });
  const unpack = createUnpacking({ cells, cellsOf, typeOf, basesOf });
  const overloads = overloadRules({
    parameter: (of, position) => parameter(calledPlainly(of), position),
    upFrom,
    inherited,
    at: definitions.at,
    evaluate,
    held,
    basesOf,
    free: (document, name) => free(document, name),
  });

  const receivers = {
    ...{ evaluate, definitions },
    ofName: (document: MountedDocument, name: string) => resolverFor(document.facts.language).receiver?.(look, name),
  };

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
        return received(then(evaluate(document, one.of), call), () => receiverOf(document, one.of, receivers));
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
        if (isGuard(document.facts.expressions[one.of]!))
          return narrowed(evaluate(document, one.of), evaluate(document, one.other), { typeOf, upFrom });
        return either([evaluate(document, one.of), evaluate(document, one.other)]);
      case 'otherwise':
        return otherwise(evaluate(document, one.of), () => evaluate(document, one.other));
      case 'function':
        return { kind: 'function', of: evaluate(document, one.of) };
      case 'parameter':
        return received(
          then(evaluate(document, one.of), of => parameter(of, one.position)),
          () => receiverOf(document, one.of, receivers),
        );
      case 'argument':
        return variable(document, one.slot, one.position);
      case 'overload':
        return signOf(document, one.of) === ''
          ? then(callable(document, one.of), of => meant(document, of, one.arguments))
          : operated(
              signOf(document, one.of),
              one.arguments.map(index => valueGiven(document, index)),
            );
      case 'unknown':
        return undefined;
    }
  };

  const valueGiven = (document: MountedDocument, index: number): Value | undefined =>
    index < 0 ? undefined : held(evaluate(document, index));

  /** The function that a call with such arguments means of those that a value is. */
  const meant = (document: MountedDocument, of: Value, given: readonly number[]): Value =>
    (resolverFor(document.facts.language).overload ?? chosen)(
      of,
      given.map(index => () => (index < 0 ? undefined : evaluate(document, index))),
      overloads,
    );

  const constructorsOf = (of: DefinitionValue): readonly DefinitionValue[] => {
    const { document, slot } = of.sites[0]!;
    const { constructors } = resolverFor(document.facts.language);
    if (constructors === undefined) return [];
    const name = constructors === 'its name' ? document.facts.definitions[slot]!.name : constructors;
    return onlyConstructors(definitions.named(of.scope, of.tail, name));
  };

  const constructorOf: Evaluator['constructorOf'] = (document, call, of) => {
    const one = document.facts.expressions[call.expression]!;
    const { constructors, constructed } = resolverFor(of.sites[0]!.document.facts.language);
    if (one.op !== 'overload' || constructors === undefined) return undefined;
    const all = constructorsOf(of);
    if (constructed !== undefined)
      return constructed(
        all,
        one.arguments.map(index => () => valueGiven(document, index)),
        overloads,
      );
    if (all.length < 2) return undefined;
    const found = meant(document, { kind: 'either', options: all }, one.arguments);
    return found.kind === 'definition' ? found : undefined;
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
    const { pointed } = resolverFor(document.facts.language);
    if (pointed !== undefined && (name === '->' || name === '*')) return then(of, one => pointed(look, one, name));
    const { seenFrom, extension } = resolverFor(document.facts.language);
    const own = then(of, one => (seenFrom === undefined ? member(one, name) : seenFrom(look, document, one, name)));
    if (own !== undefined && own.kind !== 'method') return own;
    return extension?.(look, document, then(of, bounded), name) ?? own;
  };

  /** The same of what is called: in some languages others add methods alone. */
  const callable = (document: MountedDocument, index: number): Value | undefined => {
    const found = evaluate(document, index);
    const { expressions, language } = document.facts;
    const written = expressions[index]!;
    const one = written.op === 'otherwise' ? expressions[written.of]! : written;
    const { extensionMethod } = resolverFor(language);
    if (one.op !== 'member' || !(found === undefined || /^(?:method|external)$/.test(found.kind))) return found;
    return extensionMethod?.(look, document, evaluate(document, one.of), one.name) ?? found;
  };

  const baseOf = (document: MountedDocument, slot: number): Value | undefined => {
    const { extended } = resolverFor(document.facts.language);
    const own = extended === undefined ? undefined : definitions.at(document, slot);
    if (own?.kind === 'definition') return extended!(look, own);
    const [base] = document.facts.definitions[slot]!.supers;
    return base === undefined ? undefined : evaluate(document, base);
  };

  const guess = (document: MountedDocument, reference: ReferenceFact): DefinitionValue | undefined =>
    resolverFor(document.facts.language).guess?.(look, document, reference);

  const lacksInModule = (path: string, place: string, name: string): boolean | undefined =>
    resolverFor(languageOf(path)).lacksInModule?.(look, path, place, name);

  const { lacksBehind, askAsHander } = exports;
  return { cells, look, evaluate, guess, constructorOf, moduleOf, lacksBehind, lacksInModule, askAsHander };
}

/** What a type guard says, beside what is known of its argument. */
function isGuard(one: Expression): boolean {
  return one.op === 'parameter' && one.position === guardPosition;
}

/** An extension as a function like any other, which takes first what it is called on. */
function calledPlainly(of: Value): Value {
  if (of.kind !== 'definition' || of.on === undefined) return of;
  const { on: _, ...plain } = of;
  return plain;
}
