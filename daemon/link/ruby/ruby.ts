import type { MountedDocument } from '../../model/document.ts';
import { ofReceiverPosition, receiverPosition } from '../../model/facts.ts';
import { isStaticTail } from '../../model/identity.ts';
import { ownerOf } from '../environments.ts';
import { instance } from '../instances.ts';
import { first, optionsOf, pick, sure } from '../options.ts';
import type { Lookup, Resolver } from '../resolver.ts';
import { roleOf } from '../roles.ts';
import { containerOf } from '../surface.ts';
import type { DefinitionValue, Value } from '../values.ts';
import { ancestorsOf, includedAtTop, isUnknown, openedOf, scope, tailOf, typeAt } from './ancestors.ts';
import { calledInBlock } from './blocks.ts';
import { constantNamed, memberConstant } from './constants.ts';
import { calledInGroup, inGroup, isOfGroup } from './groups.ts';
import { methodByName } from './guesses.ts';
import { isOfTests, ofHeirs } from './heirs.ts';
import {
  holdsTests,
  isPredefinedVariable,
  libraryMethod,
  libraryOf,
  ofManyGems,
  ofValues,
  testMember,
  testMethod,
  testWord,
} from './library.ts';
import { isLoadedFor } from './loaded.ts';
import { maker, methodOf, staticMethodOf, variableOf } from './members.ts';
import { required } from './requires.ts';

/**
 * Ruby's order of looking things up. Extraction writes what is asked and where: `constant Foo A#B# A#` with the modules
 * around, the innermost first, `call foo A#B#` of `self`, `call-static` where that is the class, `-block` where a block may
 * have been handed to somebody with another `self`.
 */
export const rubyResolver: Resolver = {
  module: required,
  named(look, from, asked) {
    const [verb = '', name = '', ...tails] = asked.split(' ');
    switch (verb) {
      case 'constant':
      case 'base':
        return constantNamed(look, from, name, tails, verb === 'constant');
      case 'variable':
      case 'variable-static':
        if (name.startsWith('$')) return globalVariable(look, name);
        if (isOfGroup(tails[0])) return sure(inGroup(look, from, tails[0]!, name), 0.95);
        return variable(look, typeAt(look, tails[0]!), name, verb === 'variable-static');
      case 'super':
      case 'super-static':
        return above(look, tails[0], name, verb === 'super-static');
      case 'any':
        return (from.isTest ? testMember(name) : undefined) ?? ofAnyValue(look, name);
      default:
        return called(look, from, name, verb, tails);
    }
  },
  receiver(look, asked) {
    const [verb = '', , tail = ''] = asked.split(' ');
    const type = /^(?:call|super)(?:-static)?$/.test(verb) && tail.endsWith('#') ? typeAt(look, tail) : undefined;
    return type && selfOf(type, verb.endsWith('-static'));
  },
  member(look, of, name) {
    const type = of.kind === 'instance' ? of.of : of;
    if (type.kind !== 'definition') return undefined;
    if (of.kind === 'instance') return sure(ofInstance(look, type, name), 0.88);
    const constant = /^[A-Z]/.test(name) ? memberConstant(look, type, name) : undefined;
    return constant ?? (name === 'new' ? maker(look, type) : ofClass(look, type, name));
  },
  extension: (look, _from, of, name) => (of?.kind === 'instance' ? addedToLibrary(look, of.of, name) : undefined),
  guess: methodByName,
};

/** What the repository adds to a class of the library: `class String; def shout; end; end`. */
function addedToLibrary(look: Lookup, type: Value, name: string): Value | undefined {
  if (type.kind !== 'external' || type.manager !== 'std') return undefined;
  return first([type.name, 'Object', 'Kernel'], one => {
    const opened = typeAt(look, tailOf(one));
    return opened && sure(methodOf(look, opened, name), 0.93);
  });
}

/** An object of the class, or the class, or those of one that is built from it. */
function selfOf(type: DefinitionValue, isStatic: boolean): Value {
  const owner = ownerOf(type.scope, type.tail);
  const called: Value = { kind: 'variable', owner, position: isStatic ? receiverPosition : ofReceiverPosition };
  return { kind: 'either', options: [called, isStatic ? type : instance(type)] };
}

/** Of a receiver that nobody knows: what every object has, and what values of the library have where nobody else does. */
function ofAnyValue(look: Lookup, name: string): Value | undefined {
  if (/^(?:to_s|inspect|hash|dup|freeze)$/.test(name)) return libraryOf(`Object.${name}`);
  return ofValues.has(name) && !look.isNamed(scope, name) ? libraryOf(name) : undefined;
}

function globalVariable(look: Lookup, name: string): Value | undefined {
  return look.definition(scope, '', name) ?? (isPredefinedVariable(name) ? libraryOf(name) : undefined);
}

function variable(look: Lookup, type: DefinitionValue | undefined, name: string, isStatic: boolean): Value | undefined {
  if (type === undefined) return undefined;
  const found = variableOf(look, type, name, isStatic);
  return found ?? (isStatic ? undefined : ofHeirs(look, type, one => variableOf(look, one, name, false)));
}

/** The last word says whom the blocks around are handed to: see `blocks.ts`. */
function called(
  look: Lookup,
  from: MountedDocument,
  name: string,
  verb: string,
  words: readonly string[],
): Value | undefined {
  const ofLibrary = from.isTest && isOfGroup(words[0]) ? testWord(name, from.path) : undefined;
  if (ofLibrary !== undefined) return ofLibrary;
  const handed = words.find(word => word.startsWith('in:'));
  const runners = handed === undefined ? [] : handed.slice(3).split('>');
  const tail = words.find(word => !word.startsWith('in:'));
  const own = (method: string): Value | undefined => calledOnSelf(look, from, tail, method, verb);
  const inBlock = runners.length === 0 ? undefined : calledInBlock(look, from, { tail, runners, own }, name);
  const found = inBlock ?? own(name);
  const ofTests = found === undefined && from.isTest ? testMethod(name, from.path) : undefined;
  return ofTests?.kind === 'external' ? orAdded(look, ofTests, ofTests.package, name) : found;
}

function calledOnSelf(
  look: Lookup,
  from: MountedDocument,
  tail: string | undefined,
  name: string,
  verb: string,
): Value | undefined {
  if (isOfGroup(tail)) {
    const ofGroup = calledInGroup(look, from, tail!, name);
    return ofGroup ?? sure(topMethod(look, from, name), 0.85) ?? libraryMethod(name, 'object');
  }
  const isInBlock = verb.endsWith('-block');
  const type = tail === undefined ? undefined : typeAt(look, tail);
  const isStatic = verb.startsWith('call-static');
  const found = type && ownMethod(look, type, name, isStatic, isInBlock);
  if (found !== undefined) return found;
  const everybody = sure(topMethod(look, from, name) ?? addedToAll(look, from.isTest, name), isInBlock ? 0.85 : 0.9);
  if (everybody !== undefined) return everybody;
  const included = first(includedAtTop(look, from), module => methodOf(look, module, name));
  if (included !== undefined) return sure(included, isInBlock ? 0.8 : 0.88);
  const ofLibrary = libraryMethod(name, type === undefined ? 'top' : isStatic ? 'class' : 'object');
  if (ofLibrary !== undefined) return ofLibrary;
  return type === undefined || isInBlock ? undefined : fromOutside(look, type, name, isStatic);
}

/** A block that a class body hands over may be run for the class or for an object. */
function ownMethod(
  look: Lookup,
  type: DefinitionValue,
  name: string,
  isStatic: boolean,
  isInBlock: boolean,
): Value | undefined {
  const find = (ofClass: boolean): Value | undefined =>
    !ofClass ? methodOf(look, type, name) : name === 'new' ? undefined : staticMethodOf(look, type, name);
  if (isStatic && name === 'new') return maker(look, type);
  return (
    find(isStatic) ??
    (isInBlock ? sure(find(!isStatic), 0.7) : undefined) ??
    (isStatic ? undefined : ofHeirs(look, type, one => methodOf(look, one, name)))
  );
}

/** `def` outside of all classes: every object has it, though not where a file of tests says so that others don't load. */
function topMethod(look: Lookup, from: MountedDocument, name: string): Value | undefined {
  const found = look.definition(scope, '', name);
  if (found?.kind !== 'definition' || !found.tail.endsWith(').')) return undefined;
  const isApart = found.sites.every(({ document: { path } }) => path !== from.path && holdsTests(path));
  return !isApart && isLoadedFor(look, from, found) ? found : undefined;
}

/** `class Object; def x; end`: what tests add is nothing to the program. */
function addedToAll(look: Lookup, inTests: boolean, name: string): Value | undefined {
  return first(['Object#', 'Kernel#'], tail => {
    const opened = typeAt(look, tail);
    const found = opened && methodOf(look, opened, name);
    return found?.kind === 'definition' && (inTests || !isOfTests(found)) ? found : undefined;
  });
}

function ofInstance(look: Lookup, type: DefinitionValue, name: string): Value | undefined {
  return (
    methodOf(look, type, name) ??
    addedToAll(look, isOfTests(type), name) ??
    libraryMethod(name, 'object') ??
    fromOutside(look, type, name, false)
  );
}

function ofClass(look: Lookup, type: DefinitionValue, name: string): Value | undefined {
  return (
    staticMethodOf(look, type, name) ??
    addedToAll(look, isOfTests(type), name) ??
    libraryMethod(name, 'class') ??
    fromOutside(look, type, name, true)
  );
}

/** What a class has from outside, unless the repository has something of the name: nobody says which modules others mix in. */
function fromOutside(look: Lookup, type: DefinitionValue, name: string, isStatic: boolean): Value | undefined {
  const theirs = inherited(look, type, name, isStatic);
  if (theirs?.kind !== 'external') return theirs;
  const given = isStatic ? (mailed(look, type, name) ?? ofSomeClassMethods(look, name)) : undefined;
  return given ?? (mayBeOurs(look, type, name) ? ofNobodyKnowsWhom : theirs);
}

/** A class that dependencies extend has what they don't tell; a module has what those have that include it. */
function inherited(look: Lookup, type: DefinitionValue, name: string, isStatic: boolean): Value | undefined {
  if (roleOf(type) === 'place') return undefined;
  const ancestors = ancestorsOf(look, type);
  if (ancestors.some(isUnknown)) return undefined;
  const base = ancestors.find(
    one => one.kind === 'external' && !/^(?:Enumerable|Comparable|Singleton)$/.test(one.name),
  );
  if (base?.kind !== 'external' || (isStatic && base.manager === 'std')) return undefined;
  const ofBase: Value = { ...base, name: `${base.name}.${name}` };
  return isStatic ? ofBase : orAdded(look, ofBase, base.package, name);
}

/** `Mailer.welcome(user)` runs a method of a mailer's objects. */
function mailed(look: Lookup, type: DefinitionValue, name: string): Value | undefined {
  const isMailer = ancestorsOf(look, type).some(one => one.kind === 'external' && one.name === 'ActionMailer.Base');
  return isMailer ? sure(methodOf(look, type, name), 0.85) : undefined;
}

const ofNobodyKnowsWhom: Value = { kind: 'function', of: undefined };

/** Whether a method of the repository has a name that tells something: tests have words of their own. */
function mayBeOurs(look: Lookup, type: DefinitionValue, name: string): boolean {
  if (ofValues.has(name) || ofManyGems.has(name)) return false;
  const inTests = isOfTests(type);
  const isAssertion = /^(?:assert|refute)_/.test(name);
  if (inTests && !isAssertion && testMethod(name, type.sites[0]!.document.path) !== undefined) return false;
  return look.methodsNamed(scope, name).some(tail => {
    const found = pick(look.definition(scope, containerOf(tail), name), tail);
    return found?.kind === 'definition' && (inTests || !isOfTests(found));
  });
}

/** What a dependency's class is given by a call that names a module of ours otherwise than by its constant, where one has such a method. */
function ofSomeClassMethods(look: Lookup, name: string): Value | undefined {
  if (ofValues.has(name) || ofManyGems.has(name)) return undefined;
  const tails = look.methodsNamed(scope, name).filter(tail => containerOf(tail).endsWith('#ClassMethods#'));
  const [only = ''] = tails;
  return tails.length === 1 ? sure(pick(look.definition(scope, containerOf(only), name), only), 0.7) : undefined;
}

/** What a dependency's objects have, or what the repository alone adds to one of its modules or classes under that name. */
function orAdded(look: Lookup, theirs: Value, dependency: string, name: string): Value | undefined {
  const [added, another] = addedTo(look, dependency, name);
  if (added === undefined) return theirs;
  return another === undefined ? sure(added, 0.85) : undefined;
}

function addedTo(look: Lookup, dependency: string, name: string): readonly Value[] {
  return look.methodsNamed(scope, name).flatMap(tail => {
    const type = isStaticTail(tail) ? undefined : typeAt(look, containerOf(tail));
    const [opened] = optionsOf(type && openedOf(look, type));
    if (opened?.kind !== 'external' || opened.package !== dependency) return [];
    return pick(look.definition(scope, containerOf(tail), name), tail) ?? [];
  });
}

function above(look: Lookup, tail: string | undefined, name: string, isStatic: boolean): Value | undefined {
  const type = tail === undefined ? undefined : typeAt(look, tail);
  if (type === undefined) return undefined;
  const found = isStatic ? staticMethodOf(look, type, name, 'above') : methodOf(look, type, name, 'above');
  if (found !== undefined || roleOf(type) === 'place' || ancestorsOf(look, type).some(isUnknown)) return found;
  return inherited(look, type, name, isStatic) ?? libraryOf(`Object.${name}`);
}
