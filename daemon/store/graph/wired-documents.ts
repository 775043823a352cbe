import { type GraphDocument, type GraphSite, kindOfUse } from '../../model/graph.ts';
import type { SpokenNames, WiredDocument } from '../../model/wiring.ts';
import type { DocumentView } from '../document-view.ts';
import { wiredDocument } from './document-wiring.ts';
import { spokenNames } from './spoken-names.ts';

const kept = new WeakMap<GraphDocument, WiredDocument>();
const keptNames = new WeakMap<GraphDocument, SpokenNames>();
const keptBases = new WeakMap<GraphDocument, ReadonlyMap<number, readonly string[]>>();

/** How a document is tied to others by imports and exports: made once. */
export function wiringOf(one: GraphDocument, view: DocumentView): WiredDocument {
  const known = kept.get(one) ?? wiredDocument(view, one);
  kept.set(one, known);
  return known;
}

/** Names that a document has in texts: read once. */
export function spokenIn(one: GraphDocument, view: DocumentView): SpokenNames {
  const known = keptNames.get(one) ?? spokenNames(one, view);
  keptNames.set(one, known);
  return known;
}

/** Names of what a definition extends or implements that is somebody else's: read once. */
export function foreignBasesOf(
  { in: one, at }: GraphSite,
  view: DocumentView,
  isOwn: (symbol: number) => boolean,
): readonly string[] {
  const known = keptBases.get(one) ?? foreignBasesIn(one, view, isOwn);
  keptBases.set(one, known);
  return known.get(at) ?? [];
}

/** Of each definition of a document the names of what it extends or implements that leads to nothing of the repository. */
function foreignBasesIn(
  { uses }: GraphDocument,
  { facts, links }: DocumentView,
  isOwn: (symbol: number) => boolean,
): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, string[]>();
  const settled = new Set<number>();
  uses.targets.forEach((target, index) => {
    for (let use = uses.starts[index]!; use < uses.starts[index + 1]!; use++) {
      if (kindOfUse(uses.marks[use]!) === 'implementation' && isOwn(target)) settled.add(uses.references[use]!);
    }
  });
  for (let reference = 0; reference < facts().referenceCount; reference++) {
    if (facts().referenceKind(reference) !== 'implementation' || settled.has(reference)) continue;
    const slot = facts().referenceEnclosing(reference);
    if (slot < 0) continue;
    const at = links.definitionOfSlot(slot);
    const known = found.get(at);
    const { name } = facts().reference(reference);
    if (known === undefined) found.set(at, [name]);
    else known.push(name);
  }
  return found;
}
