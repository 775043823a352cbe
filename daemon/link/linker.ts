import type { MountedDocument } from '../model/document.ts';
import type { DocumentFacts, ReferenceFact } from '../model/facts.ts';
import type { DocumentLinks, ImportTarget, Target } from '../model/links.ts';
import { scopeOfTail } from '../model/mount.ts';
import { allGroups, asHander, asImporter, groupOf, type ReferenceGroups } from '../model/reference-groups.ts';
import { elsewhereTest } from './elsewhere.ts';
import { createEvaluator } from './evaluate.ts';
import { recordHaving } from './go/records.ts';
import { importTargets } from './import-targets.ts';
import { besidesInFull } from './in-full.ts';
import type { Manifest } from './manifest.ts';
import { knowsOverloads, overloadsFunctions } from './resolvers.ts';
import { isPlace, isType, roleOf } from './roles.ts';
import { surfaceOf } from './surface.ts';
import { type DefinitionValue, ofOtherUse, type Value } from './values.ts';

/** Links are stored as this number made them: it rises whenever the same facts would be mounted or linked otherwise. */
export const linkerVersion = 69;

export interface Linker {
  /**
   * The targets of a document's references and imports, in their order, and every question they rest on, as far as they
   * are of some groups, all if left out. Of an absent document: nothing.
   */
  link(path: string, groups?: ReferenceGroups): DocumentLinks;
  /** Results that are remembered: what the linker has grown by, and keeps documents alive with. */
  readonly size: number;
}

/**
 * Links documents of one manifest. Work on documents that many others use is shared for the linker's lifetime, so a
 * linker serves one batch and is then dropped; it never outlives its manifest. What it says depends on no batch.
 */
export function createLinker(manifest: Manifest): Linker {
  const evaluator = createEvaluator(manifest);
  const { cells, look, evaluate, guess, constructorOf, askAsHander } = evaluator;
  const isElsewhere = elsewhereTest(manifest, evaluator);
  const settled = (document: MountedDocument, reference: ReferenceFact): Target => {
    const value = evaluate(document, reference.expression);
    const inRecord = value?.kind === 'definition' ? undefined : recordNamed(document, reference);
    if (inRecord !== undefined) return inRecord === 'struct' ? own : candidate;
    if (value === undefined) {
      if (isElsewhere(document, reference)) return elsewhere;
      const guessed = guess(document, reference);
      return guessed === undefined ? candidate : targetOf(document, reference, guessed);
    }
    const made = reference.kind === 'call' ? madeBy(value) : undefined;
    const maker = made === undefined ? undefined : constructorOf(document, reference, made);
    return targetOf(document, reference, maker ?? value);
  };
  /** A field of a type without a name in a function is what a local is: not known to anybody else. */
  const recordNamed = (document: MountedDocument, { expression }: ReferenceFact) => {
    const one = document.facts.expressions[expression]!;
    return one.op === 'member' ? recordHaving(evaluate(document, one.of), one.name) : undefined;
  };
  return {
    get size() {
      return cells.size;
    },
    link(path, groups = allGroups) {
      const document = manifest.document(path);
      if (document === undefined) return { targets: [], imports: [], questions: [], linked: groups };
      let targets: readonly Target[] = [];
      let imports: readonly ImportTarget[] = [];
      const asked = cells.record(enter => {
        targets = targetsOf(document, groups, (reference, group) => {
          enter(group);
          return settled(document, reference);
        });
        if ((groups & asImporter) !== 0) {
          enter(asImporter);
          imports = importTargets(look, document);
        }
        if ((groups & asHander) === 0) return;
        enter(asHander);
        askAsHander(document);
      });
      // Its own expressions are most of what is remembered, and few of them are anybody else's.
      cells.forget(document);
      // Where it changes, it is linked anyway.
      const questions = asked.filter(({ question }) => question.about !== document.path);
      return { targets, imports, questions, linked: groups };
    },
  };
}

type Settle = (reference: ReferenceFact, group: ReferenceGroups) => Target;

/** A reference is settled as the one before it that says the same, but for writes, of which some stand where the name is defined. */
function targetsOf(document: MountedDocument, groups: ReferenceGroups, settled: Settle): readonly Target[] {
  const { expressions, references } = document.facts;
  const last = new Array<{ readonly like: ReferenceFact; readonly target: Target } | undefined>(expressions.length);
  return references.map(one => {
    const { kind, name, expression } = one;
    const known = last[expression];
    if (known !== undefined && known.like.kind === kind && known.like.name === name) return known.target;
    const group = groupOf(expressions, expression);
    const target = (groups & group) === 0 ? kept : settled(one, group);
    if (kind !== 'write') last[expression] = { like: one, target };
    return target;
  });
}

/** Of more functions that fit a call as well as each other none is said to be meant. */
const maxGuesses = 3;

const candidate: Target = { kind: 'candidate' };
const kept: Target = { kind: 'kept' };
const own: Target = { kind: 'own' };
const elsewhere: Target = { kind: 'candidate', isElsewhere: true };

function targetOf(document: MountedDocument, reference: ReferenceFact, value: Value): Target {
  if (value === ofOtherUse) return own;
  const isOverloaded = knowsOverloads(document.facts.language);
  const among = value.kind !== 'either' ? [value] : isOverloaded ? usedAs(value.options, reference) : value.options;
  const options = among.length > 1 ? distinct(among) : among;
  // What is imported of functions that overload each other are all of them.
  if (isOverloaded && options.length > maxGuesses && reference.kind !== 'import') return candidate;
  if (overloadsFunctions(document.facts.language) && reference.kind !== 'import' && areOverloads(options))
    return candidate;
  const isImportOfAll = isOverloaded && reference.kind === 'import';
  const chosen = options.length > 1 ? preferred(options, reference) : options[0];
  switch (chosen?.kind) {
    case 'definition': {
      if (reference.kind === 'write' && isDefinedBy(chosen, document, reference)) return own;
      const evident = confidenceOf(document.facts, reference.expression, options.length > 1 && !isImportOfAll);
      const confidence = options.length > 1 ? evident : (chosen.confidence ?? evident);
      return { kind: 'symbol', scope: chosen.scope, tail: chosen.tail, confidence };
    }
    case 'external':
      return { kind: 'external', manager: chosen.manager, package: chosen.package, name: chosen.name };
    case 'method':
      return methodTarget(chosen);
    case 'applied':
      return targetOf(document, reference, chosen.of);
    default:
      // A module, a parameter's type, a value that is made on the way: known, and no definition.
      return elsewhere;
  }
}

/**
 * Functions of one name that a call's arguments don't tell apart: any of them may be meant, and none is linked. That goes
 * for methods, free functions and constructors alike, of which the class is what is known.
 */
function areOverloads(options: readonly Value[]): boolean {
  return options.length > 1 && options.every(one => isOfKind(one, /^(?:function|method|constructor)$/));
}

function isOfKind(one: Value, kind: RegExp): boolean {
  if (one.kind !== 'definition') return false;
  const { document, slot } = one.sites[0]!;
  return kind.test(document.facts.definitions[slot]!.kind);
}

/** The class that a call makes a value of. */
function madeBy(value: Value): DefinitionValue | undefined {
  const type = value.kind === 'applied' ? value.of : value;
  return type.kind === 'definition' && roleOf(type) === 'type' ? type : undefined;
}

/** Signatures that a language lists for one function are one symbol. */
function distinct(options: readonly Value[]): readonly Value[] {
  const seen = new Set<string>();
  return options.filter(one => {
    if (one.kind !== 'definition') return true;
    const key = `${one.scope}\0${one.tail}`;
    return !seen.has(key) && seen.add(key);
  });
}

function isDefinedBy({ scope, tail }: DefinitionValue, document: MountedDocument, at: ReferenceFact): boolean {
  if (scopeOfTail(document, tail) !== scope) return false;
  return (surfaceOf(document.facts).byTail.get(tail) ?? []).some(slot => {
    const { startLine, startColumn } = document.facts.definitions[slot]!.nameRange;
    return startLine === at.line && startColumn === at.column;
  });
}

/** A field and a method of one name: which one is meant shows in its use. */
function usedAs(options: readonly Value[], { kind }: ReferenceFact): readonly Value[] {
  if (kind === 'import') return withoutMacros(options);
  const isMeant = (one: Value): boolean => {
    if (one.kind !== 'definition') return true;
    const role = roleOf(one);
    if (kind === 'type' || kind === 'implementation') return role !== 'callable' && role !== 'value';
    if (kind === 'read' || kind === 'write') return role !== 'callable';
    return role === 'callable' || role === 'type';
  };
  const meant = options.filter(isMeant);
  // A type is read where no value of its name is: `sizeof(name)`.
  const values = kind === 'read' || kind === 'write' ? meant.filter(one => !isType(one)) : [];
  if (values.length > 0) return values;
  return meant.length === 0 ? options : meant;
}

/** An import of a trait and of the macro that derives it is one of the trait: the macro is what few of its users mean. */
function withoutMacros(options: readonly Value[]): readonly Value[] {
  const others = options.filter(one => !isOfKind(one, /^macro$/));
  return others.length === 0 ? options : others;
}

/** What only holds others is meant where nothing else can be. */
function preferred(options: readonly Value[], reference: ReferenceFact): Value | undefined {
  const wantsType = reference.kind === 'type' || reference.kind === 'implementation';
  const fits = (one: Value): boolean => one.kind === 'definition' && isType(one) === wantsType;
  return (
    options.find(one => fits(one) && !isPlace(one)) ??
    options.find(one => one.kind === 'external') ??
    options.find(fits) ??
    options[0]
  );
}

function methodTarget(method: Extract<Value, { kind: 'method' }>): Target {
  const { receiver } = method;
  const type = receiver.kind === 'instance' ? receiver.of : receiver;
  const bare = type.kind === 'applied' ? type.of : type;
  if (bare.kind !== 'external') return elsewhere;
  return {
    kind: 'external',
    manager: bare.manager,
    package: bare.package,
    name: `${bare.name.replace(/\{.*/, '')}.${method.name}`,
  };
}

/** A name that scope and imports settle is sure; one found through a receiver's type is as sure as that type's evidence. */
function confidenceOf(facts: DocumentFacts, index: number, ambiguous: boolean): number {
  if (ambiguous) return 0.7;
  const one = facts.expressions[index]!;
  if (one.op === 'overload') return confidenceOf(facts, one.of, false);
  if (one.op === 'slot' || one.op === 'import') return 1;
  if (one.op === 'either' && isOfSlots(facts, index)) return 1;
  const besides = besidesInFull(facts.expressions, index);
  if (besides !== index) return confidenceOf(facts, besides, false);
  if (one.op !== 'member') return 0.95;
  return pathLanguages.has(facts.language) && isPath(facts, one.of) ? 0.95 : 0.9;
}

/** Languages that write the members of modules, namespaces and types as paths, which say what they are members of. */
const pathLanguages: ReadonlySet<string> = new Set(['rust', 'c', 'cpp']);

/** Whether an expression is definitions of the file alone, as the signatures of a function are. */
function isOfSlots({ expressions }: DocumentFacts, index: number): boolean {
  const pending = [index];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const one = expressions[at]!;
    if (one.op === 'either') pending.push(one.of, one.other);
    else if (one.op !== 'slot') return false;
  }
  return true;
}

/** Whether an expression is names alone, no value among them. */
function isPath({ expressions }: DocumentFacts, index: number): boolean {
  const pending = [index];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const one = expressions[at]!;
    if (one.op === 'otherwise') pending.push(one.of, one.other);
    else if (one.op === 'member') pending.push(one.of);
    else if (one.op !== 'free' && one.op !== 'slot') return false;
  }
  return true;
}
