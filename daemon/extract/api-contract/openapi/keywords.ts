import { createHash } from 'node:crypto';
import { type ApiKeyword, type ApiKeywordName, keywordNames } from '../../../model/openapi-schema.ts';
import { at, type DocumentNode, mapOf, textsOf } from '../document/nodes.ts';

/** Those that mean nothing without the keyword, and are said with it. */
const companions: Partial<Record<ApiKeywordName, readonly string[]>> = {
  if: ['then', 'else'],
  contains: ['minContains', 'maxContains'],
};

/** What a schema holds values against besides what has a place of its own in a shape. */
export function keywordsOf(node: DocumentNode, digests: Map<DocumentNode, string>): readonly ApiKeyword[] {
  return keywordNames.flatMap(name => {
    const value = at(node, name);
    if (value === undefined || saysNothing(value)) return [];
    const parts = [value, ...(companions[name] ?? []).map(key => at(node, key))];
    const digest = parts.map(part => (part === undefined ? '' : digestOf(part, digests))).join(' ');
    return [{ name, digest, pairs: name === 'dependentRequired' ? pairsOf(value) : [], line: value.line }];
  });
}

/** `unevaluatedProperties: true`, `dependentRequired: {}`. */
function saysNothing(value: DocumentNode): boolean {
  if (value.kind === 'scalar') return value.value === true;
  return value.kind === 'map' ? value.entries.size === 0 : value.items.length === 0;
}

function pairsOf(node: DocumentNode): readonly string[] {
  return [...mapOf(node).entries].flatMap(([name, { value }]) => textsOf(value).map(one => `${name} needs ${one}`));
}

/** Texts for people, which no value is held against. */
const prose = new Set(['title', 'description', '$comment']);

/** Of each node once, however many schemas it lies in. */
function digestOf(node: DocumentNode, digests: Map<DocumentNode, string>): string {
  const known = digests.get(node);
  if (known !== undefined) return known;
  const made = createHash('sha1').update(contentOf(node, digests)).digest('base64');
  digests.set(node, made);
  return made;
}

function contentOf(node: DocumentNode, digests: Map<DocumentNode, string>): string {
  if (node.kind === 'scalar') return JSON.stringify(node.value);
  if (node.kind === 'list') return `[${node.items.map(item => digestOf(item, digests)).join()}]`;
  const entries = [...node.entries].filter(([name, { value }]) => !prose.has(name) || value.kind !== 'scalar');
  return `{${entries
    .map(([name, { value }]) => `${JSON.stringify(name)}:${digestOf(value, digests)}`)
    .sort()
    .join()}}`;
}
