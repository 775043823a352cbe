import type { Declaration, Declared } from '../../model/graph.ts';
import type { DocumentView, DocumentViews } from '../document-view.ts';
import { firstDocument, lastDocument, type Prepare } from '../rows.ts';

/** What the text of the definition at a slot says of it. */
export function declaredAt(view: DocumentView, slot: number): Declared {
  const facts = view.facts();
  return { tail: facts.definitionTail(slot), signature: facts.definitionSignature(slot) };
}

interface Named {
  /** Number of the name. */
  readonly name: number;
  readonly language: string;
  readonly repo: number;
  readonly seq: number;
}

/** What documents of a language define under a name, by their paths. */
export function declarationsNamed(
  { name, language, repo, seq }: Named,
  views: DocumentViews,
  prepare: Prepare,
): readonly Declaration[] {
  const bearers = prepare<[number, number, number, number, number, string], { document: number }>(
    `SELECT bearer.document FROM bearer JOIN link ON link.document = bearer.document AND from_seq <= ? AND to_seq > ?
     WHERE key = ? AND bearer.document BETWEEN ? AND ? AND language = ?`,
  ).all(seq, seq, name, firstDocument(repo), lastDocument(repo), language);
  return bearers
    .flatMap(({ document }) => views.at(document, seq) ?? [])
    .sort((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap(view => declarationsIn(view, name));
}

function declarationsIn(view: DocumentView, name: number): readonly Declaration[] {
  const { document, links, scope } = view;
  const found: Declaration[] = [];
  for (let at = 0; at < links.definitionCount; at++) {
    if (links.nameAt(at) !== name) continue;
    const slot = links.primarySlotAt(at);
    const facts = view.facts();
    const container = facts.definitionContainer(slot);
    const holder = container < 0 ? undefined : facts.definitionTraits(container).kind;
    const { kind } = facts.definitionTraits(slot);
    found.push({ ...declaredAt(view, slot), document, at, scope, kind, holder });
  }
  return found;
}
