import type { ApiContent, ApiParameter, ApiStyle, FormStyles } from '../../../../model/openapi-schema.ts';
import { type FlatShape, flat } from './flat-shape.ts';
import type { Put } from './found.ts';
import type { ShapePairs } from './shape-pairs.ts';

/** How a parameter that is a list or an object is written. */
export function compareStyles(pairs: ShapePairs, put: Put, was: ApiParameter, is: ApiParameter): void {
  const [old, now] = [flat(pairs.old, was.shape), flat(pairs.now, is.shape)];
  const kind = commonKind(old, now) ?? (isCoded(was, old) || isCoded(is, now) ? 'value' : undefined);
  if (kind === undefined || textOf(was.style, kind) === textOf(is.style, kind)) return;
  put({
    id: 'parameter-style-changed',
    severity: 'breaking',
    compatibility: ['request'],
    where: `${was.place} ${was.name}`,
    message: messageOf('parameter', was.name, textOf(was.style, kind), textOf(is.style, kind)),
    before: was.line,
    after: is.line,
  });
}

/** The same of the fields of a form. */
export function compareFormStyles(pairs: ShapePairs, put: Put, was: ApiContent, is: ApiContent): void {
  if (was.styles === undefined || is.styles === undefined) return;
  const now = flat(pairs.now, is.shape).properties;
  for (const [name, old] of flat(pairs.old, was.shape).properties) {
    const later = now.get(name);
    if (later === undefined) continue;
    const kind = commonKind(flat(pairs.old, old.shape), flat(pairs.now, later.shape));
    if (kind === undefined) continue;
    const [from, to] = [textOf(styleIn(was.styles, name), kind), textOf(styleIn(is.styles, name), kind)];
    if (from === to) continue;
    put({
      id: 'request-field-style-changed',
      severity: 'breaking',
      compatibility: ['request'],
      where: `request.${name}`,
      message: messageOf('field', name, from, to),
      before: old.line,
      after: later.line,
    });
  }
}

/** Whether another text stands for a value than the value itself: texts are between quotes in JSON, numbers are not. */
function isCoded({ style }: ApiParameter, { types }: FlatShape): boolean {
  const isPlain =
    types.length > 0 && types.every(type => type === 'integer' || type === 'number' || type === 'boolean');
  return style.name.includes('/') && !/^text\/plain\b/i.test(style.name) && !isPlain;
}

function styleIn({ usual, fields }: FormStyles, name: string): ApiStyle {
  return fields.get(name) ?? usual;
}

type Kind = 'array' | 'object' | 'value';

/** Of what is no list and no object on both sides, another rule tells. */
function commonKind(old: FlatShape, now: FlatShape): Kind | undefined {
  const [was, is] = [kindOf(old), kindOf(now)];
  return was === is ? was : undefined;
}

function kindOf({ types, items, properties }: FlatShape): Kind | undefined {
  if (types.includes('array') || (types.length === 0 && items !== undefined)) return 'array';
  return types.includes('object') || (types.length === 0 && properties.size > 0) ? 'object' : undefined;
}

/** The same text for what is written alike: a list's items for themselves in whatever style a query has, without a name in any case. */
function textOf({ name, isExploded }: ApiStyle, kind: Kind): string {
  if (kind === 'value') return name.includes('/') ? name : 'as it is';
  if (name.includes('/') || name === 'deepObject' || (kind === 'array' && name === 'simple')) return name;
  const isRepeated = kind === 'array' && isExploded && (name === 'spaceDelimited' || name === 'pipeDelimited');
  return isRepeated ? 'form, exploded' : `${name}, ${isExploded ? '' : 'not '}exploded`;
}

function messageOf(what: 'parameter' | 'field', name: string, from: string, to: string): string {
  return `the ${what} ${name} is written otherwise: ${to} instead of ${from}`;
}
