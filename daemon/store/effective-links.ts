import type { ReferenceKind } from '../model/facts.ts';
import type { FactsView } from '../model/facts-codec.ts';
import type { ExtraReference } from '../model/precise.ts';
import type { LinkBody } from './link-body.ts';
import type { PreciseBody } from './precise-body.ts';

/** What syntax says of a document, and what an indexer says of it. */
export interface LinkedDocumentView {
  readonly links: LinkBody;
  /** Undefined where no indexer saw this content. */
  readonly precise: PreciseBody | undefined;
}

/** Whether a symbol is defined in the snapshot, or is somebody else's: what an indexer says of any other is void. */
export type Holds = (symbol: number) => boolean;

/** In place of a confidence in hundredths: an indexer says so. */
export const preciseMark = 127;

/**
 * The occurrences of a symbol that holds, packed: index of the reference * 128 + confidence in hundredths or
 * `preciseMark`. An index past the facts' references is that of an extra. Where an indexer names a symbol that holds,
 * syntax has no say; where it names none, or one that is gone, or one to which syntax, which led there as well, leads no
 * longer, syntax has.
 */
export function occurrencesIn({ links, precise }: LinkedDocumentView, symbol: number, holds: Holds): readonly number[] {
  const bySyntax = links.occurrencesOf(symbol);
  if (precise === undefined) return [...bySyntax];
  const found: number[] = [];
  for (const packed of precise.occurrencesOf(symbol)) {
    const isTied = (packed & 1) === 1;
    if (!isTied || links.sureness(packed >>> 1, symbol) > 0) found.push((packed >>> 1) * 128 + preciseMark);
  }
  for (const packed of bySyntax) if (!covers({ links, precise }, packed >>> 7, holds)) found.push(packed);
  return found;
}

/** Whether an indexer has its say of a reference. */
function covers({ links, precise }: LinkedDocumentView, reference: number, holds: Holds): boolean {
  const counts = (symbol: number, isTied: boolean): boolean =>
    holds(symbol) && (!isTied || links.sureness(reference, symbol) > 0);
  return precise?.covers(reference, counts) ?? false;
}

/** Of a reference that syntax has a say of: whether an indexer had one, which is void. */
export function isFallenBack({ precise }: LinkedDocumentView, reference: number): boolean {
  return precise?.covers(reference, () => true) ?? false;
}

/** The references of a name that nothing settles, packed: reference index * 8 + index of its kind. */
export function unresolvedIn(linked: LinkedDocumentView, name: number, holds: Holds): readonly number[] {
  const bySyntax = [...linked.links.unresolved(name)];
  return linked.precise === undefined ? bySyntax : bySyntax.filter(packed => !covers(linked, packed >>> 3, holds));
}

/** Symbols that occur, whoever says so; some may not hold. */
export function targetsIn({ links, precise }: LinkedDocumentView): Iterable<number> {
  return precise === undefined ? links.targets() : new Set([...links.targets(), ...precise.targets()]);
}

/** A reference of the facts, or an extra. */
export function referenceAt(
  { precise }: LinkedDocumentView,
  facts: () => FactsView,
  index: number,
): ExtraReference & { readonly kind: ReferenceKind } {
  return precise !== undefined && index >= precise.referenceCount ? precise.extra(index) : facts().reference(index);
}
