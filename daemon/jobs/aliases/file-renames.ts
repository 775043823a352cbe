import type { RepoPath } from '../../model/paths.ts';
import type { FileEvidence, RenameEvidence, SymbolEvidence } from './rename-evidence.ts';
import { fewestTokens, type LineWeights } from './symbol-bodies.ts';

/** What so many files have tells none of them from another. */
const mostBearers = 8;

/**
 * Files that were renamed with edits, old path → new: one that went as a whole and one that came, whose definitions are more
 * alike than not, and which have something of one name that isn't `known` elsewhere (old hash → new), or of which one has
 * what the other is known to have had. Where another file is alike too, it is so less than half as much (Lowe's ratio test):
 * two that both may be it are no evidence.
 */
export function renamedFiles(
  { gone, appeared, goneFiles, appearedFiles }: RenameEvidence,
  known: ReadonlyMap<string, string>,
): ReadonlyMap<RepoPath, RepoPath> {
  const taken = new Set(known.values());
  const open = ({ root, hash }: SymbolEvidence): boolean => root === hash && !known.has(hash) && !taken.has(hash);
  const [before, after] = [linesByPath(goneFiles), linesByPath(appearedFiles)];
  const left = pathsByName(gone.filter(one => open(one) && before.has(one.path)));
  const come = pathsByName(appeared.filter(one => open(one) && after.has(one.path)));
  const likeness = new Likeness();
  const compare = (from: RepoPath, to: RepoPath): void =>
    likeness.add(from, to, () => [before.get(from)!, after.get(to)!]);
  const targets = new Map(appeared.map(one => [one.hash, one]));
  for (const { hash, root, path } of gone) {
    const found = root === hash ? targets.get(known.get(hash) ?? '') : undefined;
    if (found !== undefined && before.has(path) && after.has(found.path)) compare(path, found.path);
  }
  for (const [name, paths] of left) {
    const others = come.get(name) ?? new Set<RepoPath>();
    if (Math.max(paths.size, others.size) > mostBearers) continue;
    for (const from of paths) for (const to of others) compare(from, to);
  }
  return likeness.clearPairs();
}

function linesByPath(files: readonly FileEvidence[]): ReadonlyMap<RepoPath, LineWeights> {
  return new Map(files.map(({ path, lines }) => [path, lines]));
}

function pathsByName(roots: readonly SymbolEvidence[]): ReadonlyMap<string, ReadonlySet<RepoPath>> {
  const paths = new Map<string, Set<RepoPath>>();
  for (const { kind, local, path } of roots) {
    const name = `${kind}\0${local}`;
    paths.set(name, (paths.get(name) ?? new Set()).add(path));
  }
  return paths;
}

/** How alike pairs of files are, 0 to 1. */
class Likeness {
  readonly #byOld = new Map<RepoPath, Map<RepoPath, number>>();
  readonly #byNew = new Map<RepoPath, Map<RepoPath, number>>();

  add(from: RepoPath, to: RepoPath, lines: () => readonly [LineWeights, LineWeights]): void {
    const [targets, sources] = [this.#byOld.get(from) ?? new Map(), this.#byNew.get(to) ?? new Map()];
    if (targets.has(to)) return;
    const likeness = likenessOf(...lines());
    this.#byOld.set(from, targets.set(to, likeness));
    this.#byNew.set(to, sources.set(from, likeness));
  }

  clearPairs(): ReadonlyMap<RepoPath, RepoPath> {
    const pairs = new Map<RepoPath, RepoPath>();
    for (const [from, targets] of this.#byOld) {
      for (const [to, likeness] of targets) {
        const rivals = [...without(targets, to), ...without(this.#byNew.get(to)!, from)];
        if (1 - likeness < (1 - Math.max(0, ...rivals)) / 2) pairs.set(from, to);
      }
    }
    return pairs;
  }
}

function without(likeness: ReadonlyMap<RepoPath, number>, path: RepoPath): readonly number[] {
  return [...likeness].flatMap(([other, value]) => (other === path ? [] : [value]));
}

/** The share of the larger one's tokens that stands in lines which both have; 0 where that is too little to tell something. */
function likenessOf(one: LineWeights, other: LineWeights): number {
  const [lines, others] = [weightsOf(one), weightsOf(other)];
  let common = 0;
  for (const [line, weight] of lines) common += Math.min(weight, others.get(line) ?? 0);
  return common < fewestTokens ? 0 : common / Math.max(total(lines), total(others));
}

/** Tokens by line, of all times that it is there. */
function weightsOf(lines: LineWeights): ReadonlyMap<number, number> {
  const weights = new Map<number, number>();
  for (let at = 0; at < lines.length; at += 2) weights.set(lines[at]!, (weights.get(lines[at]!) ?? 0) + lines[at + 1]!);
  return weights;
}

function total(weights: ReadonlyMap<number, number>): number {
  return [...weights.values()].reduce((sum, weight) => sum + weight, 0);
}
