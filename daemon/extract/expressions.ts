import type { Expression } from '../model/facts.ts';

/** Numbers of the operations, for the table below alone. */
const op = {
  slot: 1,
  imported: 2,
  free: 3,
  member: 4,
  call: 5,
  instance: 6,
  element: 7,
  awaited: 8,
  superOf: 9,
  generic: 10,
  either: 11,
  otherwise: 12,
  functionOf: 13,
  parameter: 14,
  argument: 15,
  overload: 16,
  unknown: 17,
} as const;

/** Odd, and another in each thread: no file can be written so that its expressions meet in one place. */
const multiplier = Math.floor(Math.random() * 2 ** 32) | 1;

/** Makes expressions of a file: equal ones have one index. -1 stands for none, and what is made of it is none. */
export class Expressions {
  readonly expressions: Expression[] = [];
  /** The operation and its two operands of each, by which equal ones are known: texts would take longer to put together. */
  #operations = new Int32Array(3 * 64);
  /** Indexes of `expressions`, one higher, by the number made of operation and operands. */
  #places = new Int32Array(128);
  readonly #texts = new Map<string, number>();

  slot(slot: number): number {
    if (slot < 0) return -1;
    const index = this.#indexOf(op.slot, slot, 0);
    if (index === this.expressions.length) this.expressions.push({ op: 'slot', slot });
    return index;
  }

  imported(index: number): number {
    const made = this.#indexOf(op.imported, index, 0);
    if (made === this.expressions.length) this.expressions.push({ op: 'import', import: index });
    return made;
  }

  free(name: string): number {
    const index = this.#indexOf(op.free, this.#numberOf(name), 0);
    if (index === this.expressions.length) this.expressions.push({ op: 'free', name });
    return index;
  }

  member(of: number, name: string): number {
    if (of < 0) return -1;
    const index = this.#indexOf(op.member, of, this.#numberOf(name));
    if (index === this.expressions.length) this.expressions.push({ op: 'member', of, name });
    return index;
  }

  call(of: number): number {
    if (of < 0) return -1;
    const index = this.#indexOf(op.call, of, 0);
    if (index === this.expressions.length) this.expressions.push({ op: 'call', of });
    return index;
  }

  instance(of: number): number {
    if (of < 0) return -1;
    const index = this.#indexOf(op.instance, of, 0);
    if (index === this.expressions.length) this.expressions.push({ op: 'instance', of });
    return index;
  }

  element(of: number): number {
    if (of < 0) return -1;
    const index = this.#indexOf(op.element, of, 0);
    if (index === this.expressions.length) this.expressions.push({ op: 'element', of });
    return index;
  }

  awaited(of: number): number {
    if (of < 0) return -1;
    const index = this.#indexOf(op.awaited, of, 0);
    if (index === this.expressions.length) this.expressions.push({ op: 'awaited', of });
    return index;
  }

  superOf(slot: number): number {
    if (slot < 0) return -1;
    const index = this.#indexOf(op.superOf, slot, 0);
    if (index === this.expressions.length) this.expressions.push({ op: 'super', slot });
    return index;
  }

  generic(of: number, argument: number): number {
    if (of < 0 || argument < 0) return of;
    const index = this.#indexOf(op.generic, of, argument);
    if (index === this.expressions.length) this.expressions.push({ op: 'generic', of, argument });
    return index;
  }

  either(of: number, other: number): number {
    if (of < 0 || of === other) return other;
    if (other < 0) return of;
    const index = this.#indexOf(op.either, of, other);
    if (index === this.expressions.length) this.expressions.push({ op: 'either', of, other });
    return index;
  }

  /** `other` where `of` turns out to be nothing. */
  otherwise(of: number, other: number): number {
    if (of < 0 || of === other) return other;
    if (other < 0) return of;
    const index = this.#indexOf(op.otherwise, of, other);
    if (index === this.expressions.length) this.expressions.push({ op: 'otherwise', of, other });
    return index;
  }

  /** Something whose call gives `of`. */
  functionOf(of: number): number {
    if (of < 0) return -1;
    const index = this.#indexOf(op.functionOf, of, 0);
    if (index === this.expressions.length) this.expressions.push({ op: 'function', of });
    return index;
  }

  /** What the parameter at a position of the function `of` takes. */
  parameter(of: number, position: number): number {
    if (of < 0) return -1;
    const index = this.#indexOf(op.parameter, of, position);
    if (index === this.expressions.length) this.expressions.push({ op: 'parameter', of, position });
    return index;
  }

  /** The type argument at a position, wherever the definition at the slot is applied. */
  argument(slot: number, position: number): number {
    if (slot < 0) return -1;
    const index = this.#indexOf(op.argument, slot, position);
    if (index === this.expressions.length) this.expressions.push({ op: 'argument', slot, position });
    return index;
  }

  /** Of the functions of one name that `of` denotes, the one that such arguments fit. */
  overload(of: number, given: readonly number[]): number {
    if (of < 0) return -1;
    const index = this.#indexOf(op.overload, of, this.#numberOf(given.join()));
    if (index === this.expressions.length) this.expressions.push({ op: 'overload', of, arguments: [...given] });
    return index;
  }

  unknown(): number {
    const index = this.#indexOf(op.unknown, 0, 0);
    if (index === this.expressions.length) this.expressions.push({ op: 'unknown' });
    return index;
  }

  /** The index of an expression; of a new one the next, which the caller then fills. */
  #indexOf(operation: number, first: number, second: number): number {
    let place = this.#placeOf(operation, first, second);
    const known = this.#places[place]!;
    if (known > 0) return known - 1;
    const index = this.expressions.length;
    if (2 * (index + 1) > this.#places.length) {
      this.#grow();
      place = this.#placeOf(operation, first, second);
    }
    this.#places[place] = index + 1;
    this.#operations[3 * index] = operation;
    this.#operations[3 * index + 1] = first;
    this.#operations[3 * index + 2] = second;
    return index;
  }

  #placeOf(operation: number, first: number, second: number): number {
    const places = this.#places;
    const operations = this.#operations;
    const mixed = Math.imul(Math.imul(first, multiplier) ^ (second + (operation << 24)), 0x85ebca6b);
    let place = (mixed ^ (mixed >>> 15)) & (places.length - 1);
    for (;;) {
      const at = 3 * (places[place]! - 1);
      if (at < 0) return place;
      if (operations[at] === operation && operations[at + 1] === first && operations[at + 2] === second) return place;
      place = (place + 1) & (places.length - 1);
    }
  }

  #grow(): void {
    const operations = this.#operations;
    this.#operations = new Int32Array(2 * operations.length);
    this.#operations.set(operations);
    this.#places = new Int32Array(2 * this.#places.length);
    for (let index = 0; index < this.expressions.length; index++) {
      const at = 3 * index;
      this.#places[this.#placeOf(operations[at]!, operations[at + 1]!, operations[at + 2]!)] = index + 1;
    }
  }

  /** Numbers texts in the order in which they come. */
  #numberOf(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    this.#texts.set(text, this.#texts.size);
    return this.#texts.size - 1;
  }
}
