/** A YAML or JSON document with the 1-based lines of its values. Aliases are the node that they name, not a copy of it. */
export type DocumentNode = MapNode | ListNode | ScalarNode;

export interface MapNode {
  readonly kind: 'map';
  readonly line: number;
  readonly entries: ReadonlyMap<string, MapEntry>;
}

export interface MapEntry {
  /** Where its key stands. */
  readonly line: number;
  readonly value: DocumentNode;
}

export interface ListNode {
  readonly kind: 'list';
  readonly line: number;
  readonly items: readonly DocumentNode[];
}

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly line: number;
  readonly value: string | number | boolean | null;
  /** As written, where that differs: `3.10` of a number. */
  readonly written?: string;
}

/** What could be read, and the first thing that is wrong. */
export interface ReadDocument {
  readonly root: DocumentNode | undefined;
  readonly problem?: DocumentProblem;
}

export interface DocumentProblem {
  readonly line: number;
  readonly message: string;
}

/** No contract lies as deep, and everything that walks one may call itself so often. */
export const deepestNode = 200;

const nothing: MapNode = { kind: 'map', line: 0, entries: new Map() };
const noItems: readonly DocumentNode[] = [];

/** The node where it is a map; an empty one where it is anything else. */
export function mapOf(node: DocumentNode | undefined): MapNode {
  return node?.kind === 'map' ? node : nothing;
}

export function itemsOf(node: DocumentNode | undefined): readonly DocumentNode[] {
  return node?.kind === 'list' ? node.items : noItems;
}

/** What stands under a key of a map; undefined where there is neither. */
export function at(node: DocumentNode | undefined, key: string): DocumentNode | undefined {
  return node?.kind === 'map' ? node.entries.get(key)?.value : undefined;
}

/** The text of a scalar as written: a version may be a number to YAML. undefined for anything else, and for nothing. */
export function textOf(node: DocumentNode | undefined): string | undefined {
  if (node?.kind !== 'scalar' || node.value === null) return undefined;
  return node.written ?? String(node.value);
}

export function isTrue(node: DocumentNode | undefined): boolean {
  return node?.kind === 'scalar' && node.value === true;
}

/** Those of a list's items that are texts. */
export function textsOf(node: DocumentNode | undefined): readonly string[] {
  return itemsOf(node).flatMap(item => textOf(item) ?? []);
}
