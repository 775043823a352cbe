import type { BlamedContent } from '../../model/history.ts';

/** Contents of which git could not say who wrote them: asked again it would say no more for some time. */
export interface Forgone {
  /** `failed`: the paths, among those of contents that git was asked about, of which it said nothing. */
  add(historyFile: string, contents: readonly BlamedContent[], failed: readonly string[], now: Date): void;
  /** Those of a history, by `contentKey`; the same set for as long as they are the same, undefined of none. */
  of(historyFile: string, now: Date): ReadonlySet<string> | undefined;
}

const mostForgone = 50_000;
const forgoneForMs = 10 * 60_000;

/** Of one history: some time after the first of them git is asked about all again. */
interface Kept {
  readonly keys: Set<string>;
  readonly sinceMs: number;
}

export function forgoneContents(): Forgone {
  const all = new Map<string, Kept>();
  const kept = (historyFile: string, now: Date): Kept | undefined => {
    const there = all.get(historyFile);
    if (there === undefined || now.getTime() - there.sinceMs <= forgoneForMs) return there;
    all.delete(historyFile);
    return undefined;
  };
  return {
    add(historyFile, contents, failed, now) {
      if (failed.length === 0) return;
      const paths = new Set(failed);
      const there = kept(historyFile, now) ?? { keys: new Set(), sinceMs: now.getTime() };
      for (const one of contents) if (paths.has(one.path)) there.keys.add(contentKey(one));
      if (there.keys.size > mostForgone) all.delete(historyFile);
      else all.set(historyFile, there);
    },
    of: (historyFile, now) => kept(historyFile, now)?.keys,
  };
}

export function contentKey({ path, blob, basis }: BlamedContent): string {
  return `${blob} ${basis} ${path}`;
}
