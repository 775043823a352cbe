import type { GraphDocument } from '../../model/graph.ts';
import type { SpokenNames, WiredDocument } from '../../model/wiring.ts';
import type { DocumentView } from '../document-view.ts';
import { wiredDocument } from './document-wiring.ts';
import { spokenNames } from './spoken-names.ts';

const kept = new WeakMap<GraphDocument, WiredDocument>();
const keptNames = new WeakMap<GraphDocument, SpokenNames>();

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
