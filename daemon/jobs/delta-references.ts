import type { DeltaCallEdge, DeltaLists, DeltaRef } from '../../client/protocol/delta.ts';
import type { MountedDocument } from '../model/document.ts';
import { symbolHash, symbolId } from '../model/identity.ts';
import { scopeOfTail } from '../model/mount.ts';
import type { ReferenceTargets } from '../store/stored-targets.ts';

type Document = MountedDocument | undefined;
type Targets = ReferenceTargets | undefined;

/** Rows of references and call edges that come and go, document by document. */
export interface RowChanges {
  /** Takes all rows of a document as it was. */
  before(document: Document, targets: Targets): void;
  /** Takes all rows of a document as it is. */
  after(document: Document, targets: Targets): void;
  /**
   * Takes the rows of a document that stays as it is: those of references that point elsewhere now, all or some of which
   * were linked again.
   */
  between(document: Document, was: Targets, is: Targets, again?: Iterable<number>): void;
  result(): Pick<DeltaLists, 'refs' | 'callgraph'>;
}

interface Rows {
  readonly refs: DeltaRef[];
  readonly edges: DeltaCallEdge[];
}

/** `repo` is the repository as symbol ids name it. */
export function rowChanges(repo: string): RowChanges {
  const [before, after]: [Rows, Rows] = [
    { refs: [], edges: [] },
    { refs: [], edges: [] },
  ];
  return {
    before: (document, targets) => addAll(document, targets, repo, before),
    after: (document, targets) => addAll(document, targets, repo, after),
    between(document, was = [], is = [], again = upTo(Math.max(was.length, is.length))) {
      for (const at of again) {
        const [old, now] = [was.at(at), is.at(at)];
        if (old === now) continue;
        addRow(document, at, old, repo, before);
        addRow(document, at, now, repo, after);
      }
    },
    result: () => ({
      refs: { added: surplus(after.refs, before.refs), deleted: surplus(before.refs, after.refs) },
      callgraph: { added: surplus(after.edges, before.edges), deleted: surplus(before.edges, after.edges) },
    }),
  };
}

function addAll(document: Document, targets: Targets = [], repo: string, rows: Rows): void {
  for (const at of upTo(targets.length)) addRow(document, at, targets.at(at), repo, rows);
}

function upTo(end: number): Iterable<number> {
  return Array(end).keys();
}

function addRow(document: Document, at: number, target: string | undefined, repo: string, { refs, edges }: Rows): void {
  if (document === undefined || target === undefined) return;
  const { path, facts } = document;
  const { language, references, definitions } = facts;
  const { kind, line, column, enclosing } = references[at]!;
  const to = symbolId(repo, target);
  refs.push({ from_file: path, to_symbol_id: to, line: line + 1, col: column + 1, kind, language });
  if (kind !== 'call' || enclosing < 0) return;
  const { tail } = definitions[enclosing]!;
  const caller = symbolId(repo, symbolHash(scopeOfTail(document, tail), tail));
  const place = { caller_file: path, call_line: line + 1, call_col: column + 1 };
  edges.push({ caller_id: caller, callee_id: to, ...place, language });
}

/** What one list has more of than the other, by what the rows say. */
function surplus<Row>(of: readonly Row[], over: readonly Row[]): Row[] {
  const known = new Map<string, number>();
  for (const row of over) {
    const text = JSON.stringify(row);
    known.set(text, (known.get(text) ?? 0) + 1);
  }
  return of.filter(row => {
    const text = JSON.stringify(row);
    const count = known.get(text) ?? 0;
    if (count > 0) known.set(text, count - 1);
    return count === 0;
  });
}
