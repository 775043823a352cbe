import type { Expression } from '../model/facts.ts';

/** Makes expressions of a file: equal ones have one index. -1 stands for none, and what is made of it is none. */
export interface Operations {
  slot(slot: number): number;
  imported(index: number): number;
  free(name: string): number;
  member(of: number, name: string): number;
  call(of: number): number;
  instance(of: number): number;
  element(of: number): number;
  awaited(of: number): number;
  superOf(slot: number): number;
  generic(of: number, argument: number): number;
  either(of: number, other: number): number;
  /** `other` where `of` turns out to be nothing. */
  otherwise(of: number, other: number): number;
  /** Something whose call gives `of`. */
  functionOf(of: number): number;
  /** What the parameter at a position of the function `of` takes. */
  parameter(of: number, position: number): number;
  /** The type argument at a position, wherever the definition at the slot is applied. */
  argument(slot: number, position: number): number;
  /** Of the functions of one name that `of` denotes, the one that such arguments fit. */
  overload(of: number, given: readonly number[]): number;
  unknown(): number;
}

export function createExpressions(): { readonly all: readonly Expression[]; readonly operations: Operations } {
  const all: Expression[] = [];
  const nameNumber = numbering();
  /** A table for each operation, by its operands in one number: a text of them would take longer to put together. */
  const table = <Key>() => {
    const known = new Map<Key, number>();
    return (key: Key, make: () => Expression): number => {
      const index = known.get(key);
      if (index !== undefined) return index;
      known.set(key, all.length);
      return all.push(make()) - 1;
    };
  };
  return { all, operations: { ...ofOne(table), ...ofTwo(table, nameNumber) } };
}

type Table = <Key>() => (key: Key, make: () => Expression) => number;

function ofOne(table: Table) {
  const [slots, imports, frees, supers, unknowns] = [
    table<number>(),
    table<number>(),
    table<string>(),
    table<number>(),
    table<0>(),
  ];
  const [calls, instances, elements, awaiteds, functions] = [
    table<number>(),
    table<number>(),
    table<number>(),
    table<number>(),
    table<number>(),
  ];
  return {
    slot: (slot: number): number => (slot < 0 ? -1 : slots(slot, () => ({ op: 'slot', slot }))),
    imported: (index: number): number => imports(index, () => ({ op: 'import', import: index })),
    free: (name: string): number => frees(name, () => ({ op: 'free', name })),
    superOf: (slot: number): number => (slot < 0 ? -1 : supers(slot, () => ({ op: 'super', slot }))),
    unknown: (): number => unknowns(0, () => ({ op: 'unknown' })),
    call: (of: number): number => (of < 0 ? -1 : calls(of, () => ({ op: 'call', of }))),
    instance: (of: number): number => (of < 0 ? -1 : instances(of, () => ({ op: 'instance', of }))),
    element: (of: number): number => (of < 0 ? -1 : elements(of, () => ({ op: 'element', of }))),
    awaited: (of: number): number => (of < 0 ? -1 : awaiteds(of, () => ({ op: 'awaited', of }))),
    functionOf: (of: number): number => (of < 0 ? -1 : functions(of, () => ({ op: 'function', of }))),
  };
}

function ofTwo(table: Table, nameNumber: (name: string) => number) {
  const [members, generics, eithers, otherwises] = [table<number>(), table<number>(), table<number>(), table<number>()];
  const [parameters, given, overloads] = [table<number>(), table<number>(), table<string>()];
  return {
    member: (of: number, name: string): number =>
      of < 0 ? -1 : members(pair(of, nameNumber(name)), () => ({ op: 'member', of, name })),
    generic: (of: number, argument: number): number =>
      of < 0 || argument < 0 ? of : generics(pair(of, argument), () => ({ op: 'generic', of, argument })),
    either: (of: number, other: number): number =>
      of < 0 || other < 0 || of === other
        ? of < 0
          ? other
          : of
        : eithers(pair(of, other), () => ({ op: 'either', of, other })),
    otherwise: (of: number, other: number): number =>
      of < 0 || other < 0 || of === other
        ? of < 0
          ? other
          : of
        : otherwises(pair(of, other), () => ({ op: 'otherwise', of, other })),
    parameter: (of: number, position: number): number =>
      of < 0 ? -1 : parameters(pair(of, position), () => ({ op: 'parameter', of, position })),
    argument: (slot: number, position: number): number =>
      slot < 0 ? -1 : given(pair(slot, position), () => ({ op: 'argument', slot, position })),
    overload: (of: number, arguments_: readonly number[]): number =>
      of < 0 ? -1 : overloads(`${of} ${arguments_.join()}`, () => ({ op: 'overload', of, arguments: [...arguments_] })),
  };
}

/** One number of two operands; the second is below 2 ** 26, as no file has so many characters. */
function pair(first: number, second: number): number {
  return first * 2 ** 26 + second;
}

/** Numbers texts in the order in which they come. */
function numbering(): (text: string) => number {
  const numbers = new Map<string, number>();
  return text => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, numbers.size);
    return numbers.size - 1;
  };
}
