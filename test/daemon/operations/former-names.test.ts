import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FormerNames, formerly, formerlyNamed } from '../../../daemon/operations/telemetry/former-names.ts';
import type { CallReader, StoredFunction } from '../../../daemon/store/telemetry/call-reader.ts';

const stored = (was?: StoredFunction['was']): StoredFunction => ({ bare: 'alpha', was }) as StoredFunction;

/** `before > after` of what went, by hashes; with a `?` where that only probably is so. */
function names(...changes: readonly string[]): FormerNames {
  const gone = changes.map(change => {
    const [hash = '', became = ''] = change.replace(' ?', '').split(' > ');
    return { hash, became, isProved: !change.includes('?') };
  });
  const known: Partial<CallReader> = {
    goneNamed: () =>
      gone.map(({ hash, became }) => ({ ...{ hash, became }, path: 'a.py', containers: [], kind: 'function' })),
    successorOf: (_, symbol) => gone.find(({ hash, isProved }) => hash === symbol && isProved)?.became ?? symbol,
  };
  return {
    repoUid: 'uid',
    known: known as CallReader,
    nameOf: hash => ({ here: 'alfa', moved: 'alpha' })[hash],
    mayBeGone: name => name === 'alpha',
  };
}

/** The first of what went is meant. */
const matcher: Parameters<typeof formerlyNamed>[2] = {
  matchGone: (_told, _folder, [one]) => ({ kind: 'matched', one: one!, quality: 'exact', confidence: 1 }),
};

test('what took the place of what is called is meant, weakly where it only probably did', () => {
  const meant = (...changes: readonly string[]) => {
    const found = formerlyNamed(stored(), '', matcher, names(...changes));
    return found && `${found.quality} ${found.hash}`;
  };
  assert.equal(meant('old > here'), 'exact here');
  assert.equal(meant('old > here ?'), 'weak here');
  assert.equal(meant('old > gone as well', 'other > here'), 'exact here');
  assert.equal(meant('old > gone as well'), undefined);
  assert.equal(meant('old > moved ?'), 'exact moved');
});

test('what is remembered of a function counts once that is gone, and in its own repository', () => {
  const was = (symbol: string, repoUid = 'uid') =>
    formerly(stored({ repoUid, symbol, quality: 'strong' }), names('old > here'));
  assert.equal(was('old')?.hash, 'here');
  assert.equal(was('here'), undefined);
  assert.equal(was('old', 'other'), undefined);
  assert.equal(formerly(stored(), names('old > here')), undefined);
});
