import type { Expression } from '../model/facts.ts';
import type { FactsBuilder } from './builder.ts';

/**
 * A call of the function that a class has for an operator of the language, at `sign`: where the file tells which class the
 * value is of that it belongs to. Of any other value, and of the language's own types, nothing is said.
 */
export function referOperator(
  facts: FactsBuilder,
  sign: number,
  name: string,
  receiver: number,
  passed: readonly number[],
): void {
  if (sign < 0 || !isOfClass(facts.expressions, receiver)) return;
  facts.refer(sign, 'call', facts.overload(facts.member(receiver, name), passed), name);
}

/** Whether an expression is a value of a class, or what an operator makes of one. */
export function isOfClass(expressions: readonly Expression[], index: number): boolean {
  const one = expressions[index];
  switch (one?.op) {
    case 'instance':
      return isClass(expressions, one.of);
    case 'overload':
      return isSign(expressions[one.of]) && isOfClass(expressions, one.arguments[0] ?? -1);
    default:
      return false;
  }
}

function isSign(one: Expression | undefined): boolean {
  return one?.op === 'free' && one.name === '+';
}

/** Whether an expression is a class that is no type of a language's own. */
export function isClass(expressions: readonly Expression[], index: number): boolean {
  const one = expressions[index];
  switch (one?.op) {
    case 'slot':
    case 'import':
      return true;
    case 'free':
      return isOwnName(one.name);
    case 'member':
      return isOwnName(one.name);
    case 'generic':
      return isClass(expressions, one.of);
    case 'otherwise':
      return isClass(expressions, one.other);
    default:
      return false;
  }
}

/** Names of classes as languages that have operators write them, in front of it what it is qualified by. */
function isOwnName(written: string): boolean {
  const name = /([A-Za-z_]\w*)(?:\+\d+)?#?\??$/.exec(written)?.[1] ?? '';
  return /^[A-Z]/.test(name) && !ofLanguages.has(name);
}

/** Types of the languages' own, whose operators are in no repository: the most that operators are used with. */
const ofLanguages: ReadonlySet<string> = new Set(
  'Any Array Boolean Byte ByteArray CharArray Char Character CharSequence Collection Dictionary Double DateTime Duration Float FloatArray Int IntArray Integer Iterable Iterator List Long LongArray Map MutableList MutableMap MutableSet Number Object Sequence Set Short Span String StringBuilder TimeSpan UInt ULong Uint8List DoubleArray'.split(
    ' ',
  ),
);
