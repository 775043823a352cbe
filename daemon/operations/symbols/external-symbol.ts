import type { CodeSymbol } from '../../../client/protocol/shapes.ts';
import { type ScipDescriptor, scipDescriptors } from '../../extract/scip/symbol-grammar.ts';
import { kindOfScip } from '../../extract/scip/symbol-kind.ts';
import { nameOfScip } from '../../extract/scip/symbol-tail.ts';
import { symbolId } from '../../model/identity.ts';
import type { SymbolKind } from '../../model/symbol.ts';
import type { ExternalName, ExternalRow } from '../../store/external-rows.ts';

/** A symbol of a dependency, with what its indexer tells, or else its descriptors. */
export interface External {
  readonly row: ExternalRow;
  readonly descriptors: readonly ScipDescriptor[];
  /** '' where they name nothing. */
  readonly name: string;
  readonly kind: SymbolKind;
}

export function externalOf(row: ExternalRow): External {
  return { row, ...shownAs(row) };
}

/** What it is called and what it is, by what is said of it in a list. */
export function shownAs({ name, kind }: ExternalName): Omit<External, 'row'> {
  const descriptors = scipDescriptors(name) ?? [];
  return { descriptors, name: nameOfScip(descriptors), kind: kind ?? kindOfScip(0, undefined, descriptors) };
}

/** It has no place: whoever uses it names it and no more. */
export function externalSymbol(
  { row, descriptors, name, kind }: External,
  repo: string,
  snapshotId: string,
): CodeSymbol {
  return {
    id: symbolId(repo, row.hash),
    ...{ name, kind, snapshotId },
    location: { file: '', line: 0, column: 0, endLine: 0, endColumn: 0 },
    module: [row.manager, row.package].filter(part => part !== '').join(' '),
    ...{ signature: row.signature ?? '', documentation: row.documentation ?? '' },
    ...{ visibility: 'public', language: '', exported: true },
    container: descriptors
      .slice(0, -1)
      .map(one => one.name)
      .join('.'),
    ...{ source: 'scip', confidence: 1, external: true },
  };
}
