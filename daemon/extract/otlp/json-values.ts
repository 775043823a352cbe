import { undecodable } from './problem.ts';

/** An object as JSON has it. What a field is not there or null for is nothing, as protocol buffers take it. */
export type Json = Readonly<Record<string, unknown>>;

export function objectOf(value: unknown, what: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw undecodable(`${what} is no object`);
}

export function listOf(json: Json, field: string): readonly unknown[] {
  const value = json[field] ?? [];
  if (Array.isArray(value)) return value;
  throw undecodable(`${field} is no list`);
}

export function textOf(json: Json, field: string): string {
  const value = json[field] ?? '';
  // Halves of characters, as protocol buffers show them.
  if (typeof value === 'string') return value.replace(/\p{Surrogate}/gu, '\ufffd');
  throw undecodable(`${field} is no text`);
}

/** 64 bits, as a text or as a number. Undefined where nothing is told. */
export function wholeOf(json: Json, field: string): bigint | undefined {
  const value = json[field] ?? undefined;
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isInteger(value)) return within64(BigInt(value), field);
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) return within64(BigInt(value), field);
  throw undecodable(`${field} is no whole number`);
}

/** The same where nothing told is 0. */
export function unsignedOf(json: Json, field: string): bigint {
  const value = wholeOf(json, field) ?? 0n;
  if (value < 0n) throw undecodable(`${field} is negative`);
  return value;
}

/** A number, or its text: JSON has no other way to tell those that are none. Undefined where nothing is told. */
export function numberOf(json: Json, field: string): number | undefined {
  const value = json[field] ?? undefined;
  if (value === undefined || typeof value === 'number') return value;
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number(value);
  if (typeof value === 'string' && /^-?\d{1,400}(\.\d{0,400})?([eE][+-]?\d{1,4})?$/.test(value)) return Number(value);
  throw undecodable(`${field} is no number`);
}

/** An enumeration's number, by its name as well. 0 where nothing is told, or what nobody knows. */
export function enumOf(json: Json, field: string, names: Readonly<Record<string, number>>): number {
  const value = json[field] ?? 0;
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return Object.hasOwn(names, value) ? names[value]! : 0;
  throw undecodable(`${field} is no number`);
}

/** False where it is not said; throws where something else is, for what it says of would be passed over in silence. */
export function switchOf(json: Json, field: string): boolean {
  const value = json[field] ?? false;
  if (typeof value === 'boolean') return value;
  throw undecodable(`${field} is neither true nor false`);
}

function within64(value: bigint, field: string): bigint {
  if (value >= -(2n ** 63n) && value < 2n ** 64n) return value;
  throw undecodable(`${field} has more than 64 bits`);
}
