import type { FactsBuilder } from '../../builder.ts';
import { isClass } from '../../operators.ts';

/** Names lead to others no further than this. */
const maxSteps = 8;

/** Whether the file tells of a value that it is one of a class that is no type of the language's own. */
export function isOfClass(facts: FactsBuilder, index: number, steps = 0): boolean {
  const one = facts.expressions[index];
  if (steps > maxSteps) return false;
  const isSo = (of: number): boolean => isOfClass(facts, of, steps + 1);
  switch (one?.op) {
    case 'instance':
      return isClassHere(facts, one.of);
    case 'either':
      return isSo(one.of) && isSo(one.other);
    case 'otherwise':
      return isSo(one.other);
    case 'overload':
      return facts.expressions[one.of]?.op === 'free' && isSo(one.arguments[0] ?? -1);
    case 'slot':
    case 'member':
      return declaredAt(facts, index, /^(?:property|variable|constant)$/).some(isSo);
    case 'call':
      return declaredAt(facts, one.of, /^(?:function|method)$/).some(isSo);
    default:
      return false;
  }
}

/** The same, and that no type is meant that may be another name of a function's. */
export function isOfCertainClass(facts: FactsBuilder, index: number): boolean {
  const one = facts.expressions[index];
  if (one?.op === 'otherwise') return isOfClass(facts, one.other);
  if (one?.op === 'overload') return isOfClass(facts, index) && isOfCertainClass(facts, one.arguments[0] ?? -1);
  return one?.op === 'instance' && isClassHere(facts, one.of) && !isUnbound(facts, one.of);
}

/** What is imported may be a class or a function of that name: see `typeNamed`. */
function isClassHere(facts: FactsBuilder, index: number): boolean {
  const one = facts.expressions[index];
  if (one?.op === 'either') return isClassHere(facts, one.of) && isClassHere(facts, one.other);
  return isClass(facts.expressions, index) && !isAlias(facts, index);
}

function isAlias(facts: FactsBuilder, index: number): boolean {
  const one = facts.expressions[index];
  return one?.op === 'slot' && facts.definition(one.slot).kind === 'type';
}

function isUnbound(facts: FactsBuilder, index: number): boolean {
  const one = facts.expressions[index];
  if (one?.op === 'generic') return isUnbound(facts, one.of);
  return one?.op === 'free' || one?.op === 'otherwise';
}

/** The types of what a name of this file denotes, as far as it has been seen. */
function declaredAt(facts: FactsBuilder, index: number, kinds: RegExp): readonly number[] {
  const { expressions } = facts;
  const one = expressions[index];
  if (one?.op === 'overload') return declaredAt(facts, one.of, kinds);
  const slots = one?.op === 'slot' ? [one.slot] : one?.op === 'member' ? membersOf(facts, one.of, one.name) : [];
  const types = slots.map(slot => facts.definition(slot)).filter(({ kind }) => kinds.test(kind));
  return types.map(({ type }) => type);
}

function membersOf(facts: FactsBuilder, of: number, name: string): readonly number[] {
  const holder = facts.expressions[of];
  const type = holder?.op === 'instance' ? facts.expressions[holder.of] : holder;
  return type?.op === 'slot' ? facts.slotsNamed(type.slot, name) : [];
}
