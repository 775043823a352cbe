/**
 * Every target that `exports` or `imports` of a package.json names for a key (`.`, `./sub`, `#name`), whatever the
 * condition; the star of a pattern is filled in. Empty where it withholds the key (`null`), undefined where it says
 * nothing of it. As Node.js has it, the key itself counts before patterns, and of these the one with the longest beginning.
 */
export function namedTargets(field: unknown, key: string): readonly string[] | undefined {
  if (field === null || field === undefined) return undefined;
  const map = mapOf(field);
  if (map === undefined) {
    const leaves = key === '.' ? leavesOf(field) : [];
    return leaves.length === 0 ? undefined : leaves;
  }
  if (Object.hasOwn(map, key) && !key.includes('*')) return leavesOf(map[key]);
  let best: { readonly pattern: string; readonly start: number; readonly rest: string } | undefined;
  for (const pattern of Object.keys(map)) {
    const star = pattern.indexOf('*');
    const rest = star < 0 ? undefined : filledIn(key, pattern.slice(0, star), pattern.slice(star + 1));
    if (rest === undefined) continue;
    const isLonger = best === undefined || star > best.start;
    if (isLonger || (star === best!.start && pattern.length > best!.pattern.length))
      best = { pattern, start: star, rest };
  }
  if (best === undefined) return undefined;
  const { pattern, rest } = best;
  return leavesOf(map[pattern]).map(target => target.replaceAll('*', () => rest));
}

/** By subpath; undefined where the field is what the package itself stands for. */
function mapOf(field: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof field !== 'object' || field === null || Array.isArray(field)) return undefined;
  const isMap = Object.keys(field).some(key => key.startsWith('.') || key.startsWith('#'));
  return isMap ? (field as Readonly<Record<string, unknown>>) : undefined;
}

/** What the star of a pattern stands for in a key that fits it. */
function filledIn(key: string, before: string, after: string): string | undefined {
  const fits = key.length > before.length + after.length && key.startsWith(before) && key.endsWith(after);
  return fits ? key.slice(before.length, key.length - after.length) : undefined;
}

function leavesOf(value: unknown, nesting = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object' || nesting > 6) return [];
  return Object.values(value).flatMap(one => leavesOf(one, nesting + 1));
}
