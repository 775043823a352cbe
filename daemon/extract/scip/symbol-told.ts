import { shownDocumentation, shownSignature } from '../../model/shown-text.ts';
import type { SymbolKind } from '../../model/symbol.ts';
import type { ScipDocument } from './document.ts';
import type { ScipSymbolInformation } from './information.ts';
import { RecentBytes } from './recent-bytes.ts';
import { kindOfSignature } from './symbol-kind.ts';

/** What an index tells of a symbol, as it is shown. */
export interface SymbolTold extends Pick<ScipSymbolInformation, 'kind' | 'displayName'> {
  readonly signature: string;
  readonly documentation: string;
  /** That the signature tells. */
  readonly written: SymbolKind | undefined;
  readonly implemented: ReadonlySet<number>;
}

export const nothingImplemented: ReadonlySet<number> = new Set();

/** Reads what a row of a document tells. Most say what thousands of others do. */
export function symbolTellings(): (document: ScipDocument, row: number) => SymbolTold {
  const recent = new RecentBytes<SymbolTold>();
  return (document, row) => {
    const { view, from, to } = document.informationBytes(row);
    const known = recent.find(view, from, to);
    if (known !== undefined) return known;
    const information = document.information(row);
    const told = symbolTold(information);
    // Who is related may be local to the document.
    return information.relationships.length > 0 ? told : recent.keep(view, from, to, told);
  };
}

/** Where the signature has no field of its own, it is the first piece of the documentation, in a fenced block. */
export function symbolTold({
  kind,
  displayName,
  signature,
  documentation,
  relationships,
}: ScipSymbolInformation): SymbolTold {
  const [beginning = ''] = documentation;
  const fenced = fencedCode(beginning);
  const rest = fenced === undefined ? documentation : documentation.slice(1);
  const code = signature === '' ? fenced : signature;
  const implemented = relationships.filter(one => one.isImplementation).map(one => one.symbol);
  return {
    kind,
    displayName,
    signature: code === undefined ? '' : shownSignature(code),
    documentation: rest.length === 0 ? '' : shownDocumentation(rest.join('\n\n').trim()),
    written: kindOfSignature(signature === '' ? beginning : signature),
    implemented: implemented.length === 0 ? nothingImplemented : new Set(implemented),
  };
}

/** What stands in a block that is all of a text. */
function fencedCode(text: string): string | undefined {
  if (!text.startsWith('```')) return undefined;
  const start = text.indexOf('\n') + 1;
  const end = text.lastIndexOf('\n```');
  return start > 0 && end >= start - 1 ? text.slice(start, Math.max(start, end)) : undefined;
}
