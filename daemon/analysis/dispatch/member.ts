import { type CodeGraph, type GraphDocument, type GraphSite, traitsOf } from '../../model/graph.ts';
import { isStaticTail, lastDescriptorAt } from '../../model/identity.ts';
import { parameterTypes } from '../../model/parameter-shape.ts';
import type { SymbolKind, Visibility } from '../../model/symbol.ts';

/** What tells a member from others of its name. */
export interface Member {
  readonly site: GraphSite;
  readonly language: string;
  readonly kind: SymbolKind;
  readonly visibility: Visibility;
  readonly hasBody: boolean;
  readonly name: string;
  readonly tail: string;
  readonly signature: string;
}

const members = new WeakMap<GraphDocument, Map<number, Member>>();

/** What is told of the definition at a site: read once. */
export function memberAt(graph: CodeGraph, site: GraphSite): Member {
  const known = members.get(site.in) ?? new Map<number, Member>();
  members.set(site.in, known);
  const found = known.get(site.at) ?? readMember(graph, site);
  known.set(site.at, found);
  return found;
}

function readMember(graph: CodeGraph, site: GraphSite): Member {
  const { tail, signature } = graph.declaredAt(site);
  const { kind, visibility, hasBody } = traitsOf(site);
  return { site, language: site.in.language, kind, visibility, hasBody, name: nameIn(tail), tail, signature };
}

/** The name in the last descriptor of a tail. */
export function nameIn(tail: string): string {
  const last = tail.slice(lastDescriptorAt(tail));
  const [, quoted, plain = ''] = /^(?:`([^`]*)`|([^`#.(/]*))/.exec(last) ?? [];
  return quoted ?? plain;
}

const calledKinds: ReadonlySet<SymbolKind> = new Set(['method', 'function']);
const valueKinds: ReadonlySet<SymbolKind> = new Set(['property', 'field', 'variable', 'constant']);

/** Whether a definition of a kind may override or be overridden at all. */
export function isDispatched(kind: SymbolKind): boolean {
  return calledKinds.has(kind) || kind === 'property' || kind === 'field';
}

/** Languages in which what is called may be a value that holds a function. */
const valuesAreCalled: ReadonlySet<string> = new Set(['typescript', 'javascript', 'python', 'ruby']);

/** Whether calls or reads of the one may lead to the other, as far as kinds and words tell. */
export function mayOverride(base: Member, over: Member): boolean {
  if (!fitsKind(base, over) || isStatic(base) !== isStatic(over)) return false;
  if (isStatic(base) && !dispatchesStatic.has(base.language)) return false;
  return !isHidden(base) && !isHidden(over) && isSaidToOverride(base, over);
}

function fitsKind(base: Member, over: Member): boolean {
  const isRead = base.kind !== 'field' || readsByName.has(base.language);
  if (valueKinds.has(base.kind) && valueKinds.has(over.kind)) return isRead;
  if (calledKinds.has(base.kind) && calledKinds.has(over.kind)) return true;
  return valuesAreCalled.has(base.language) && isDispatched(base.kind) && isDispatched(over.kind) && isRead;
}

/** Languages in which a field is what the value at hand has under its name, not what the class has that is at hand. */
const readsByName: ReadonlySet<string> = new Set(['typescript', 'javascript', 'python', 'dart']);

/** Languages in which a class's own members are found by the class that is at hand (`static::`, `cls.`, `self.`). */
const dispatchesStatic: ReadonlySet<string> = new Set(['php', 'ruby', 'python']);

/** It belongs to the class, not to its instances. */
function isStatic({ tail, signature }: Member): boolean {
  return isStaticTail(tail) || /^[^({=]*\bstatic\s+[\w#*[<$&]/.test(withoutMarks(signature));
}

/** Without annotations, decorators and attributes. */
function withoutMarks(signature: string): string {
  return signature.replace(/@[\w.]+(?:\([^()]*\))?/g, '').replace(/^\s*(?:\[[^\]]*\]\s*)+/, '');
}

const hidesPrivate: ReadonlySet<string> = new Set(['java', 'kotlin', 'csharp', 'php', 'typescript', 'javascript']);

/** No other type sees it: what is called there is another member. */
function isHidden(one: Member): boolean {
  const { language, name } = one;
  if (language === 'python') return /^__.*[^_]_?$/s.test(name);
  return one.visibility === 'private' && hidesPrivate.has(language) && qualifierOf(one) === '';
}

/** Of a member of C# that is one interface's alone, the name of that: `I` of `N.I<T>.M`; '' of any other. */
export function qualifierOf({ language, name }: Member): string {
  if (language !== 'csharp') return '';
  const before = name.slice(0, Math.max(0, name.lastIndexOf('.'))).replace(/<.*$/s, '');
  return before.slice(before.lastIndexOf('.') + 1);
}

/** Languages in which a word says that a member overrides one. */
function isSaidToOverride(base: Member, over: Member): boolean {
  if (over.signature === '' || base.signature === '') return true;
  switch (over.language) {
    case 'kotlin':
      return /\boverride\b/.test(over.signature);
    case 'csharp':
      return isOfInterface(base) || (/\b(?:virtual|abstract|override)\b/.test(base.signature) && isMarked(over));
    default:
      return true;
  }
}

function isOfInterface({ site: { in: one, at } }: Member): boolean {
  const container = one.containers[at]!;
  return container >= 0 && traitsOf({ in: one, at: container }).kind === 'interface';
}

/** It is written at it that it overrides something. */
export function isMarked({ signature }: Member): boolean {
  return /(?:^|[^\w"'])@?[Oo]verride\b/.test(signature);
}

/** In C++ a word says so of the first that may be overridden, or of one that overrides it. */
export function isToldVirtual({ signature }: Member): boolean {
  return signature === '' || /\b(?:virtual|override|final)\b/.test(signature);
}

/** How the parameters of one that may override another fit: where types can't be compared, their number decides. */
export type Fit = 'exact' | 'open' | 'other' | 'none';

/** Languages in which members of one name and other parameters are others. */
const overloads: ReadonlySet<string> = new Set(['java', 'kotlin', 'csharp', 'cpp']);

/** `typeParameters`: names that stand for any type, of a member and of all that it stands in. */
export function fitOf(base: Member, over: Member, typeParameters: (of: Member) => ReadonlySet<string>): Fit {
  if (!overloads.has(base.language) || !calledKinds.has(base.kind) || !calledKinds.has(over.kind)) return 'exact';
  const [these, those] = [parameterTypes(base.tail), parameterTypes(over.tail)];
  if (these.length !== those.length || genericArity(base) !== genericArity(over)) return 'none';
  let fit: Fit = 'exact';
  for (const [at, type] of these.entries()) {
    const other = those[at]!;
    if (plainType(type) === plainType(other)) continue;
    const isOpen =
      base.language !== over.language || isAmong(type, typeParameters(base)) || isAmong(other, typeParameters(over));
    if (isOpen || (base.language === 'cpp' && mayBeParameter.test(type))) {
      if (fit === 'exact') fit = 'open';
    } else fit = 'other';
  }
  return fit;
}

/** In C# members with other numbers of type parameters overload each other: their tails count them. */
function genericArity({ language, tail }: Member): string {
  return language === 'csharp' ? (/\+(\d+)\)\.$/.exec(tail)?.[1] ?? '') : '';
}

/** The extractor tells no parameters of templates; by custom they are called so. */
const mayBeParameter = /\b(?:[A-Z]\d?|[A-Z]\w*(?:Type|T))\b/;

function isAmong(type: string, names: ReadonlySet<string>): boolean {
  return (type.match(/[A-Za-z_]\w*/g) ?? []).some(word => names.has(word));
}

/** Without what may be written otherwise: qualifiers, spaces, marks of what may be null. */
function plainType(type: string): string {
  return type
    .replace(/\b(?:const|struct|class|enum|typename|in|params|scoped)\s+(?=[\w:])/g, '')
    .replace(/(\w)\s+const\b/g, '$1')
    .replace(/(?:\b[A-Za-z_]\w*(?:::|\.(?=[A-Za-z_])))+/g, '')
    .replace(/[?!\s]/g, '');
}

/** Names of the type parameters that a type or a function declares. */
export function typeParametersIn({ tail, signature }: Pick<Member, 'tail' | 'signature'>): readonly string[] {
  const behind = signature.indexOf(`${nameIn(tail).replace(/\+\d+$/, '')}<`);
  const before = signature.search(/(?:^|\s)</);
  const open = behind >= 0 ? signature.indexOf('<', behind) : before >= 0 ? signature.indexOf('<', before) : -1;
  if (open < 0) return [];
  return partsIn(signature.slice(open + 1)).flatMap(
    part => /^\s*(?:(?:in|out|reified|@\w+)\s+)*([A-Za-z_]\w*)/.exec(part)?.[1] ?? [],
  );
}

/** What commas part, up to the bracket that closes. */
function partsIn(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length && depth >= 0; at++) {
    if ('<([{'.includes(text[at]!)) depth++;
    else if ('>)]}'.includes(text[at]!) && text[at - 1] !== '-' && text[at - 1] !== '=') depth--;
    if (depth < 0 || (depth === 0 && text[at] === ',')) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return parts;
}
