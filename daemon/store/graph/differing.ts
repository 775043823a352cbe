/** What one of two ascending lists has and the other has not. */
export function differing(one: Uint32Array = nothing, other: Uint32Array = nothing): readonly number[] {
  const these = new Set(one);
  const those = new Set(other);
  return [...[...these].filter(symbol => !those.has(symbol)), ...[...those].filter(symbol => !these.has(symbol))];
}

const nothing = new Uint32Array(0);
