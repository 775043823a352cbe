import { at, type DocumentNode, textOf } from '../document/nodes.ts';

/** A chain of references that is longer leads nowhere. */
const longestChain = 20;

/** The node, or what its `$ref` names within the document; undefined where that is in another file, nowhere, or itself. */
export function followed(root: DocumentNode, node: DocumentNode | undefined): DocumentNode | undefined {
  let found = node;
  for (let step = 0; step < longestChain; step++) {
    const reference = textOf(at(found, '$ref'));
    if (reference === undefined) return found;
    found = pointedAt(root, reference);
  }
  return undefined;
}

/** Whether a node is a reference to another file, directly or through others. */
export function leadsElsewhere(root: DocumentNode, node: DocumentNode | undefined): boolean {
  let found = node;
  for (let step = 0; step < longestChain; step++) {
    const reference = textOf(at(found, '$ref'));
    if (reference === undefined) return false;
    if (!reference.startsWith('#')) return reference !== '';
    found = pointedAt(root, reference);
  }
  return false;
}

/** By a pointer within the document (RFC 6901): `#/components/parameters/Limit`. */
export function pointedAt(root: DocumentNode, reference: string): DocumentNode | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let found: DocumentNode | undefined = root;
  for (const part of reference.slice(2).split('/')) {
    const name = partOf(part);
    found = found?.kind === 'list' ? found.items[Number(name)] : at(found, name);
  }
  return found;
}

/** A pointer's part as the key that it is of. */
export function partOf(part: string): string {
  return decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
}

function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
