import type { DocumentFacts } from './facts.ts';

/** A name that a file exports and somebody else defines. */
export interface HandedOn {
  /** `*` of all that the other exports. */
  readonly name: string;
  /** What the other calls it; `*` of all of it. */
  readonly imported: string;
  /** The other, as written. */
  readonly specifier: string;
  /** 0-based. */
  readonly line: number;
}

/** What a file exports: the names of its own definitions, and what it hands on. Of languages that say so by exports. */
export function exportsIn({
  exports,
  expressions,
  imports,
}: Pick<DocumentFacts, 'exports' | 'expressions' | 'imports'>): {
  readonly own: ReadonlySet<string>;
  readonly handedOn: readonly HandedOn[];
} {
  const own = new Set<string>();
  const handedOn: HandedOn[] = [];
  for (const { name, of } of exports) {
    const meant = expressions[of];
    const imported = meant?.op === 'import' ? imports[meant.import] : undefined;
    if (imported === undefined) own.add(name);
    else handedOn.push({ name, imported: imported.name, specifier: imported.specifier, line: imported.line });
  }
  return { own, handedOn };
}
