import type { ApiParameter, ApiStyle, FormStyles } from '../../../model/openapi-schema.ts';
import { at, type DocumentNode, isTrue, mapOf, textOf } from '../document/nodes.ts';

/** What version 2 calls `collectionFormat` in the words of version 3. */
const oldStyles: ReadonlyMap<string, ApiStyle> = new Map([
  ['ssv', { name: 'spaceDelimited', isExploded: false }],
  ['tsv', { name: 'tabDelimited', isExploded: false }],
  ['pipes', { name: 'pipeDelimited', isExploded: false }],
  ['multi', { name: 'form', isExploded: true }],
]);

/** How a parameter of version 2 writes a list; between commas where nothing else is said. */
export function oldStyle(node: DocumentNode, place: ApiParameter['place'] | 'formData'): ApiStyle {
  const name = place === 'path' || place === 'header' ? 'simple' : 'form';
  return oldStyles.get(textOf(at(node, 'collectionFormat')) ?? '') ?? { name, isExploded: false };
}

export function styleOf(node: DocumentNode | undefined, place: ApiParameter['place']): ApiStyle {
  const name = textOf(at(node, 'style')) ?? (place === 'path' || place === 'header' ? 'simple' : 'form');
  const explode = at(node, 'explode');
  return { name, isExploded: explode === undefined ? name === 'form' : isTrue(explode) };
}

/** What `encoding` says of the fields of a form that is written as a query is; other media types have it otherwise. */
export function formStyles(mediaType: string, content: DocumentNode): FormStyles | undefined {
  if (!/^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(mediaType)) return undefined;
  const fields = [...mapOf(at(content, 'encoding')).entries];
  return {
    usual: styleOf(undefined, 'query'),
    fields: new Map(fields.map(([name, { value }]) => [name, styleOf(value, 'query')])),
  };
}
