import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contractUsesIn } from '../../daemon/extract/contract-use/contract-uses.ts';
import { unindented } from './outline.ts';

/** A file, and the uses that it shows: one a line, `3 client CartService from=shop.v1`. */
export type UseCase = readonly [name: string, path: string, source: string, expected: string];

export function testUses(cases: readonly UseCase[]): void {
  for (const [name, path, source, expected] of cases) {
    test(name, () => assert.equal(usesOf(path, unindented(source)), unindented(expected).trim()));
  }
}

/** Of `kind`, `service` and a route's method and path as they are, the rest by name. */
export function usesOf(path: string, text: string): string {
  return contractUsesIn(path, text)
    .map(({ kind, line, language: _, seen: _seen, service, method, path: route, host, ...rest }) => {
      const named = Object.entries(rest).map(
        ([key, value]) => `${key}=${Array.isArray(value) ? value.join('|') : value}`,
      );
      const told = [service, method === '' ? '*' : method, host === undefined ? route : `${host} ${route}`];
      return [line, kind, ...told.filter(one => one !== undefined), ...named].join(' ');
    })
    .join('\n');
}
