import type { DescriptorSuffix } from '../../model/identity.ts';

export type ScipSymbol =
  /** Manager, package and version are '' where the symbol has the placeholder `.`. */
  | {
      readonly form: 'global';
      readonly scheme: string;
      readonly manager: string;
      readonly package: string;
      readonly version: string;
      /** At least one. */
      readonly descriptors: readonly ScipDescriptor[];
    }
  | { readonly form: 'local'; readonly name: string }
  | { readonly form: 'malformed'; readonly why: string };

export interface ScipDescriptor {
  readonly name: string;
  readonly suffix: DescriptorSuffix;
  readonly disambiguator: string;
}

/**
 * Takes a symbol apart. Names without backticks may have characters that SCIP wants in backticks, as long as it stays
 * clear where they end: indexers write such.
 */
export function parseScipSymbol(text: string): ScipSymbol {
  const bytes = Buffer.from(text, 'utf8');
  if (text.startsWith('local ')) {
    return text.length > 6 ? { form: 'local', name: text.slice(6) } : malformed('It is local and has no name');
  }
  const parts: string[] = [];
  let at = 0;
  for (let part = 0; part < 4; part++) {
    const end = partEnd(bytes, at, bytes.length);
    if (end < 0) return malformed('Scheme, manager, package, version and descriptors are not all there');
    const written = bytes.toString('utf8', at, end).replaceAll('  ', ' ');
    parts.push(written === '.' && part > 0 ? '' : written);
    at = end + 1;
  }
  const descriptors = parseDescriptors(bytes, at);
  if (typeof descriptors === 'number') return malformed(`No descriptor begins or none ends at byte ${descriptors}`);
  const [scheme, manager, packageName, version] = parts as [string, string, string, string];
  return { form: 'global', scheme, manager, package: packageName, version, descriptors };
}

/** Of a text that is descriptors alone; undefined where it is none or not only such. */
export function scipDescriptors(text: string): readonly ScipDescriptor[] | undefined {
  const descriptors = parseDescriptors(Buffer.from(text, 'utf8'), 0);
  return typeof descriptors === 'number' ? undefined : descriptors;
}

function malformed(why: string): ScipSymbol {
  return { form: 'malformed', why };
}

/** Or where the grammar breaks. */
function parseDescriptors(bytes: Buffer, from: number): ScipDescriptor[] | number {
  const descriptors: ScipDescriptor[] = [];
  for (let at = from; at < bytes.length; ) {
    const end = descriptorEnd(bytes, at, bytes.length);
    if (end < 0) return at;
    descriptors.push(descriptorOf(bytes, at, end));
    at = end;
  }
  return descriptors.length > 0 ? descriptors : from;
}

function descriptorOf(bytes: Buffer, at: number, end: number): ScipDescriptor {
  const bracket = bytes[at] === 0x5b || bytes[at] === 0x28;
  const from = bracket ? at + 1 : at;
  const nameTo = nameEnd(bytes, from, end);
  const written = bytes.toString('utf8', from, nameTo);
  const name = written.startsWith('`') ? written.slice(1, -1).replaceAll('``', '`') : written;
  const suffix = suffixes[String.fromCharCode(bytes[bracket ? at : nameTo]!)]!;
  if (bracket) return { name, suffix: bytes[at] === 0x5b ? 'type-parameter' : 'parameter', disambiguator: '' };
  return { name, suffix, disambiguator: suffix === 'method' ? bytes.toString('utf8', nameTo + 1, end - 2) : '' };
}

/** By the character after the name. */
const suffixes: Readonly<Record<string, DescriptorSuffix>> = {
  '/': 'namespace',
  '#': 'type',
  '.': 'term',
  '(': 'method',
  ':': 'meta',
  '!': 'macro',
};

const space = 0x20;
const backtick = 0x60;
/** `/ # . : !` after a name, and `(` where a method's disambiguator begins. */
const endsName = new Uint8Array(256);
for (const mark of '/#.:!(') endsName[mark.charCodeAt(0)] = 1;
/** What no name has outside of backticks. */
const startsOther = new Uint8Array(256);
for (const mark of '[])` ') startsOther[mark.charCodeAt(0)] = 1;

/** Whether these bytes have the form of a global symbol: scheme, manager, package, version and descriptors. */
export function isScipSymbol(bytes: Uint8Array, from: number, to: number): boolean {
  const at = descriptorsAt(bytes, from, to);
  return at >= 0 && at < to && areDescriptors(bytes, at, to);
}

/** None are, too. */
export function areDescriptors(bytes: Uint8Array, from: number, to: number): boolean {
  let at = from;
  while (at >= 0 && at < to) at = descriptorEnd(bytes, at, to);
  return at === to;
}

/** After the fourth single space. */
function descriptorsAt(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  for (let part = 0; part < 4; part++) {
    const end = partEnd(bytes, at, to);
    if (end < 0) return -1;
    at = end + 1;
  }
  return at;
}

/** The single space behind the part that begins at `from` and has something in it; a doubled one is one of the part. */
function partEnd(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && (bytes[at] !== space || bytes[at + 1] === space)) at += bytes[at] === space ? 2 : 1;
  return at >= to || at === from ? -1 : at;
}

/** Where the descriptor that begins at `at` ends, -1 if none begins there. */
function descriptorEnd(bytes: Uint8Array, at: number, to: number): number {
  if (bytes[at] === 0x5b) return closed(bytes, nameEnd(bytes, at + 1, to), to, 0x5d);
  if (bytes[at] === 0x28) return closed(bytes, nameEnd(bytes, at + 1, to), to, 0x29);
  const end = nameEnd(bytes, at, to);
  if (end < 0 || end >= to || endsName[bytes[end]!] === 0) return -1;
  return bytes[end] === 0x28 ? methodEnd(bytes, end + 1, to) : end + 1;
}

function closed(bytes: Uint8Array, at: number, to: number, bracket: number): number {
  return at >= 0 && at < to && bytes[at] === bracket ? at + 1 : -1;
}

function methodEnd(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] !== 0x29) at++;
  return at + 1 < to && bytes[at + 1] === 0x2e ? at + 2 : -1;
}

/** Behind a name of one character or more, in backticks or without; -1 if there is none. */
function nameEnd(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  if (bytes[at] !== backtick) {
    while (at < to && endsName[bytes[at]!] === 0 && startsOther[bytes[at]!] === 0) at++;
    return at > from ? at : -1;
  }
  for (at++; at < to; at++) {
    if (bytes[at] !== backtick) continue;
    if (bytes[at + 1] !== backtick || at + 1 >= to) return at > from + 1 ? at + 1 : -1;
    at++;
  }
  return -1;
}
