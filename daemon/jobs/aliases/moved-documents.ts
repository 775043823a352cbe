import type { ManifestDelta } from '../../model/delta.ts';
import { isDocument } from '../../model/document-files.ts';
import type { ManifestLine } from '../../model/manifest.ts';
import { grouped } from './grouped.ts';

/** A document that came or went as a whole. */
export interface DocumentEvidence {
  readonly path: string;
  readonly content: string;
}

export interface DocumentsComeAndGone {
  readonly gone: readonly DocumentEvidence[];
  readonly come: readonly DocumentEvidence[];
}

export function documentEvidence(delta: ManifestDelta): DocumentsComeAndGone {
  const changes = [...delta.values()];
  return {
    gone: documentsOf(changes.flatMap(({ before, after }) => (after === undefined ? (before ?? []) : []))),
    come: documentsOf(changes.flatMap(({ before, after }) => (before === undefined ? (after ?? []) : []))),
  };
}

function documentsOf(lines: readonly ManifestLine[]): readonly DocumentEvidence[] {
  return lines.flatMap(({ entry: { path, hash, skip } }) =>
    skip === '' && isDocument(path) ? [{ path, content: hash }] : [],
  );
}

/** Keeps which documents came and went in one repository of late, and says which were moved as they were. */
export interface MovedDocuments {
  /** Old path → new: the watcher may see either first. Each is told once; nothing of contents that several have. */
  match(evidence: DocumentsComeAndGone, nowMs: number): ReadonlyMap<string, string>;
}

const windowMs = 60_000;
const mostKept = 10_000;

interface Kept extends DocumentEvidence {
  readonly atMs: number;
}

export function createMovedDocuments(): MovedDocuments {
  const [gone, come] = [new Map<string, Kept>(), new Map<string, Kept>()];
  return {
    match: (evidence, nowMs) => {
      for (const one of evidence.gone) note(one, gone, come, nowMs);
      for (const one of evidence.come) note(one, come, gone, nowMs);
      for (const kept of [gone, come]) dropOld(kept, nowMs);
      const moved = pairsOf(gone, come);
      for (const [from, to] of moved) {
        gone.delete(from);
        come.delete(to);
      }
      return moved;
    },
  };
}

/** The latest that is known of a path decides. */
function note(one: DocumentEvidence, here: Map<string, Kept>, there: Map<string, Kept>, atMs: number): void {
  there.delete(one.path);
  here.delete(one.path);
  here.set(one.path, { ...one, atMs });
}

/** The oldest stand first. */
function dropOld(kept: Map<string, Kept>, nowMs: number): void {
  for (const [path, { atMs }] of kept) {
    if (kept.size <= mostKept && nowMs - atMs <= windowMs) return;
    kept.delete(path);
  }
}

function pairsOf(gone: ReadonlyMap<string, Kept>, come: ReadonlyMap<string, Kept>): ReadonlyMap<string, string> {
  const targets = grouped(come.values(), ({ content }) => content);
  const pairs = [...grouped(gone.values(), ({ content }) => content)].flatMap(([content, [from, ...others]]) => {
    const [to, ...more] = targets.get(content) ?? [];
    const isClear = from !== undefined && to !== undefined && others.length + more.length === 0;
    return isClear ? [[from.path, to.path] as const] : [];
  });
  return new Map(pairs);
}
