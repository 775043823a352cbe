import type { Source } from './source.ts';

/** What is asked of a file by several, found out once. */
export function perSource<T>(find: (source: Source) => T): (source: Source) => T {
  const known = new WeakMap<Source, { readonly value: T }>();
  return source => {
    const kept = known.get(source) ?? { value: find(source) };
    known.set(source, kept);
    return kept.value;
  };
}
