import type { ImportFact } from '../../../model/facts.ts';
import type { GraphDocument } from '../../../model/graph.ts';
import { symbolId } from '../../../model/identity.ts';
import { lookingFor } from '../../analysis/gone-file.ts';
import { impactAnswer } from '../../analysis/impact.ts';
import type { CodeSide } from '../../readers/changed-code.ts';
import type { Head } from './head.ts';

/** Whether the index is as it was, and has it. */
export function isIndexed({ graph }: Head, hash: string): boolean {
  const symbol = graph.numberOf(hash);
  return symbol !== undefined && graph.sitesOf(symbol).length > 0;
}

/** Where the index is as it is then. */
export function lookingInVain({ graph }: Head, from: CodeSide, slot: number): readonly string[] {
  return sorted(lookingFor(graph, from.path, from.facts(), [slot]).map(({ path }) => path));
}

/** So many users are looked at one by one. */
const mostUsers = 1000;

/** Where the index is as it was: who uses it, but for who does without it then. */
export function usersBefore(head: Head, from: CodeSide, slot: number): readonly string[] {
  const { name, hash } = from.definitions[slot]!;
  const id = symbolId(head.asked.repo.id, hash);
  const found = impactAnswer(head, { id, depth: 1, includeTests: true, limit: mostUsers, sync: false });
  return (found?.affected ?? []).map(({ location }) => location.file).filter(path => head.uses.still(path, name));
}

/**
 * Of what a change puts somewhere else, an index of before can't tell who of those that it changes has found it. What it leaves as it is
 * and had it right from where it was has not.
 */
export function unaware(head: Head, from: CodeSide, slot: number): readonly string[] {
  const { graph, uses } = head;
  const document = graph.documentAt(from.path);
  if (document === undefined) return [];
  const near = new Set(importersOf(head, document));
  return usersBefore(head, from, slot).filter(path => near.has(path) && !uses.isChanged(path));
}

/** The same, in other files; those that are moved themselves find it from where they are then. */
export function usersElsewhere(head: Head, from: CodeSide, slot: number): readonly string[] {
  const { name } = from.definitions[slot]!;
  const others = usersBefore(head, from, slot).filter(path => path !== from.path && !head.uses.hasMoved(path));
  return sorted(others.filter(path => head.uses.stillThere(path, name)));
}

export function sorted(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].sort();
}

/** Files that import one, or share its scope. */
export function importersOf({ graph }: Head, document: GraphDocument): readonly string[] {
  const found = new Set(graph.documentsIn(document.scope).map(graph.pathOf));
  found.delete(document.path);
  graph.eachImport(document, one => found.add(one.path));
  return [...found];
}

/** What a file imports, as the index has it. */
export function importsOf({ graph }: Head, path: string): readonly ImportFact[] {
  const document = graph.documentAt(path);
  return document === undefined ? [] : graph.factsOf(document).imports;
}

/** What a file is called where it is imported: many languages name a folder by a file in it, and leave endings out. */
export function moduleAt(path: string): string {
  return path.replace(/(?:\.d)?\.[^./]+$/, '').replace(/\/(?:index|mod|__init__)$/, '');
}

/** Whether what a file defined may be had from there then, from what is called as that was. */
export function isHandedOnThere({ uses }: Head, { path }: CodeSide, name: string): boolean {
  return uses.isHandedOnAt(one => moduleAt(one) === moduleAt(path), name);
}
