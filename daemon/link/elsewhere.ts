import type { MountedDocument } from '../model/document.ts';
import type { ReferenceFact } from '../model/facts.ts';
import type { Evaluator } from './evaluate.ts';
import { foreignResult, mayBeHeld } from './foreign.ts';
import { besidesInFull } from './in-full.ts';
import { bounded, isReceiver } from './instances.ts';
import { isLibraryMember } from './library-members.ts';
import type { Manifest } from './manifest.ts';
import { optionsOf } from './options.ts';
import { traitOf } from './php/traits.ts';
import { documentsKey, exportKey } from './questions.ts';
import { knowsMembers } from './resolvers.ts';
import { roleOf } from './roles.ts';
import { surfaceOf } from './surface.ts';
import type { DefinitionValue, Value } from './values.ts';

/** Chains of variables and base types longer than this tell nothing. */
const maxSteps = 8;

/**
 * Tells, of a reference without result, whether what is known speaks against every definition of the repository that
 * bears its name: the receiver's type is known and has no such member, or the receiver comes from a dependency, or the
 * name is one that values of the language's own library have. Where nothing is known the name may still be settled by
 * itself.
 */
export function elsewhereTest(
  manifest: Manifest,
  { cells, evaluate, moduleOf, lacksBehind, lacksInModule }: Evaluator,
): (document: MountedDocument, reference: ReferenceFact) => boolean {
  const isElsewhere = (document: MountedDocument, reference: ReferenceFact): boolean => {
    const { language, expressions, imports } = document.facts;
    if (!knowsMembers(language)) return false;
    const denoted = expressions[reference.expression]!;
    const called = denoted.op === 'overload' ? denoted.of : reference.expression;
    const one = expressions[besidesInFull(expressions, called)]!;
    if (one.op === 'import') {
      const wanted = imports[one.import]!;
      const module = moduleOf(document, wanted);
      return module !== undefined && lacks(module, wanted.name, 0);
    }
    if (one.op === 'free' || one.op === 'slot') return false;
    if (isLibraryMember(language, reference.name)) return true;
    if (one.op !== 'member') return false;
    const receiver = evaluate(document, one.of);
    if (receiver === undefined) return isForeign(document, one.of, 0);
    return traitOf(receiver) === undefined && lacks(receiver, one.name, 0);
  };

  /** Whether a value in which no such member was found has none: all that it has is known. */
  const lacks = (value: Value, name: string, steps: number): boolean => {
    if (steps > maxSteps) return false;
    switch (value.kind) {
      case 'instance':
        return !isMadeByFunction(value.of) && lacks(value.of, name, steps + 1);
      case 'applied':
        return lacks(value.of, name, steps + 1);
      case 'either':
        return optionsOf(bounded(value)).every(one => lacks(one, name, steps + 1));
      case 'definition':
        return definitionLacks(value, name, steps);
      case 'module':
        return moduleLacks(value.path, name, steps);
      case 'variable':
        return isReceiver(value);
      case 'method': {
        const given = foreignResult(value, '');
        return given === undefined ? !mayBeHeld(value) : lacks(given, name, steps + 1);
      }
      case 'scope':
      case 'external':
      case 'function':
        return true;
    }
  };

  const definitionLacks = (of: DefinitionValue, name: string, steps: number): boolean => {
    const isKnown = (document: MountedDocument, index: number): boolean => {
      const value = evaluate(document, index);
      return value === undefined ? isForeign(document, index, steps + 1) : lacks(value, name, steps + 1);
    };
    switch (roleOf(of)) {
      case 'type':
        return of.sites.every(({ document, slot }) =>
          document.facts.definitions[slot]!.supers.every(base => isKnown(document, base)),
        );
      case 'value':
      case 'alias':
        return of.sites.every(({ document, slot }) => {
          const { type } = document.facts.definitions[slot]!;
          return type >= 0 && isKnown(document, type);
        });
      case 'place':
        return of.sites.every(({ document, slot }) => {
          const { type } = document.facts.definitions[slot]!;
          return type < 0 ? lacksInModule(document.path, of.tail, name) !== false : isKnown(document, type);
        });
      case 'callable':
        return true;
    }
  };

  /** What a file exports is known but for what leads nowhere, and unless it assigns all of it at once or hands on an unknown file's. */
  const moduleLacks = (path: string, name: string, steps: number): boolean => {
    cells.ask(documentsKey(path));
    cells.ask(exportKey(path, name), path);
    cells.ask(exportKey(path, '='), path);
    cells.ask(exportKey(path, '*'), path);
    const document = manifest.document(path);
    if (document === undefined) return false;
    const isLackingByRule = lacksInModule(path, '', name);
    if (isLackingByRule !== undefined) return isLackingByRule;
    const { exports, wholesale } = surfaceOf(document.facts);
    if (exports.has(name) || exports.has('=')) return false;
    const isLacking = wholesale.length === 0 ? true : lacksBehind(path, name);
    if (isLacking !== undefined) return isLacking;
    return wholesale.every(index => {
      const value = evaluate(document, index);
      return value !== undefined && optionsOf(value).every(one => lacks(one, name, steps + 1));
    });
  };

  /** Whether a value of unknown type is what a dependency's function, or something of it, gives. */
  const isForeign = (document: MountedDocument, index: number, steps: number): boolean => {
    const { expressions } = document.facts;
    const one = expressions[besidesInFull(expressions, index)]!;
    if (steps > maxSteps) return false;
    switch (one.op) {
      case 'member':
      case 'call':
      case 'overload':
      case 'element':
      case 'awaited':
      case 'instance': {
        const of = evaluate(document, one.of);
        return of === undefined ? isForeign(document, one.of, steps + 1) : givesForeign(of, steps + 1);
      }
      default:
        return false;
    }
  };

  /** Whether what is unknown of a known value is a dependency's. */
  const givesForeign = (of: Value, steps: number): boolean => {
    if (steps > maxSteps) return false;
    switch (of.kind) {
      case 'external':
        return !passesOn(of);
      case 'method':
        return !mayBeHeld(of) && givesForeign(of.receiver, steps + 1);
      case 'instance':
      case 'applied':
        return givesForeign(of.of, steps + 1);
      case 'either':
        return of.options.every(one => givesForeign(one, steps + 1));
      case 'definition':
        return of.sites.every(({ document, slot }) => {
          const { type } = document.facts.definitions[slot]!;
          return type >= 0 && evaluate(document, type) === undefined && isForeign(document, type, steps + 1);
        });
      default:
        return false;
    }
  };

  return isElsewhere;
}

/** What a function returns may have more than the keys that it writes down: it may take in other objects. */
function isMadeByFunction(of: Value): boolean {
  return of.kind === 'definition' && roleOf(of) === 'callable';
}

/** Whether what an external function gives may be what we gave it: libraries of containers, wrappers and callbacks do so. */
function passesOn({ manager, package: from, name }: Extract<Value, { kind: 'external' }>): boolean {
  if (manager !== 'std') return (manager === 'node' || manager === 'npm') && nodeHolders.has(from);
  if (from !== 'go') return true;
  // `net/http.NewRequest` is of a package, `append` of the language.
  const path = /^(?:.*\/)?[^./]*/.exec(name)?.[0] ?? '';
  return path === name || goHolders.has(path);
}

const nodeHolders: ReadonlySet<string> = new Set('async_hooks events module util vm worker_threads'.split(' '));
const goHolders: ReadonlySet<string> = new Set(
  'container/heap container/list container/ring context iter maps reflect slices sync sync/atomic'.split(' '),
);
