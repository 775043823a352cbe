/** Searches for texts that mean something to SQL, to FTS5, to a glob or to a terminal, and here nothing but themselves. */
export const literalQueries: readonly string[] = [
  '"',
  'a AND',
  'NEAR(',
  '*',
  'col:x',
  'a^',
  '((((a',
  '%',
  "'; DROP TABLE--",
  '😀',
  '\u202eabc',
];
