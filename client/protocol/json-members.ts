import type { Problem } from './faults.ts';
import { membersIn } from './json-signs.ts';

/**
 * The path of a field that an object of the JSON text names a second time, of which parsing keeps the last alone; undefined
 * where there is none. `value` is what the text was parsed to.
 */
export function repeatedMember(bytes: Uint8Array, value: unknown): string | undefined {
  if (membersIn(bytes) === membersOf(value)) return undefined;
  return firstRepeated(new TextDecoder().decode(bytes));
}

/** What is wrong with that. */
export function twice(path: string): Problem {
  return { path, message: 'is given more than once: which of them counts can’t be told' };
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (const one of value) if (typeof one === 'object') members += membersOf(one);
    return members;
  }
  // What was parsed has no fields from elsewhere; to list them would take a list for each object.
  for (const name in value) {
    members++;
    const held = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof held === 'object') members += membersOf(held);
  }
  return members;
}

interface OpenBracket {
  readonly names: Set<string>;
  /** Of the field that is being read; '' in a list. */
  name: string;
}

/** Slower than counting by far. */
function firstRepeated(text: string): string | undefined {
  const open: OpenBracket[] = [];
  for (let at = 0; at < text.length; at++) {
    const token = text[at]!;
    if (token === '{' || token === '[') open.push({ names: new Set(), name: '' });
    else if (token === '}' || token === ']') open.pop();
    else if (token === '"') {
      const start = at;
      at = endOfString(text, start);
      if (isNext(':', text, at + 1) && isRepeated(nameOf(text.slice(start, at + 1)), open.at(-1)!)) {
        return pathOf(open);
      }
    }
  }
  return undefined;
}

/** Of a text as JSON has it. */
function nameOf(written: string): string {
  return written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
}

function isRepeated(name: string, inner: OpenBracket): boolean {
  inner.name = name;
  if (inner.names.has(name)) return true;
  inner.names.add(name);
  return false;
}

/** Where its closing quote is. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function isNext(token: string, text: string, from: number): boolean {
  let at = from;
  while (' \t\r\n'.includes(text[at] ?? token)) at++;
  return text[at] === token;
}

function pathOf(open: readonly OpenBracket[]): string {
  const names = open.map(({ name }) => (name.length > longestName ? `${name.slice(0, longestName)}…` : name));
  return names.filter(name => name !== '').join('.') || '""';
}

const longestName = 100;
