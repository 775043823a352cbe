import type { Static } from 'typebox';
import { Fault } from '../../client/protocol/faults.ts';
import type {
  indexServer,
  ServedCallEdge,
  ServedFile,
  ServedRef,
  ServedSymbol,
} from '../../client/protocol/index-server.ts';
import type { OutputOf } from '../../client/protocol/operation.ts';
import type { ReferenceKind } from '../model/facts.ts';
import { referenceKinds } from '../model/facts-format.ts';
import type {
  MirroredDeltas,
  MirroredEdge,
  MirroredFile,
  MirroredRef,
  MirroredSymbol,
} from '../model/mirrored-rows.ts';
import { type RepoPath, repoPath } from '../model/paths.ts';
import { shownContainers, shownDocumentation, shownName, shownSignature } from '../model/shown-text.ts';

type Deltas = OutputOf<(typeof indexServer)['indexServer.changes']>['data']['deltas'];

/**
 * Reads rows of one repository as an index server tells them: texts as far as an index here would keep them, for what has
 * told them may have no such bounds, and no id hangs on them. Each method throws the fault of `strangeAnswer`.
 */
export interface ServedRows {
  file(row: Static<typeof ServedFile>): MirroredFile;
  symbol(row: Static<typeof ServedSymbol>): MirroredSymbol;
  ref(row: Static<typeof ServedRef>): MirroredRef;
  edge(row: Static<typeof ServedCallEdge>): MirroredEdge;
  deltas(deltas: Deltas): MirroredDeltas;
}

/** What facts have room for; no line of code is near. */
const farthestLine = 2 ** 28;
const farthestColumn = 2 ** 20;

export function servedRows(repo: string): ServedRows {
  const prefix = `svc:${repo}:sym:`;
  const hashOf = (id: string): string => {
    const digits = id.startsWith(prefix) ? id.slice(prefix.length) : '';
    if (/^[0-9a-f]{32}$/.test(digits)) return digits;
    throw strangeAnswer(`${shortened(id)} is no symbol’s id of ${repo}`);
  };
  const hashOrNone = (id: string): string => (id === '' ? '' : hashOf(id));
  const rows: ServedRows = {
    file: ({ path, language }) => ({ path: pathOf(path), language: languageOf(language) }),
    symbol: ({ id, file_path, line, column, kind, name, container, signature = '', documentation = '' }) => ({
      hash: hashOf(id),
      path: pathOf(file_path),
      ...placeOf(line, column),
      kind: kind as MirroredSymbol['kind'],
      name: shownName(name),
      container: shownContainers(container),
      signature: shownSignature(signature),
      documentation: shownDocumentation(documentation),
    }),
    ref: ({ from_file, line, col, kind, to_symbol_id, in_symbol_id }) => ({
      path: pathOf(from_file),
      ...placeOf(line, col),
      // One that a newer server tells apart is a reference all the same.
      kind: (referenceKinds as readonly string[]).includes(kind) ? (kind as ReferenceKind) : 'reference',
      target: hashOf(to_symbol_id),
      enclosing: in_symbol_id === undefined ? undefined : hashOrNone(in_symbol_id),
    }),
    edge: ({ caller_id, callee_id, caller_file, call_line, call_col }) => ({
      path: pathOf(caller_file),
      ...placeOf(call_line, call_col),
      caller: hashOrNone(caller_id),
      callee: hashOf(callee_id),
    }),
    deltas: ({ files, symbols, refs, callgraph }) => ({
      files: {
        added: files.added.map(rows.file),
        modified: files.modified.map(rows.file),
        deleted: files.deleted.map(pathOf),
      },
      symbols: {
        added: symbols.added.map(rows.symbol),
        modified: symbols.modified.map(rows.symbol),
        deleted: symbols.deleted.map(hashOf),
      },
      refs: { added: refs.added.map(rows.ref), deleted: refs.deleted.map(rows.ref) },
      edges: { added: callgraph.added.map(rows.edge), deleted: callgraph.deleted.map(rows.edge) },
    }),
  };
  return rows;
}

/** What is told of an answer that no index server gives. */
export function strangeAnswer(what: string): Fault {
  return new Fault('backendUnavailable', `The server’s answer is none of an index server: ${what}`, {
    details: { reason: 'strange_answer' },
  });
}

function pathOf(text: string): RepoPath {
  // Half a character has no bytes that would bring it back.
  const path = /\p{Cs}/u.test(text) ? undefined : repoPath(text);
  if (path === undefined) throw strangeAnswer(`${shortened(text)} is no path within a repository`);
  return path;
}

function placeOf(line: number, column: number): { readonly line: number; readonly column: number } {
  const isThere = line >= 1 && line <= farthestLine && column >= 1 && column <= farthestColumn;
  if (!isThere) throw strangeAnswer(`${line}:${column} is no place in a file`);
  return { line: line - 1, column: column - 1 };
}

/** Languages are counted by their names. */
function languageOf(language: string): string {
  if (/^[a-z0-9][a-z0-9+#._-]{0,63}$/.test(language) && !(language in Object.prototype)) return language;
  throw strangeAnswer(`${shortened(language)} is no language`);
}

const longestTold = 100;

/** What somebody else wrote, so that it can stand in a message: nothing in it moves a terminal's cursor. */
export function shortened(text: string, longest = longestTold): string {
  const start = text.slice(0, longest).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ' ');
  return JSON.stringify(text.length > longest ? `${start}…` : start);
}
