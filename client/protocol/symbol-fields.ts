/** Fields that say which symbol is meant, whatever the operation. */
export const symbolFields = ['id', 'from', 'to', 'symbolId'] as const;

export interface GivenSymbol {
  readonly field: (typeof symbolFields)[number];
  /** What is meant for an id, whatever is wrong with it. */
  readonly id: string;
}

/** The symbol ids among the fields of an input; each names its own repository. Names of symbols are none. */
export function symbolIdsIn(fields: Readonly<Record<string, unknown>>): readonly GivenSymbol[] {
  return symbolFields.flatMap(field => {
    const id = fields[field];
    return typeof id === 'string' && /^svc:.*:sym:/s.test(id) ? [{ field, id }] : [];
  });
}
