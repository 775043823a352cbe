import type { BlamedContent } from '../../model/history.ts';

/** Contents of which git could not say who wrote them: asked again it would say no more for some time. */
export interface Forgone {
  /** `failed`: the paths, among those of contents that git was asked about, of which it said nothing. */
  add(historyFile: string, contents: readonly BlamedContent[], failed: readonly string[], now: Date): void;
  /** Those of a history, by `contentKey`. */
  of(historyFile: string, now: Date): ReadonlySet<string>;
}

const mostForgone = 50_000;
const forgoneForMs = 10 * 60_000;

export function forgoneContents(): Forgone {
  /** By history file: when git was asked, milliseconds. */
  const all = new Map<string, Map<string, number>>();
  return {
    add(historyFile, contents, failed, now) {
      if (failed.length === 0) return;
      const paths = new Set(failed);
      const there = all.get(historyFile) ?? new Map<string, number>();
      all.set(historyFile, there);
      for (const one of contents) if (paths.has(one.path)) there.set(contentKey(one), now.getTime());
      const count = [...all.values()].reduce((sum, { size }) => sum + size, 0);
      if (count > mostForgone) all.clear();
    },
    of(historyFile, now) {
      const there = all.get(historyFile);
      if (there === undefined) return new Set();
      for (const [key, atMs] of there) if (now.getTime() - atMs > forgoneForMs) there.delete(key);
      return new Set(there.keys());
    },
  };
}

export function contentKey({ path, blob, basis }: BlamedContent): string {
  return `${blob} ${basis} ${path}`;
}
