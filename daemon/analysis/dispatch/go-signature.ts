/** What a method takes and gives, as far as its text tells: types without the packages that they are of, by which no two files need name them alike. */
export interface GoSignature {
  readonly parameters: readonly string[];
  readonly results: readonly string[];
}

/** Of a method as a type has it (`func (s *S) Save(k string) error`) or an interface; undefined of a text that was cut off. */
export function goSignature(text: string, name: string): GoSignature | undefined {
  const receiver = text.startsWith('func (') ? closingAt(text, 'func '.length) + 1 : 0;
  const open = text.indexOf('(', text.indexOf(name, receiver) + name.length);
  const close = open < 0 ? -1 : closingAt(text, open);
  if (close < 0 || text.endsWith('…')) return undefined;
  return { parameters: typesIn(text.slice(open + 1, close)), results: resultsIn(text.slice(close + 1)) };
}

/** Names of the type parameters of a type, as its text or that of a method's receiver has them: `S[K, V]`, `S[K comparable, V any]`. */
export function goTypeParameters(text: string, type: string): readonly string[] {
  const open = text.indexOf(`${type}[`);
  const close = open < 0 ? -1 : closingAt(text, open + type.length);
  if (close < 0) return [];
  return parted(text.slice(open + type.length + 1, close)).flatMap(part => /^[A-Za-z_]\w*/.exec(part)?.[0] ?? []);
}

/** Whether two types are the same but for what stands in the place of some names, which mean any type. */
export function isSameBut(any: ReadonlySet<string>, one: string, other: string): boolean {
  const [these, those] = [wordsOf(one), wordsOf(other)];
  let [here, there] = [0, 0];
  while (here < these.length && there < those.length) {
    const isAny = any.has(these[here]!) || any.has(those[there]!);
    if (these[here] === those[there]) [here, there] = [here + 1, there + 1];
    else if (isAny) [here, there] = [typeEnd(these, here), typeEnd(those, there)];
    else return false;
  }
  return here === these.length && there === those.length;
}

function wordsOf(type: string): readonly string[] {
  return type.match(/\w+|\W/g) ?? [];
}

/** Where the type that begins at a word ends: before what parts it from the next, or closes what is around it. */
function typeEnd(words: readonly string[], from: number): number {
  let depth = 0;
  for (let at = from; at < words.length; at++) {
    if ('([{'.includes(words[at]!)) depth++;
    else if (')]}'.includes(words[at]!) && --depth < 0) return at;
    else if (words[at] === ',' && depth === 0) return at;
  }
  return words.length;
}

function resultsIn(text: string): readonly string[] {
  const results = text.trim();
  if (results === '') return [];
  const isList = results.startsWith('(') && closingAt(results, 0) === results.length - 1;
  return isList ? typesIn(results.slice(1, -1)) : [plainType(results)];
}

/** Types of a list of parameters or results: all of these have names, of which several may share a type, or none has. */
function typesIn(list: string): readonly string[] {
  const parts = parted(list);
  const isNamed = parts.some(part => named.test(part));
  if (!isNamed) return parts.map(plainType);
  const types: string[] = [];
  let last = '';
  for (const part of [...parts].reverse()) {
    const [found] = named.exec(part) ?? [];
    if (found !== undefined) last = plainType(part.slice(found.length));
    types.unshift(last);
  }
  return types;
}

/** A name in front of a type; what begins a type of several words is none. */
const named = /^(?!(?:chan|func|interface|struct|map)\b)[A-Za-z_]\w*\s+(?=[^\s])/;

function plainType(written: string): string {
  const type = written.trim();
  const at = type.indexOf('func(');
  const close = at < 0 ? -1 : closingAt(type, at + 'func'.length);
  if (close >= 0) {
    const taken = typesIn(type.slice(at + 'func('.length, close)).join();
    return `${plainType(type.slice(0, at))}func(${taken})(${resultsIn(type.slice(close + 1)).join()})`;
  }
  return type
    .replace(/\b[A-Za-z_]\w*\.(?=[A-Za-z_])/g, '')
    .replace(/\binterface\s*\{\s*\}/g, 'any')
    .replace(/\s+/g, '');
}

/** What commas outside of brackets part. */
function parted(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at === text.length || (depth === 0 && text[at] === ',')) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    } else if ('([{'.includes(text[at]!)) depth++;
    else if (')]}'.includes(text[at]!)) depth--;
  }
  return parts.filter(part => part !== '');
}

/** Where the bracket at `open` closes; -1 where it does not. */
function closingAt(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if ('([{'.includes(text[at]!)) depth++;
    else if (')]}'.includes(text[at]!) && --depth === 0) return at;
  }
  return -1;
}
