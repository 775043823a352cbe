import type { ImportedSymbol } from '../model/imported-symbol.ts';
import { type SymbolKind, symbolKinds, type Visibility, visibilities } from '../model/symbol.ts';

/**
 * What one document defines and what its references point at, as one buffer of 32-bit words that is read in place:
 *
 *   header       magic, the six counts, 1 where the document was read only in part, how many words `calls` has, the count of imports
 *   definitions  4 words each, by symbol: symbol, name, kind and flags, primary slot
 *   slots        for each slot of the facts: index into definitions
 *   targets      symbols that occur, ascending; then where each one's occurrences start
 *   occurrences  reference index * 128 + confidence in hundredths, each symbol's ascending
 *   names        names of unresolved references, ascending; then where each one's references start
 *   references   reference index * 8 + kind of use, or `elsewhere`
 *   calls        one bit for each reference of the facts, the lowest first: 1 where it is a call
 *   imports      for each import of the facts: 1 + symbol * 4 + what it is the symbol of; 0 where nothing is known
 *
 * Positions, other kinds and enclosing slots stay in the facts under the reference index; so a save that only shifts lines
 * leaves this buffer as it was. The occurrences of one symbol are found by bisection, without decoding the rest.
 */
/** Its last letter is the format’s number, part of an index file’s version. */
export const magic = 0x53564c35;
export const headerWords = 10;
/** Where in the header it says that the document was read only in part. */
export const partialWord = 7;
/** Where it says how many words tell which references are calls. */
export const callsWord = 8;
/** So many bytes of a body tell `isPartial`. */
export const headBytes = headerWords * 4;
export const definitionWords = 4;

export interface DefinedSymbol {
  /** Row of the symbol table. */
  readonly symbol: number;
  /** Row of the name table. */
  readonly name: number;
  readonly kind: SymbolKind;
  readonly visibility: Visibility;
  readonly exported: boolean;
  readonly hasBody: boolean;
  /** The site shown first: has a body, stands first. */
  readonly slot: number;
}

export interface LinkContent {
  /** The parser lost its way in the document: it may define and use more. */
  readonly isPartial: boolean;
  readonly definitions: readonly DefinedSymbol[];
  /** Symbol row of each slot. */
  readonly slots: readonly number[];
  /** Symbol row → occurrences. Confidence 0 to 1. */
  readonly targets: ReadonlyMap<number, readonly Occurrence[]>;
  /** Name row → the references that nothing settled, packed: reference index * 8 + index of its kind. */
  readonly unresolved: ReadonlyMap<number, readonly number[]>;
  /** As `callBits` packs them. */
  readonly calls: Uint32Array;
  /** What each import leads to; none where they lead where they led. */
  readonly imports: readonly (ImportedSymbol | undefined)[];
}

export interface Occurrence {
  /** Index into the facts' references. */
  readonly reference: number;
  readonly confidence: number;
}

/** In place of a kind of use: likely no use of a definition of the repository, whatever its name. */
export const elsewhere = 7;

/** Packed traits are below this. */
export const traitValues = 1 << 12;

type Traits = Pick<DefinedSymbol, 'kind' | 'visibility' | 'exported' | 'hasBody'>;

/** Packs kind and flags of a definition into one word; the catalogue carries it along. */
export function packTraits(definition: Traits): number {
  return (
    symbolKinds.indexOf(definition.kind) |
    (visibilities.indexOf(definition.visibility) << 8) |
    (definition.exported ? 1 << 10 : 0) |
    (definition.hasBody ? 1 << 11 : 0)
  );
}

export function unpackTraits(traits: number): Traits {
  return {
    kind: symbolKinds[traits & 0xff] ?? 'object',
    visibility: visibilities[(traits >>> 8) & 3] ?? 'public',
    exported: (traits & (1 << 10)) !== 0,
    hasBody: (traits & (1 << 11)) !== 0,
  };
}
