import type { ManifestDelta } from '../../model/delta.ts';
import type { MountedDocument } from '../../model/document.ts';
import { symbolHash } from '../../model/identity.ts';
import type { ManifestLine } from '../../model/manifest.ts';
import { scopeOfTail } from '../../model/mount.ts';
import { factKeyOf, factKeyText } from '../fact-key.ts';

/**
 * Where symbols went whose file was moved: the same content vanished at one path and appeared at one other, and at no
 * further ones, so there is no doubt. From each old symbol hash in `gone` to the new one, unless that was there before.
 */
export function movedSymbols(
  delta: ManifestDelta,
  gone: ReadonlySet<string>,
  documentOf: (line: ManifestLine) => MountedDocument | undefined,
): ReadonlyMap<string, string> {
  const moved = new Map<string, string>();
  if (gone.size === 0) return moved;
  for (const { from, to } of movedFiles(delta)) {
    const before = documentOf(from);
    const after = documentOf(to);
    if (before === undefined || after === undefined || before.path === after.path) continue;
    const replaced = delta.get(after.path)?.before;
    const known = tailsIn(replaced === undefined ? undefined : documentOf(replaced));
    for (const { tail } of before.facts.definitions) {
      const old = symbolHash(scopeOfTail(before, tail), tail);
      if (gone.has(old) && !known.has(tail)) moved.set(old, symbolHash(scopeOfTail(after, tail), tail));
    }
  }
  return moved;
}

function tailsIn(document: MountedDocument | undefined): ReadonlySet<string> {
  return new Set(document?.facts.definitions.map(({ tail }) => tail));
}

interface Move {
  readonly from: ManifestLine;
  readonly to: ManifestLine;
}

function* movedFiles(delta: ManifestDelta): Iterable<Move> {
  const contents = new Map<string, { readonly from: ManifestLine[]; readonly to: ManifestLine[] }>();
  for (const { before, after } of delta.values()) {
    const sides = [
      { line: before, other: after, side: 'from' },
      { line: after, other: before, side: 'to' },
    ] as const;
    for (const { line, other, side } of sides) {
      const key = line === undefined ? undefined : factKeyOf(line);
      if (line === undefined || key === undefined || other?.entry.hash === key.hash) continue;
      const name = factKeyText(key);
      const both = contents.get(name) ?? { from: [], to: [] };
      contents.set(name, both);
      both[side].push(line);
    }
  }
  for (const { from, to } of contents.values()) {
    const [[only], [target]] = [from, to];
    if (from.length === 1 && to.length === 1) yield { from: only!, to: target! };
  }
}
