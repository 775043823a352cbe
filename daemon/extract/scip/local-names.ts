/** Symbols that mean something in one document alone: their numbers are below 0. */
export interface LocalNames {
  /** Of the name that is `bytes[from, to)`. */
  number(bytes: Buffer, from: number, to: number): number;
  name(number: number): string;
}

/** Most indexers number their locals: `local 12` is −13, and nothing needs to be kept. Others count down from here. */
const firstOther = -(2 ** 30) - 1;
const longestNumber = 9;

export function newLocalNames(): LocalNames {
  const others = new Map<string, number>();
  const names: string[] = [];
  const other = (name: string): number => {
    const known = others.get(name);
    if (known !== undefined) return known;
    others.set(name, firstOther - names.length);
    return firstOther - names.push(name) + 1;
  };
  return {
    number(bytes, from, to) {
      const value = numberIn(bytes, from, to);
      return value >= 0 ? -value - 1 : other(bytes.toString('utf8', from, to));
    },
    name: number => (number > firstOther ? String(-number - 1) : (names[firstOther - number] ?? '')),
  };
}

/** What the digits say, -1 if they aren't all digits, or aren't how that number is written. */
function numberIn(bytes: Buffer, from: number, to: number): number {
  if (to - from > longestNumber || (bytes[from] === 0x30 && to - from > 1)) return -1;
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = bytes[at]! - 0x30;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}
