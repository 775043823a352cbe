import { documentsKey, existsKey, questionsFor, scopesKey } from '../../link/questions.ts';
import { plainName, writtenName } from '../../link/written-names.ts';
import type { MountedDocument } from '../../model/document.ts';
import type { DocumentFacts } from '../../model/facts.ts';
import type { GraphDocument } from '../../model/graph.ts';
import { symbolHash } from '../../model/identity.ts';
import { mount, packageOfScope, scopeOfTail } from '../../model/mount.ts';
import { baseName, directoryOf, repoPath } from '../../model/paths.ts';
import type { QuestionKey } from '../../model/question.ts';
import type { SnapshotGraph } from '../../store/graph/snapshot-graph.ts';

/**
 * Documents that look for what a file defined which is gone: those that ask for such a definition where it stood, or import it by
 * way of another file, and use its name for nothing that is here. `of`: the definitions that are meant, by slot; where none are
 * named all of the file, but for what others define as well (a namespace, a class that is open).
 */
export function lookingFor(
  graph: SnapshotGraph,
  path: string,
  facts: DocumentFacts,
  of?: readonly number[],
): readonly GraphDocument[] {
  const named = repoPath(path);
  if (named === undefined) return [];
  const document = mount(named, facts);
  const gone = of ?? [...facts.definitions.keys()].filter(slot => !isHere(graph, document, slot));
  const names = new Set(gone.flatMap(slot => namesOf(facts, slot)));
  const slots = new Set(gone);
  const questions = [...questionsFor(document, slot => slots.has(slot)), ...aboutPlace(graph, document)];
  const asking = graph.askersOf(questions).filter(one => graph.usesInVain(one, names));
  const places = [baseName(path).replace(/\..*$/, ''), baseName(directoryOf(path))];
  // Whoever had it by way of another file asks that one, whatever became of it.
  const imported = gone.filter(slot => facts.definitions[slot]!.container < 0 && facts.definitions[slot]!.exported);
  const importing = imported
    .slice(0, mostImported)
    .flatMap(slot => graph.importersInVain(facts.definitions[slot]!.name, places));
  return [...new Set([...asking, ...importing])];
}

/** So many definitions of a file are looked for by who imports them, whatever from: each may take some milliseconds. */
const mostImported = 100;

function isHere(graph: SnapshotGraph, document: MountedDocument, slot: number): boolean {
  const { tail } = document.facts.definitions[slot]!;
  const symbol = graph.numberOf(symbolHash(scopeOfTail(document, tail), tail));
  return symbol !== undefined && graph.sitesOf(symbol).length > 0;
}

/** Where the file has gone, or was the last of its package, who imports that asks for no more. */
function aboutPlace(graph: SnapshotGraph, { path, scope }: MountedDocument): readonly QuestionKey[] {
  const ofFile = graph.documentAt(path) === undefined ? [existsKey(path), scopesKey(directoryOf(path))] : [];
  if (graph.documentsIn(scope).length > 0) return ofFile;
  const name = packageOfScope(scope);
  return [...ofFile, documentsKey(scope), ...(name === '' ? [] : [documentsKey(name)])];
}

/**
 * As uses and imports have them: PHP's in any case, C#'s attributes without what ends their classes' names, and what a file exports
 * under another name.
 */
function namesOf(facts: DocumentFacts, slot: number): readonly string[] {
  const { name } = facts.definitions[slot]!;
  const exported = facts.exports.flatMap(({ name: other, of }) => {
    const meant = facts.expressions[of];
    return meant?.op === 'slot' && meant.slot === slot ? [other] : [];
  });
  return [name, plainName(writtenName(facts, slot)), name.replace(/(?<=.)Attribute$/, ''), ...exported];
}
