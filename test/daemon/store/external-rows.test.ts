import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScopeKey } from '../../../daemon/model/document.ts';
import { symbolHash } from '../../../daemon/model/identity.ts';
import type { Target } from '../../../daemon/model/links.ts';
import type { IndexReader } from '../../../daemon/store/index-reader.ts';
import type { HandMade } from '../../support/synthetic.ts';
import { everything, indexUnderTest } from './index-under-test.ts';

const index = indexUnderTest();
const { publish, reading } = index;

/** All that the file will have is what an indexer says. */
function ofUpload(): void {
  index.writer.addFirstRows({ symbols: [], externals: [], names: [], identity: 'descriptor' });
}

function caller(path: string, ...names: readonly string[]): HandMade {
  const target = (name: string): Target => ({ kind: 'external', manager: 'npm', package: 'left-pad', name });
  return { path, uses: names.map((name, line) => ({ name, line, target: target(name) })) };
}

function usedAt(reader: IndexReader, seq: number): readonly string[] {
  const listed = reader.externals('r').map(({ symbol }) => symbol);
  return reader.externalRows(reader.usedAt('r', seq, listed)).map(({ name }) => name);
}

test('a symbol of a dependency is listed, found and shown where the snapshot that is asked uses it', () => {
  ofUpload();
  publish([caller('a.ts', 'left', 'pad'), caller('b.ts', 'pad')]);
  publish([caller('a.ts', 'pad')]);
  publish([caller('a.ts', 'right')], ['b.ts']);
  reading(reader => {
    assert.deepEqual(
      [1, 2, 3].map(seq => usedAt(reader, seq)),
      [['left', 'pad'], ['pad'], ['right']],
    );
    const { symbol } = reader.externals('r').find(({ name }) => name === 'left')!;
    const left = reader.externalRows([symbol])[0]!;
    assert.deepEqual(reader.external('r', 1, left.hash), left);
    assert.equal(reader.external('r', 3, left.hash), undefined);
    assert.equal(reader.references('r', 1, left.hash, everything)?.total, 1);
    assert.equal(reader.references('r', 3, left.hash, everything), undefined);
  });
});

test('one that many documents have used is found in whichever uses it still', () => {
  ofUpload();
  const all = Array.from({ length: 40 }, (_, n) => `f${n}.ts`);
  publish(all.map(path => caller(path, 'pad')));
  publish(all.slice(0, -1).map(path => caller(path, 'left')));
  publish([caller(all.at(-1)!, 'left')]);
  reading(reader =>
    assert.deepEqual(
      [1, 2, 3].map(seq => usedAt(reader, seq)),
      [['pad'], ['left', 'pad'], ['left']],
    ),
  );
});

test('what another repository in the file uses is not this one’s', () => {
  ofUpload();
  publish([caller('a.ts', 'left')], [], 0, 'r');
  publish([caller('a.ts', 'pad')], [], 0, 'other');
  reading(reader => {
    assert.deepEqual(usedAt(reader, 1), ['left']);
    const [pad] = reader.externalRows([reader.externals('other')[0]!.symbol]);
    assert.equal(reader.external('r', 1, pad!.hash), undefined);
  });
});

test('what syntax finds to be a dependency’s is no symbol that anybody names', () => {
  publish([caller('a.rb', 'sort!', 'left')]);
  reading(reader => {
    assert.deepEqual(reader.externals('r'), []);
    const hash = symbolHash('external:npm:left-pad' as ScopeKey, 'sort!');
    assert.equal(reader.external('r', 1, hash), undefined);
  });
});
