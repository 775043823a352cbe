import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analysedTree } from './analysed-tree.ts';

/** A tree of which something else than code loads parts; what of it is claimed with 0.8 and more, then what with less. */
export interface ClaimsCase {
  readonly what: string;
  readonly tree: string;
  /** `name confidence`, by their names. */
  readonly sure: readonly string[];
  readonly unsure: readonly string[];
}

export function testClaims(cases: readonly ClaimsCase[]): void {
  for (const { what, tree, sure, unsure } of cases) {
    test(what, async t => {
      const of = await analysedTree(t, tree);
      const input = { minConfidence: 0, limit: 100, includeTypes: false, sync: false };
      const told = of
        .ask('analysis.unwired', input)!
        .unwiredModules.flatMap(({ symbols }) => symbols)
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      const lines = (isMeant: (confidence: number) => boolean): readonly string[] =>
        told.filter(({ confidence }) => isMeant(confidence)).map(({ name, confidence }) => `${name} ${confidence}`);
      assert.deepEqual({ sure: lines(one => one >= 0.8), unsure: lines(one => one < 0.8) }, { sure, unsure });
    });
  }
}
