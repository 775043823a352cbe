import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScipChunks } from '../../../../daemon/extract/scip/byte-window.ts';
import type { ScipDocument } from '../../../../daemon/extract/scip/document.ts';
import type { ScipSymbolInformation } from '../../../../daemon/extract/scip/information.ts';
import { defaultScipLimits, type ScipLimits } from '../../../../daemon/extract/scip/limits.ts';
import { enclosingWidth } from '../../../../daemon/extract/scip/occurrences.ts';
import { readScip, type ScipVisitor, scipTables } from '../../../../daemon/extract/scip/read-scip.ts';
import { ScratchMemory } from '../../../../daemon/extract/scip/scratch-memory.ts';
import type { ScipSymbols } from '../../../../daemon/extract/scip/symbol-table.ts';

/** So little is kept in it that no file comes of it. */
export function scratchMemory(): ScratchMemory {
  return new ScratchMemory(join(tmpdir(), `svc-scratch-${process.pid}`));
}

/** An index as lines of text, as the reader hands it over; after them whatever it rejected. */
export async function linesOf(chunks: ScipChunks, limits: ScipLimits = defaultScipLimits): Promise<string[]> {
  const lines: string[] = [];
  let symbols: ScipSymbols | undefined;
  const visitor: ScipVisitor = {
    metadata(metadata, table) {
      symbols = table;
      lines.push(`${metadata.tool} ${metadata.toolVersion} ${metadata.projectRoot} ${metadata.positionEncoding}`);
    },
    document: document => void lines.push(...documentLines(document, symbols!)),
    external: information => void lines.push(`external ${informationLine(information, of => symbols!.text(of))}`),
  };
  const { report } = await readScip(chunks, limits, visitor, scipTables(limits, scratchMemory()));
  for (const { reason, path, detail } of report.samples) lines.push(`rejected ${reason} | ${path} | ${detail}`);
  return lines;
}

/** Of bytes that come in pieces of this size. */
export async function readText(
  bytes: Uint8Array,
  limits: ScipLimits = defaultScipLimits,
  pieceBytes: number = bytes.length,
): Promise<string[]> {
  return linesOf(piecesOf(bytes, pieceBytes), limits);
}

async function* piecesOf(bytes: Uint8Array, pieceBytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

function documentLines(document: ScipDocument, symbols: ScipSymbols): string[] {
  const { occurrences } = document;
  const name = (symbol: number): string => (symbol < 0 ? `local ${document.localName(symbol)}` : symbols.text(symbol));
  const enclosing = new Map<number, string>();
  for (let at = 0; at < occurrences.enclosing.length; at += enclosingWidth) {
    const [of, line, column, endLine, endColumn] = occurrences.enclosing.subarray(at, at + enclosingWidth);
    enclosing.set(of!, ` in ${line}:${column}-${endLine}:${endColumn}`);
  }
  const lines = Array.from({ length: occurrences.count }, (_, at) => {
    const start = `${occurrences.startLine[at]}:${occurrences.startColumn[at]}`;
    const end = `${occurrences.endLine[at]}:${occurrences.endColumn[at]}`;
    return `  ${start}-${end} ${occurrences.roles[at]} ${name(occurrences.symbol[at]!)}${enclosing.get(at) ?? ''}`;
  });
  const text = document.text();
  return [
    [document.number, document.path, document.language, document.positionEncoding]
      .filter(part => part !== '')
      .join(' '),
    ...(text === undefined ? [] : [`  text ${JSON.stringify(text)}`]),
    ...lines,
    ...Array.from(document.described, (_, row) => `  ${informationLine(document.information(row), name)}`),
  ];
}

function informationLine(information: ScipSymbolInformation, name: (symbol: number) => string): string {
  const { symbol, kind, displayName, documentation, signature, enclosingSymbol, relationships } = information;
  const flags = ['isReference', 'isImplementation', 'isTypeDefinition', 'isDefinition'] as const;
  const related = relationships.map(one => [name(one.symbol), ...flags.filter(flag => one[flag])]);
  return `${name(symbol)} ${JSON.stringify({
    ...(kind === 0 ? {} : { kind }),
    ...(displayName === '' ? {} : { displayName }),
    ...(documentation.length === 0 ? {} : { documentation }),
    ...(signature === '' ? {} : { signature }),
    ...(enclosingSymbol === undefined ? {} : { within: name(enclosingSymbol) }),
    ...(related.length === 0 ? {} : { related }),
  })}`;
}
