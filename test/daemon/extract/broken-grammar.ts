import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** A grammar's file as it is installed. */
export function grammarBytes(grammar: string): Uint8Array {
  return new Uint8Array(readFileSync(resolve(grammar)));
}

/** The grammar with a trap in the place of each function that a parse calls: its loader finds all that it looks for. */
export function trapping(grammar: Uint8Array): Uint8Array {
  const bytes = grammar.slice();
  const sections = sectionsOf(bytes);
  const imported = functionsImported(bytes, sections.get(2)!);
  const kept = functionsExported(bytes, sections.get(7)!);
  const code = sections.get(10)!;
  const count = numberAt(bytes, code.from);
  let at = count.next;
  for (let index = 0; index < count.value; index++) {
    const size = numberAt(bytes, at);
    at = size.next + size.value;
    if (!kept.has(imported + index)) trap(bytes, size.next, at);
  }
  return bytes;
}

/** The grammar as it would be if it called a function that no runtime has. */
export function importing(grammar: Uint8Array, name: string, inPlaceOf: string): Uint8Array {
  const bytes = Buffer.from(grammar);
  const { from, to } = sectionsOf(bytes).get(2)!;
  const at = bytes.indexOf(inPlaceOf, from, 'latin1');
  if (at < 0 || at > to || name.length !== inPlaceOf.length) throw new Error(`${inPlaceOf} is not imported`);
  bytes.write(name, at, 'latin1');
  return new Uint8Array(bytes);
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** By number, those of their own names left out. */
function sectionsOf(bytes: Uint8Array): ReadonlyMap<number, Range> {
  const sections = new Map<number, Range>();
  for (let at = 8; at < bytes.length; ) {
    const { value, next } = numberAt(bytes, at + 1);
    if (bytes[at] !== 0) sections.set(bytes[at]!, { from: next, to: next + value });
    at = next + value;
  }
  return sections;
}

function functionsImported(bytes: Uint8Array, { from }: Range): number {
  const count = numberAt(bytes, from);
  let at = count.next;
  let functions = 0;
  for (let index = 0; index < count.value; index++) {
    for (const _ of ['module', 'name']) {
      const length = numberAt(bytes, at);
      at = length.next + length.value;
    }
    const kind = bytes[at]!;
    at++;
    if (kind === 0) functions++;
    if (kind === 1) at++; // the type of its elements
    if (kind === 3) at += 2;
    else at = kind === 0 ? numberAt(bytes, at).next : limitsEnd(bytes, at);
  }
  return functions;
}

function limitsEnd(bytes: Uint8Array, at: number): number {
  const least = numberAt(bytes, at + 1).next;
  return (bytes[at]! & 1) === 0 ? least : numberAt(bytes, least).next;
}

function functionsExported(bytes: Uint8Array, { from }: Range): ReadonlySet<number> {
  const count = numberAt(bytes, from);
  const functions = new Set<number>();
  let at = count.next;
  for (let index = 0; index < count.value; index++) {
    const length = numberAt(bytes, at);
    const kind = bytes[length.next + length.value]!;
    const exported = numberAt(bytes, length.next + length.value + 1);
    if (kind === 0) functions.add(exported.value);
    at = exported.next;
  }
  return functions;
}

/** `unreachable` and nothing behind it, in as many bytes. */
function trap(bytes: Uint8Array, from: number, to: number): void {
  const locals = numberAt(bytes, from);
  let at = locals.next;
  for (let index = 0; index < locals.value; index++) at = numberAt(bytes, at).next + 1;
  bytes.fill(0x01, at, to);
  bytes[at] = 0x00;
  bytes[to - 1] = 0x0b;
}

function numberAt(bytes: Uint8Array, at: number): { readonly value: number; readonly next: number } {
  let value = 0;
  for (let place = at, shift = 0; ; place++, shift += 7) {
    value += (bytes[place]! & 0x7f) * 2 ** shift;
    if (bytes[place]! < 0x80) return { value, next: place + 1 };
  }
}
