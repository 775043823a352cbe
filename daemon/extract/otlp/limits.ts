/** What of metrics and calls is taken in at most. Characters are UTF-16 code units. */
export const otlpLimits = {
  /** Of names: of functions, namespaces, services, metrics. */
  nameCharacters: 1024,
  /** Of paths of files. */
  pathCharacters: 4096,
  /** Of one point, scope or resource: its attributes, the values within lists and maps counted. */
  attributes: 1000,
  /** What they may take as they are written, in bytes. */
  attributeBytes: 64 * 1024,
  /** How deep values may lie in lists and maps. */
  attributeDepth: 16,
  /** How deep groups may lie in each other; nobody writes any. */
  nesting: 100,
  /** Of JSON: brackets within brackets, fields of one object, and values; 64 MiB of ordinary metrics have fewer. */
  jsonDepth: 64,
  jsonMembers: 1000,
  jsonValues: 4_000_000,
  /** Those that are parsed in one go: a data point, or all that is around them. */
  jsonValuesAtOnce: 1_000_000,
} as const;

/** What past it is counted one by one can’t be told any more. */
export const mostCalls = Number.MAX_SAFE_INTEGER;
