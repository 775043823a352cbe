import { createRequire } from 'node:module';

/** The part of a SCIP index that tests and benches read and write. Ranges are 0-based: [line, column, end column] or with an end line third. */
export interface ScipIndex {
  readonly metadata: {
    readonly version: number;
    readonly toolInfo: { readonly name: string; readonly version: string; readonly arguments: readonly string[] };
    readonly projectRoot: string;
    readonly textDocumentEncoding: number;
  };
  readonly documents: readonly {
    readonly relativePath: string;
    readonly language: string;
    readonly text: string;
    readonly positionEncoding: number;
    readonly occurrences: readonly {
      readonly range: number[];
      readonly enclosingRange: number[];
      readonly symbol: string;
      readonly symbolRoles: number;
    }[];
    readonly symbols: readonly ScipInformation[];
  }[];
  readonly externalSymbols: readonly ScipInformation[];
}

export interface ScipInformation {
  readonly symbol: string;
  readonly kind: number;
  readonly displayName: string;
  readonly documentation: readonly string[];
  readonly signatureDocumentation?: { readonly language?: string; readonly text: string };
  readonly enclosingSymbol: string;
  readonly relationships: readonly {
    readonly symbol: string;
    readonly isReference: boolean;
    readonly isImplementation: boolean;
    readonly isTypeDefinition: boolean;
    readonly isDefinition: boolean;
  }[];
}

/** What is left out is empty. */
export type PartOf<T> = T extends readonly (infer One)[]
  ? readonly PartOf<One>[]
  : T extends object
    ? { readonly [Key in keyof T]?: PartOf<T[Key]> }
    : T;

const require = createRequire(import.meta.url);

// The package ships its TypeScript source beside the build; an import would have our compiler check it by our rules.
const scip = require('@c4312/scip') as {
  deserializeSCIP(bytes: Uint8Array): ScipIndex;
  serializeSCIP(index: unknown): Uint8Array;
  readonly IndexSchema: unknown;
};
export const { deserializeSCIP } = scip;

const { create } = createRequire(require.resolve('@c4312/scip'))('@bufbuild/protobuf') as {
  create(schema: unknown, part: unknown): unknown;
};

/** The bytes of an index, written by somebody else's encoder. */
export function scipBytes(index: PartOf<ScipIndex>): Uint8Array {
  return scip.serializeSCIP(create(scip.IndexSchema, index));
}
