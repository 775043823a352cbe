import { createRequire } from 'node:module';

/** The part of a SCIP index that tests and benches read. Ranges are 0-based: [line, column, end column] or with an end line third. */
export interface ScipIndex {
  readonly documents: readonly {
    readonly relativePath: string;
    readonly occurrences: readonly {
      readonly range: number[];
      readonly symbol: string;
      readonly symbolRoles: number;
    }[];
  }[];
}

// The package ships its TypeScript source beside the build; an import would have our compiler check it by our rules.
export const { deserializeSCIP } = createRequire(import.meta.url)('@c4312/scip') as {
  deserializeSCIP(bytes: Uint8Array): ScipIndex;
};
