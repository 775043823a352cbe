/** Puts a value behind all others of a map, and drops the first where there are more than `most`. Returns the value. */
export function keepNewest<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, most: number): Value {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) for (const oldest of [...map.keys()].slice(0, 1)) map.delete(oldest);
  return value;
}
