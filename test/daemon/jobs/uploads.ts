import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { defaultScipLimits, type ScipLimits } from '../../../daemon/extract/scip/limits.ts';
import { type Uploaded, uploadIndex } from '../../../daemon/jobs/upload/service.ts';
import type { ScopeKey } from '../../../daemon/model/document.ts';
import { symbolHash } from '../../../daemon/model/identity.ts';
import { type IndexReader, openIndexReader } from '../../../daemon/store/index-reader.ts';
import type { ReferenceQuery } from '../../../daemon/store/reference-rows.ts';
import { scrub } from '../../../daemon/store/scrub.ts';
import { isSealed, isSound } from '../../../daemon/store/seal.ts';
import { type Cleanup, temporaryFolder } from '../../support/repository.ts';
import { type PartOf, type ScipIndex, scipBytes } from '../../support/scip.ts';

type Part = PartOf<ScipIndex>;
export type Documents = NonNullable<Part['documents']>;

/** Of every index that doesn't bring its own. */
export const metadata = { toolInfo: { name: 'scip-typescript', version: '0.4.0' }, projectRoot: 'file:///r' };
/** A symbol of the files under `src`. */
export const sym = (file: string, rest: string): string => `scip-typescript npm pkg 1.0.0 src/\`${file}\`/${rest}`;
export const everything: ReferenceQuery = {
  includeTests: true,
  includeDefinition: false,
  merge: 'prefer-first',
  offset: 0,
  limit: 100,
};
export const hashOf = (path: string, tail: string): string => symbolHash(path as ScopeKey, tail);

/** `src/lib.ts` has a class with a method and a function, `src/use.ts` calls them and something of a package. */
export const documents: Documents = [
  {
    relativePath: 'src/lib.ts',
    occurrences: [
      { range: [0, 0, 0], symbol: sym('lib.ts', ''), symbolRoles: 1 },
      { range: [1, 6, 11], symbol: sym('lib.ts', 'Store#'), symbolRoles: 1, enclosingRange: [1, 0, 5, 1] },
      { range: [2, 2, 6], symbol: sym('lib.ts', 'Store#open().'), symbolRoles: 1, enclosingRange: [2, 2, 4, 3] },
      { range: [3, 10, 16], symbol: sym('lib.ts', 'helper().') },
      { range: [6, 9, 15], symbol: sym('lib.ts', 'helper().'), symbolRoles: 1 },
      { range: [6, 16, 17], symbol: 'local 0', symbolRoles: 1 },
      { range: [7, 4, 5], symbol: 'local 0' },
    ],
    symbols: [
      { symbol: sym('lib.ts', 'Store#'), documentation: ['```ts\nclass Store\n```', 'Keeps things.'] },
      { symbol: sym('lib.ts', 'Store#open().'), documentation: ['```ts\n(method) open(): void\n```'] },
      { symbol: sym('lib.ts', 'helper().'), documentation: ['```ts\nfunction helper(x: string): void\n```'] },
    ],
  },
  {
    relativePath: 'src/use.ts',
    language: 'TypeScript',
    occurrences: [
      { range: [0, 9, 14], symbol: sym('lib.ts', 'Store#'), symbolRoles: 2 },
      { range: [2, 6, 9], symbol: sym('use.ts', 'Sub#'), symbolRoles: 1, enclosingRange: [2, 0, 6, 1] },
      { range: [2, 18, 23], symbol: sym('lib.ts', 'Store#') },
      { range: [3, 4, 8], symbol: sym('lib.ts', 'Store#open().'), symbolRoles: 8 },
      { range: [4, 4, 8], symbol: 'scip-typescript npm typescript 5.9.3 lib/`lib.d.ts`/Array#push().' },
      { range: [8, 0, 6], symbol: sym('lib.ts', 'helper().') },
    ],
    symbols: [
      {
        symbol: sym('use.ts', 'Sub#'),
        relationships: [{ symbol: sym('lib.ts', 'Store#'), isImplementation: true }],
      },
    ],
  },
];

/** Where uploads of one repository land. */
export interface Place {
  readonly indexFile: string;
  readonly scip: string;
  upload(index: Part | Uint8Array, limits?: Partial<ScipLimits>): Promise<Uploaded>;
  reading<T>(work: (reader: IndexReader) => T): T;
}

export function place(context: Cleanup): Place {
  const folder = temporaryFolder(context);
  const indexFile = folder.path('index.db');
  const scip = folder.path('in.scip');
  return {
    indexFile,
    scip,
    upload: (index, limits = {}) => {
      writeFileSync(scip, index instanceof Uint8Array ? index : scipBytes({ metadata, ...index }));
      const repo = { id: 'acme/x', indexFile, worktreeKey: 'main' };
      const all = { ...defaultScipLimits, ...limits };
      const cancelFlag = new SharedArrayBuffer(4);
      return uploadIndex({ run: 1, repo, file: scip, limits: all, cancelFlag }, new AbortController().signal, () => {});
    },
    reading: work => {
      const reader = openIndexReader(indexFile);
      try {
        return work(reader);
      } finally {
        reader.close();
      }
    },
  };
}

/** Seal, digests, hints and indexes, as a daemon looks at them. */
export function assertSound({ indexFile }: Place): void {
  assert.ok(isSealed(indexFile) && isSound(indexFile));
  assert.equal(
    scrub(indexFile, undefined, () => false),
    undefined,
  );
  assert.deepEqual(
    readdirSync(dirname(indexFile)).filter(name => name.includes('.new')),
    [],
  );
}
