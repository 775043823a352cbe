/** What a search takes that is asked for nothing in particular, beside `q` and `limit`. */
export const plainSearch = {
  depth: 1,
  includeExternal: false,
  merge: 'prefer-first',
  refresh: false,
  repoStateMode: 'full',
  sync: false,
} as const;
