import { hash } from 'node:crypto';
import type { ScopeKey } from './document.ts';

/** Identity of a definition inside a repository: 32 hex digits over scope key and tail, or the one that a tail brings with it. */
export function symbolHash(scope: ScopeKey, tail: string): string {
  return givenHash(tail) ?? hash('sha256', `${scope}\0${tail}`, 'hex').slice(0, 32);
}

/**
 * The tail of a symbol of which another index told the identity, and what it was made of it did not: `Outer#Inner#=hash`.
 * What syntax or an indexer gives ends in a descriptor, and so never like this.
 */
export function givenTail(containers: readonly string[], hash: string): string {
  return `${containers.map(name => descriptor(name, 'type')).join('')}=${hash}`;
}

const hashDigits = 32;

/** The identity that a tail brings with it; undefined for all but `givenTail`'s. */
export function givenHash(tail: string): string | undefined {
  if (tail[tail.length - hashDigits - 1] !== '=') return undefined;
  const digits = tail.slice(-hashDigits);
  return /^[0-9a-f]{32}$/.test(digits) ? digits : undefined;
}

/** The containers that `givenTail` was given, whatever they are called; undefined for another tail. */
export function givenContainers(tail: string): readonly string[] | undefined {
  if (givenHash(tail) === undefined) return undefined;
  return descriptorsOf(tail.slice(0, -hashDigits - 1)).map(one =>
    one.startsWith('`') ? one.slice(1, -2).replaceAll('``', '`') : one.slice(0, -1),
  );
}

/** `svc:<repo>:sym:<hash>`. */
export function symbolId(repository: string, hash: string): string {
  return `svc:${repository}:sym:${hash}`;
}

/** Suffixes of SCIP's descriptor grammar. */
export type DescriptorSuffix =
  | 'namespace'
  | 'type'
  | 'term'
  | 'method'
  | 'type-parameter'
  | 'parameter'
  | 'meta'
  | 'macro';

/**
 * One SCIP descriptor: `name/`, `name#`, `name.`, `name(disambiguator).`, `[name]`, `(name)`, `name:`, `name!`.
 * A name that is no simple identifier stands in backticks, a backtick in it doubled.
 */
export function descriptor(name: string, suffix: DescriptorSuffix, disambiguator = ''): string {
  const text = /^[\w+\-$]+$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``;
  switch (suffix) {
    case 'namespace':
      return `${text}/`;
    case 'type':
      return `${text}#`;
    case 'term':
      return `${text}.`;
    case 'method':
      return `${text}(${disambiguator}).`;
    case 'type-parameter':
      return `[${text}]`;
    case 'parameter':
      return `(${text})`;
    case 'meta':
      return `${text}:`;
    case 'macro':
      return `${text}!`;
  }
}

/**
 * The descriptor of what a class has itself, where its instances have something of that name too: `name(static).`, or
 * `` `static name`. `` as terms have no disambiguator.
 */
export function staticDescriptor(name: string, suffix: DescriptorSuffix): string {
  return suffix === 'method' ? descriptor(name, suffix, 'static') : descriptor(`static ${name}`, suffix);
}

/** Between a function and the keys of the object that it returns. */
export const returnedSegment = '`return`#';

/** Between a definition and the members of an object type in it that no definition stands for. */
export const typeSegment = '`type`#';

/** In JavaScript a function is its own class: `X().` has its methods under `X#`. */
export function prototypeOf(tail: string): string {
  return tail.replace(/\([^()]*\)\.$/, '#');
}

/** Whether the last descriptor of a tail is one that `staticDescriptor` gives. */
export function isStaticTail(tail: string): boolean {
  return /^`static .*`\.$|\(static\)\.$/s.test(tail.slice(lastDescriptorAt(tail)));
}

/**
 * Where the last descriptor of a tail begins: `tail.slice(0, at)` is the container's tail. A tail that was cut off or is
 * malformed counts as one descriptor.
 */
export function lastDescriptorAt(tail: string): number {
  let last = 0;
  for (let at = 0; at < tail.length; ) {
    last = at;
    at = descriptorEnd(tail, at);
    if (at < 0) return last;
  }
  return last;
}

/** The descriptors that make up a tail, outermost first. */
export function descriptorsOf(tail: string): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < tail.length; ) {
    const end = descriptorEnd(tail, at);
    found.push(tail.slice(at, end < 0 ? tail.length : end));
    at = end < 0 ? tail.length : end;
  }
  return found;
}

/**
 * Names of the types and namespaces among a run of descriptors, outermost first; what stands in backticks is made up
 * (a callback, the trait of an `impl`), and so is the `static/` of what is private to a file.
 */
export function namesOfTypes(descriptors: string): string[] {
  const names: string[] = [];
  for (let at = 0; at < descriptors.length; ) {
    const end = descriptorEnd(descriptors, at);
    if (end < 0) break;
    const isType = /[#/]/.test(descriptors[end - 1]!) && descriptors[at] !== '`';
    if (isType && descriptors.slice(at, end) !== 'static/') names.push(descriptors.slice(at, end - 1));
    at = end;
  }
  return names;
}

function descriptorEnd(tail: string, start: number): number {
  const bracket = tail[start];
  if (bracket === '[' || bracket === '(') return closing(tail, start + 1, bracket === '[' ? ']' : ')');
  const at = nameEnd(tail, start);
  if (at < 0) return -1;
  return tail[at] === '(' ? closing(tail, at + 1, ').') : at + 1;
}

function closing(tail: string, from: number, text: string): number {
  const at = tail.indexOf(text, from);
  return at < 0 ? -1 : at + text.length;
}

function nameEnd(tail: string, start: number): number {
  let at = start;
  if (tail[at] !== '`') {
    while (at < tail.length && !'/#.(:!'.includes(tail[at]!)) at++;
    return at < tail.length ? at : -1;
  }
  for (at++; at < tail.length; at++) {
    if (tail[at] !== '`') continue;
    if (tail[at + 1] !== '`') return at + 1;
    at++;
  }
  return -1;
}
