import type { MountedDocument } from '../model/document.ts';
import { bareType } from './instances.ts';
import type { Value } from './values.ts';

/**
 * What operators of the language give, which an `overload` of one's sign asks for: the wider of two numbers, a text where
 * one is among them; of C++, what pointers to its own types and subscripts lead to.
 */
export function operated(sign: string, operands: readonly (Value | undefined)[]): Value | undefined {
  const [left, right] = operands;
  switch (sign) {
    case '&':
      return pointing(left, name => `${name}*`);
    case '*':
      return pointing(left, name => name.replace(/\*$/, ''));
    case '[]':
      return isPointer(right) ? pointing(right, name => name.replace(/\*$/, '')) : characterOf(left);
    default:
      return operands.length === 1 ? arithmetic(left, left) : arithmetic(left, right);
  }
}

/** The sign of the operator that an expression denotes; '' of any other. */
export function signOf({ facts }: MountedDocument, index: number): string {
  const one = facts.expressions[index]!;
  return one.op === 'free' && signs.has(one.name) ? one.name : '';
}

const signs: ReadonlySet<string> = new Set(['+', '&', '*', '[]']);

/** Of what is no number the first says what it gives: a class's operators mostly give one of it. */
function arithmetic(left: Value | undefined, right: Value | undefined): Value | undefined {
  const [one, other] = [nameOf(left), nameOf(right)];
  if (isText(one)) return left;
  if (isText(other)) return right;
  const [rank, otherRank] = [rankOf(one), rankOf(other)];
  if (rank === undefined) return isOfCpp(left) && !isPointer(left) ? undefined : left;
  if (otherRank === undefined) return isPointer(right) ? right : undefined;
  const wider = otherRank > rank ? right : left;
  return Math.max(rank, otherRank) < lowestResult ? renamed(wider, intOf) : wider;
}

/** Widths of numbers, by what their languages call them; what is narrower than an `int` is made one. */
const widths = [
  'bool sbyte byte Byte short Short ushort char char8_t',
  'int Int 0 Integer',
  'uint unsigned',
  'long Long',
  'ulong',
  'float Float',
  'double Double',
  'decimal',
].map(names => names.split(' '));
const lowestResult = 1;

function rankOf(name: string): number | undefined {
  const own = widths.findIndex(names => names.includes(name));
  if (own >= 0) return own;
  if (/\*|ptr|^[A-Z]/.test(name)) return undefined;
  // Several words of C++ make one type: `unsigned long`.
  const words = name.split(' ');
  if (words.includes('double')) return 7;
  if (words.includes('long')) return words.includes('unsigned') ? 4 : 3;
  if (words.includes('unsigned')) return words.includes('char') || words.includes('short') ? 0 : 2;
  return words.some(word => /^(?:int|short|signed)$/.test(word)) ? 1 : undefined;
}

function intOf(name: string): string {
  return /^[A-Z]/.test(name) ? 'Int' : 'int';
}

function isText(name: string): boolean {
  return name === 'String' || name === 'string';
}

function isPointer(value: Value | undefined): boolean {
  return nameOf(value).endsWith('*');
}

function isOfCpp(value: Value | undefined): boolean {
  const type = bareType(value);
  return type?.kind === 'definition'
    ? type.sites[0]!.document.facts.language === 'cpp'
    : type?.kind === 'external' && type.package === 'cpp';
}

/** A value of the language's own type with another name; of anything else, whose pointers are looked through, itself. */
function pointing(value: Value | undefined, change: (name: string) => string): Value | undefined {
  const type = bareType(value);
  if (type?.kind !== 'external' || type.package !== 'cpp' || (rankOf(type.name) === undefined && !isPointer(value)))
    return value;
  return renamed(value, change);
}

function characterOf(value: Value | undefined): Value | undefined {
  return isOfCpp(value) && nameOf(value) === 'string' ? renamed(value, () => 'char') : value;
}

function renamed(value: Value | undefined, change: (name: string) => string): Value | undefined {
  const type = bareType(value);
  if (type?.kind !== 'external') return value;
  const start = type.name.lastIndexOf('.') + 1;
  return { kind: 'instance', of: { ...type, name: type.name.slice(0, start) + change(type.name.slice(start)) } };
}

function nameOf(value: Value | undefined): string {
  const type = value?.kind === 'instance' ? bareType(value) : undefined;
  return type?.kind === 'external' ? type.name.slice(type.name.lastIndexOf('.') + 1) : '';
}
