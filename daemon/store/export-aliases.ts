import type { FactsView } from '../model/facts-codec.ts';
import type { CatalogueDocument } from './catalogue/columns.ts';
import type { DocumentView } from './document-view.ts';

/** A name under which a module exports what is defined under another: `export { name as alias }`. */
export interface ExportAlias {
  readonly alias: string;
  readonly name: string;
  /** Row of the symbol. */
  readonly symbol: number;
}

/** Those in which a module says what it exports. */
export const exportingLanguages: ReadonlySet<string> = new Set(['typescript', 'javascript']);

/** Of documents of catalogues, as far as they have been looked up. */
export const aliasesTold = new WeakMap<CatalogueDocument, readonly ExportAlias[]>();

/** Of one document. `view` reads its links, which most documents aren't asked for. */
export function exportAliasesOf(facts: FactsView, view: () => DocumentView | undefined): readonly ExportAlias[] {
  const aliases: ExportAlias[] = [];
  for (let at = 0; at < facts.exportCount; at++) {
    const { name: alias, of } = facts.export(at);
    const name = nameOf(facts, of);
    if (name === undefined || name === alias || notNames.has(alias) || notNames.has(name)) continue;
    const symbol = symbolOf(facts, of, view());
    if (symbol !== undefined) aliases.push({ alias, name, symbol });
  }
  return aliases.length === 0 ? none : aliases;
}

const none: readonly ExportAlias[] = [];

/** Of a module or its default, not of what they are. */
const notNames: ReadonlySet<string> = new Set(['*', '=', 'default']);

function nameOf(facts: FactsView, expression: number): string | undefined {
  const denoted = facts.expression(expression);
  if (denoted.op === 'slot') return facts.definitionName(denoted.slot);
  return denoted.op === 'import' ? facts.import(denoted.import).name : undefined;
}

function symbolOf(facts: FactsView, expression: number, view: DocumentView | undefined): number | undefined {
  const denoted = facts.expression(expression);
  if (view === undefined) return undefined;
  if (denoted.op === 'slot') return view.links.symbolOfSlot(denoted.slot);
  const uses = new Set<number>();
  for (let at = 0; at < facts.referenceCount; at++) if (facts.reference(at).expression === expression) uses.add(at);
  return view.links.targets().find(symbol => view.links.occurrencesOf(symbol).some(packed => uses.has(packed >>> 7)));
}
