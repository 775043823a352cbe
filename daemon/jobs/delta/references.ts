import type { DeltaCallEdge, DeltaLists, DeltaRef } from '../../../client/protocol/delta.ts';
import type { MountedDocument } from '../../model/document.ts';
import { symbolHash, symbolId } from '../../model/identity.ts';
import { scopeOfTail } from '../../model/mount.ts';
import type { ReferenceTargets } from '../../store/stored-targets.ts';

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
    result: () => ({ refs: difference(before.refs, after.refs), callgraph: difference(before.edges, after.edges) }),
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

/** What either list has more of than the other, by what the rows say. */
function difference<Row extends object>(
  before: readonly Row[],
  after: readonly Row[],
): { added: Row[]; deleted: Row[] } {
  const texts = [before, after].map(rows => rows.map(textOf)) as [string[], string[]];
  return { added: surplus(after, texts[1], texts[0]), deleted: surplus(before, ...texts) };
}

/** Rows of one kind have their fields in one order, and no text of theirs holds a null character. */
function textOf(row: object): string {
  return Object.values(row).join('\0');
}

function surplus<Row>(of: readonly Row[], texts: readonly string[], over: readonly string[]): Row[] {
  const known = new Map<string, number>();
  for (const text of over) known.set(text, (known.get(text) ?? 0) + 1);
  return of.filter((_, at) => {
    const count = known.get(texts[at]!) ?? 0;
    if (count > 0) known.set(texts[at]!, count - 1);
    return count === 0;
  });
}
