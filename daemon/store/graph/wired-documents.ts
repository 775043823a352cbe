import type { GraphDocument } from '../../model/graph.ts';
import type { WiredDocument } from '../../model/wiring.ts';
import type { DocumentView } from '../document-view.ts';
import { wiredDocument } from './document-wiring.ts';

const kept = new WeakMap<GraphDocument, WiredDocument>();

/** How a document is tied to others by imports and exports: made once. */
export function wiringOf(one: GraphDocument, view: DocumentView): WiredDocument {
  const known = kept.get(one) ?? wiredDocument(view, one);
  kept.set(one, known);
  return known;
}
