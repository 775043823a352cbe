import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScopeKey } from '../../../daemon/model/document.ts';
import type { RepoPath } from '../../../daemon/model/paths.ts';
import { symbolTexts } from '../../../daemon/operations/symbols/texts.ts';
import { type Catalogue, type CatalogueDocument, catalogueOf } from '../../../daemon/store/catalogue/columns.ts';
import type { FoundDefinition } from '../../../daemon/store/catalogue/rows.ts';
import type { SymbolRow } from '../../../daemon/store/symbol-rows.ts';

const definitionsEach = 10;

function documentOf(number: number, changes = 0): CatalogueDocument {
  const path = `${number}-${changes}.ts` as RepoPath;
  return { document: number, path, isTest: false, language: 'typescript', scope: path as string as ScopeKey, fact: 1 };
}

function catalogueWith(documents: readonly CatalogueDocument[]): Catalogue {
  const numbers = Array.from({ length: definitionsEach }, (_, at) => at);
  const column = { symbols: numbers, names: numbers, traits: numbers.map(() => 0), slots: numbers };
  const names = numbers.map(at => `name${at}`);
  return catalogueOf(
    { seq: 1, names },
    documents.map(place => ({ place, ...column })),
  );
}

function rowAt({ documents, documentOf: of, slots }: Catalogue, { definition, name }: FoundDefinition): SymbolRow {
  const { path } = documents[of[definition]!]!;
  return {
    ...{ hash: `${slots[definition]}`.padStart(32, '0'), name, kind: 'function', path },
    nameRange: { startLine: 1, startColumn: 2, endLine: 3, endColumn: 4 },
    ...{
      signature: `größe of ${path}`,
      documentation: 'd'.repeat(2_000),
      visibility: 'public',
      containers: ['A', 'B'],
      namespaces: 0,
      packageName: '',
    },
    ...{ language: 'typescript', exported: true, isTest: false },
  };
}

/** Texts over rows that are made up, and how many of these were read. */
function countedTexts(cacheBytes: number) {
  const counted = { rows: 0 };
  const reader = {
    identity: 'syntax' as const,
    rows: (catalogue: Catalogue, found: readonly FoundDefinition[]) => {
      counted.rows += found.length;
      return found.map(one => rowAt(catalogue, one));
    },
  };
  const texts = symbolTexts(reader, cacheBytes);
  /** The whole catalogue, page by page. */
  const readAll = (catalogue: Catalogue): number => {
    const before = counted.rows;
    for (let first = 0; first < catalogue.slots.length; first += 7) {
      const found = Array.from({ length: Math.min(7, catalogue.slots.length - first) }, (_, at) => ({
        definition: first + at,
        name: catalogue.names[(first + at) % definitionsEach]!,
      }));
      texts.of(catalogue, found).forEach((text, at) => {
        const { path } = rowAt(catalogue, found[at]!);
        const symbol = JSON.parse(`{"id":"${Buffer.from(text)}}`);
        assert.equal(symbol.id, `${(first + at) % definitionsEach}`.padStart(32, '0'));
        assert.deepEqual([symbol.name, symbol.location.file], [found[at]!.name, path]);
        assert.equal(symbol.signature, `größe of ${path}`);
      });
    }
    return counted.rows - before;
  };
  return readAll;
}

const mebibyte = 2 ** 20;

test('rows that are found again are not read again', () => {
  const readAll = countedTexts(4 * mebibyte);
  const documents = Array.from({ length: 50 }, (_, at) => documentOf(at));
  assert.equal(readAll(catalogueWith(documents)), 500);
  assert.equal(readAll(catalogueWith(documents)), 0);
  // Of the next snapshot, what is new.
  const changed = [...documents.slice(1), documentOf(0, 1)];
  assert.equal(readAll(catalogueWith(changed)), definitionsEach);
  assert.equal(readAll(catalogueWith(changed)), 0);
});

test('what is past the bound is read again, and right', () => {
  const readAll = countedTexts(mebibyte);
  const many = catalogueWith(Array.from({ length: 200 }, (_, at) => documentOf(at)));
  for (let round = 0; round < 3; round++) assert.ok(readAll(many) > 1_000);
  const few = catalogueWith([documentOf(1_000)]);
  assert.equal(readAll(few), definitionsEach);
  assert.equal(readAll(few), 0);
});
