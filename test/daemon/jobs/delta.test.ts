import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { DeltaArtifact, DeltaRef } from '../../../client/protocol/delta.ts';
import { createLinker } from '../../../daemon/link/linker.ts';
import { symbolHash, symbolId } from '../../../daemon/model/identity.ts';
import { readTree } from '../../support/linked-tree.ts';
import { type Clones, clonesOf, type Ingested } from './delta-clones.ts';
import { dumpDifference, freshDump } from './indexed-tree.ts';

const reasonsOf = (answer: Awaited<ReturnType<Clones['validate']>>) =>
  answer === 'refused' ? ['refused'] : [...new Set(answer.problems.map(({ reason }) => reason))];

/** Puts something into an artifact that does not belong there. */
function put(copy: DeltaArtifact, path: string, value: unknown): void {
  const steps = path.split('.');
  const parent = steps.slice(0, -1).reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], copy);
  (parent as Record<string, unknown>)[steps.at(-1)!] = value;
}

/** An artifact with something else in it. */
function changed(artifact: DeltaArtifact, change: (copy: DeltaArtifact) => void): DeltaArtifact {
  const copy = structuredClone(artifact);
  change(copy);
  return copy;
}

test('what one clone builds another takes in whole, parsing nothing, and has then what a fresh index has', async t => {
  const { built, dev, index, head, validate, ingest } = await clonesOf(t);
  dev.git('checkout', '--quiet', head);
  const before = index.dump();
  assert.deepEqual(await validate(built).then(reasonsOf), []);
  assert.equal(index.dump().hash, before.hash, 'asking changes nothing');
  const { checked, published } = (await ingest(built)) as Ingested;
  assert.deepEqual(checked.problems, []);
  assert.equal(published?.snapshotId, built.new_snapshot_id);
  assert.equal(published?.filesParsed, 0);
  const fresh = await freshDump(t, dev.root);
  assert.equal(index.dump().hash, fresh.hash, dumpDifference(fresh, index.dump()));
  const again = (await ingest(built)) as Ingested;
  assert.deepEqual([again.checked.problems, again.checked.isKnown], [[], true]);
  assert.equal(again.published?.seq, published?.seq, 'the same artifact twice makes no second publication');
});

test('the rows of an artifact are the difference of the lists of both trees', async t => {
  const { built, dev, base, head } = await clonesOf(t);
  const refsAt = async (commit: string): Promise<string[]> => {
    dev.git('checkout', '--quiet', commit);
    const tree = await readTree(dev.root);
    const linker = createLinker(tree);
    return tree.all.flatMap(({ path, facts }) =>
      linker.link(path).targets.flatMap((target, at) => {
        if (target.kind !== 'symbol') return [];
        const { line, column, kind } = facts.references[at]!;
        const to = symbolId(built.repo!, symbolHash(target.scope, target.tail));
        const place = { from_file: path, to_symbol_id: to, line: line + 1, col: column + 1 };
        return [JSON.stringify({ ...place, kind, language: facts.language } satisfies DeltaRef)];
      }),
    );
  };
  const [before, after] = [await refsAt(base), await refsAt(head)];
  const only = (one: readonly string[], other: readonly string[]) => one.filter(row => !other.includes(row)).sort();
  const texts = (rows: readonly DeltaRef[]) => rows.map(row => JSON.stringify(row)).sort();
  assert.deepEqual(texts(built.deltas.refs.added), only(after, before));
  assert.deepEqual(texts(built.deltas.refs.deleted), only(before, after));
  const { symbols, callgraph, files } = built.deltas;
  assert.deepEqual(files.deleted, ['go/two.go', 'src/log.ts']);
  assert.deepEqual(
    symbols.added.map(({ container, name }) => `${container}.${name}`).sort(),
    ['.log', '.volume', 'App.Model.load', 'Parser.count'],
    'a definition that moved to another file of its scope is the same',
  );
  const moved = symbols.modified.find(({ name }) => name === 'Model');
  assert.equal(moved?.file_path, 'app/aaa.rb', 'a symbol with several sites is shown at the first');
  assert.ok(callgraph.added.every(edge => built.deltas.refs.added.some(ref => ref.to_symbol_id === edge.callee_id)));
  assert.ok(callgraph.added.length > 0);
});

test('what lies uncommitted in the work tree stays, and does not stand in the way', async t => {
  const { built, dev, index, head, ingest } = await clonesOf(t);
  dev.write(
    'src/scratch.ts',
    "import { Parser } from './parser';\nexport const count = () => new Parser().parse('');\n",
  );
  dev.write('src/main.ts', "import { Server } from './server';\nexport const server = new Server();\n");
  await index.crawl();
  dev.write('go/one.go', 'package shapes\n');
  const fetched = (await ingest(built)) as Ingested;
  assert.deepEqual(fetched.checked.problems, [], 'fetched, and not checked out yet');
  assert.equal(fetched.published?.changedPaths, 0, 'what it names is as it was, and nothing else is looked at');
  dev.git('checkout', '--quiet', '--', 'go/one.go');
  dev.git('checkout', '--quiet', head);
  const { checked, published } = (await ingest(built)) as Ingested;
  assert.deepEqual(checked.problems, []);
  assert.equal(published?.filesParsed, 0);
  const fresh = await freshDump(t, dev.root);
  assert.equal(index.dump().hash, fresh.hash, dumpDifference(fresh, index.dump()));
});

test('an artifact never overrides the disk, and one of content that is nowhere here is refused', async t => {
  const { built, dev, index, head, ingest, validate } = await clonesOf(t);
  dev.git('checkout', '--quiet', head);
  dev.write('src/parser.ts', 'export class Parser { mine(): void {} }\n');
  const foreign = changed(built, copy => {
    copy.deltas.files.modified[0]!.hash = 'a'.repeat(64);
  });
  const before = index.dump().hash;
  const refused = (await ingest(foreign)) as Ingested;
  assert.ok(reasonsOf(refused.checked).includes('tree_differs'));
  assert.equal(refused.published, undefined);
  assert.equal(index.dump().hash, before);
  assert.deepEqual(await validate(built).then(reasonsOf), []);
  const { published } = (await ingest(built)) as Ingested;
  assert.notEqual(published?.snapshotId, built.new_snapshot_id, 'the file that was changed here is as it is here');
  const fresh = await freshDump(t, dev.root);
  assert.equal(index.dump().hash, fresh.hash, dumpDifference(fresh, index.dump()));
});

test('every reason against an artifact is told, and all of them at once', async t => {
  const { built, dev, index, head, validate, ingest } = await clonesOf(t);
  dev.git('checkout', '--quiet', head);
  const before = index.dump().hash;
  const table: readonly (readonly [what: string, reasons: string[], change: (copy: DeltaArtifact) => void])[] = [
    [
      'another base',
      ['wrong_base', 'unchecked'],
      copy => {
        copy.base_snapshot_id = `sha256:${'0'.repeat(64)}`;
      },
    ],
    [
      'another outcome',
      ['invalid'],
      copy => {
        copy.new_snapshot_id = `sha256:${'0'.repeat(64)}`;
      },
    ],
    [
      'another extractor',
      ['extractor_version', 'unchecked'],
      copy => {
        copy.made_by!.extractors['typescript']!++;
      },
    ],
    [
      'another linker',
      ['extractor_version', 'unchecked'],
      copy => {
        copy.made_by!.linker++;
      },
    ],
    [
      'a count',
      ['invalid'],
      copy => {
        copy.stats.refsAdded++;
      },
    ],
    [
      'a row too few',
      ['invalid'],
      copy => {
        copy.deltas.refs.added.pop();
        copy.stats.refsAdded--;
      },
    ],
    [
      'a row too many',
      ['invalid'],
      copy => {
        copy.deltas.refs.deleted.push(copy.deltas.refs.deleted[0]!);
        copy.stats.refsDeleted++;
      },
    ],
    [
      'a dangling edge',
      ['invalid'],
      copy => {
        copy.deltas.callgraph.added[0]!.callee_id = `svc:ci:sym:${'0'.repeat(32)}`;
      },
    ],
    [
      'a huge number',
      ['invalid'],
      copy => {
        copy.deltas.refs.added[0]!.line = 1e300;
      },
    ],
    [
      'facts of something else',
      ['invalid'],
      copy => {
        const [one, other] = Object.keys(copy.facts!) as [string, string];
        copy.facts![one] = copy.facts![other]!;
      },
    ],
    [
      'facts of nothing',
      ['invalid'],
      copy => {
        copy.facts!['f'.repeat(64)] = '';
      },
    ],
    [
      'a path that climbs out',
      ['invalid', 'unchecked'],
      copy => {
        copy.deltas.files.added[0]!.path = '../../etc/passwd';
      },
    ],
    [
      'an absolute path',
      ['invalid', 'unchecked'],
      copy => {
        copy.deltas.files.deleted[0] = '/etc/passwd';
      },
    ],
    [
      'a path twice',
      ['invalid', 'unchecked'],
      copy => {
        copy.deltas.files.deleted.push(copy.deltas.files.added[0]!.path);
      },
    ],
    [
      'a file that stands',
      ['tree_differs', 'invalid', 'unchecked'],
      copy => {
        copy.deltas.files.deleted.push('src/main.ts');
      },
    ],
    [
      'an unknown field',
      ['invalid'],
      copy => {
        (copy as Record<string, unknown>)['__proto__x'] = 1;
      },
    ],
  ];
  for (const [what, reasons, change] of table) {
    const artifact = changed(built, change);
    assert.deepEqual(await validate(artifact).then(reasonsOf), reasons, what);
    assert.deepEqual(
      await ingest(artifact).then(one => reasonsOf(one === 'refused' ? one : one.checked)),
      reasons,
      what,
    );
    assert.equal(index.dump().hash, before, what);
  }
  const several = await validate(
    changed(built, copy => {
      copy.stats.refsAdded++;
      copy.stats.symbolsAdded++;
      copy.base_snapshot_id = `sha256:${'0'.repeat(64)}`;
    }),
  );
  assert.ok(several !== 'refused');
  assert.deepEqual(
    several.problems.map(({ path }) => path),
    ['stats.symbolsAdded', 'stats.refsAdded', 'base_snapshot_id', 'new_snapshot_id', 'deltas'],
  );
});

test('what can’t be looked at because of something else is said to be unchecked', async t => {
  const { built, validate } = await clonesOf(t);
  const other = `sha256:${'0'.repeat(64)}`;
  const verdictOn = async (change: (copy: DeltaArtifact) => void) => {
    const verdict = await validate(changed(built, change));
    assert.ok(verdict !== 'refused');
    const told = verdict.problems.map(({ path, message }) => [path, /^not checked: .*/.exec(message)?.[0] ?? 'wrong']);
    return { base: verdict.base, told };
  };
  const versions = 'not checked: what other versions make of the files can’t be compared';
  const foreign = await verdictOn(copy => {
    copy.made_by!.extractors['typescript'] = 1;
  });
  assert.deepEqual(foreign, {
    base: 'active',
    told: [
      ['made_by.extractors.typescript', 'wrong'],
      ['new_snapshot_id', versions],
      ['deltas', versions],
      ['facts', versions],
    ],
  });
  const elsewhere = await verdictOn(copy => {
    copy.made_by!.linker = 1;
    copy.base_snapshot_id = other;
    copy.stats.refsAdded++;
  });
  assert.deepEqual(elsewhere, {
    base: undefined,
    told: [
      ['stats.refsAdded', 'wrong'],
      ['made_by.linker', 'wrong'],
      ['base_snapshot_id', 'not checked: trees that other versions have read have other ids'],
      ['new_snapshot_id', versions],
      ['deltas', versions],
      ['facts', versions],
    ],
  });
  const files = 'not checked: not all files that it names are as it says';
  const torn = await verdictOn(copy => {
    copy.deltas.files.modified[0]!.hash = 'a'.repeat(64);
    copy.deltas.symbols.added.pop();
    copy.new_snapshot_id = other;
    delete copy.facts;
    delete copy.commit;
  });
  const { path } = built.deltas.files.modified[0]!;
  const count = ['stats.symbolsAdded', 'wrong'];
  assert.deepEqual(torn, {
    base: 'active',
    told: [count, [path, 'wrong'], ['new_snapshot_id', files], ['deltas', files]],
  });
});

test('of a wrong base it is said on which snapshots an artifact counts here, however many these are', async t => {
  const { built, dev, index, validate } = await clonesOf(t);
  const other = changed(built, copy => {
    copy.base_snapshot_id = `sha256:${'0'.repeat(64)}`;
  });
  const told = async () => {
    const answer = await validate(other);
    return answer === 'refused' ? answer : answer.problems.find(({ reason }) => reason === 'wrong_base')?.message;
  };
  assert.match(
    (await told())!,
    /the active snapshot is sha256:[0-9a-f]{64}\. The base’s commit, .*\. Build the artifact on that \(/,
  );
  dev.write('src/mine.ts', 'export const mine = 1;\n');
  await index.crawl();
  assert.match((await told())!, /, and HEAD’s is sha256:[0-9a-f]{64}\. .*\. Build the artifact on one of these \(/);
});

test('well-formed JSON of any shape has a verdict, and what is no JSON has none', async t => {
  const { validate, ingest } = await clonesOf(t);
  for (const artifact of [null, [], {}, 'x', 1, { deltas: [] }, { facts: { __proto__: null } }]) {
    assert.deepEqual(await validate(artifact).then(reasonsOf), ['invalid'], JSON.stringify(artifact));
    const answer = await ingest(artifact);
    assert.ok(answer !== 'refused' && answer.checked.problems.length > 0);
  }
  for (const text of ['', '{', '\ufeff{}', '['.repeat(100_000), Buffer.from([0x22, 0xff, 0x22])]) {
    assert.equal(await validate(Buffer.from(text as string)), 'refused');
    assert.equal(await ingest(Buffer.from(text as string)), 'refused');
  }
});

test('a field that stands twice is told of, for a reader may take either', async t => {
  const { built, validate, ingest } = await clonesOf(t);
  const text = JSON.stringify(built);
  const twice = [
    [text.replace('"stats":{', '"stats":{"refsAdded" : 99,'), 'stats.refsAdded'],
    [text.replace('"commit":', '"comm\\u0069t":"x","commit":'), 'commit'],
    [text.replace('"facts":{', '"facts":{"__proto__":"","__proto__":"",'), 'facts.__proto__'],
  ] as const;
  for (const [other, path] of twice) {
    const verdict = await validate(Buffer.from(other));
    assert.ok(verdict !== 'refused' && verdict.problems.some(one => one.path === path), path);
    const answer = await ingest(Buffer.from(other));
    assert.ok(answer !== 'refused' && answer.published === undefined);
    assert.deepEqual(answer.checked.problems, verdict.problems);
  }
});

test('a short text of very many values is refused before it takes memory, and a long list is told of by its first items', async t => {
  const { built, validate } = await clonesOf(t);
  await assert.rejects(validate(Buffer.from(`[${'0,'.repeat(3_000_000)}0]`)), { reason: 'tooLarge' });
  const verdict = await validate(
    changed(built, copy => {
      copy.deltas.refs.added = Array.from({ length: 20_000 }, () => copy.deltas.refs.added[0]!);
      copy.deltas.refs.added[17_000] = {} as DeltaRef;
    }),
  );
  assert.ok(verdict !== 'refused' && verdict.problems.length > 0);
  assert.ok(
    verdict.problems.slice(0, 6).every(({ path }) => path.startsWith('deltas.refs.added[17000].')),
    JSON.stringify(verdict.problems),
  );
});

test('a broken field hides what hangs on it alone: all else is checked, and each place is named with what it must be', async t => {
  const { built, dev, head, validate } = await clonesOf(t);
  dev.git('checkout', '--quiet', head);
  const problemsOf = async (change: (copy: DeltaArtifact) => void) => {
    const verdict = await validate(changed(built, change));
    assert.ok(verdict !== 'refused');
    return verdict.problems.map(({ path, message }) => `${path}: ${message}`.replace(/: \{.*|sha256:\w+/gs, ''));
  };
  assert.deepEqual(
    await problemsOf(copy => {
      put(copy, 'stats.refsAdded', 'many');
      copy.stats.symbolsAdded++;
      put(copy, 'deltas.callgraph.deleted', undefined);
      put(copy, 'deltas.refs.added.1.line', 0);
      copy.deltas.symbols.deleted.pop();
      copy.new_snapshot_id = `sha256:${'0'.repeat(64)}`;
      put(copy, 'comit', 'x');
      put(copy, `facts.${copy.deltas.files.added[0]!.hash}`, 5);
      copy.deltas.files.deleted.push('src/main.ts');
      copy.commit = copy.base_commit!;
    }),
    [
      'comit: is no field of a delta artifact; did you mean commit?',
      'deltas.refs.added[1].line: must be an integer from 1 to 4294967296, in plain digits',
      'deltas.callgraph.deleted: is missing: it must be a list',
      'stats.refsAdded: must be an integer from 0 to 9007199254740991, in plain digits',
      `facts.${built.deltas.files.added[0]!.hash}: must be text`,
      `stats.symbolsAdded: statistics count mismatch: says ${built.stats.symbolsAdded + 1}, and deltas.symbols.added has ${built.stats.symbolsAdded}`,
      `stats.symbolsDeleted: statistics count mismatch: says ${built.stats.symbolsDeleted}, and deltas.symbols.deleted has ${built.stats.symbolsDeleted - 1}`,
      'src/main.ts: is still there, in the work tree and in the commit that the artifact names',
      'commit: has not what the artifact leads to, by go/two.go, src/log.ts, src/main.ts, app/aaa.rb, go/three.go and 5 more: build the artifact anew from its commits',
      'new_snapshot_id: not checked: not all files that it names are as it says',
      'deltas: not checked: not all files that it names are as it says',
    ],
  );
  const rows = await problemsOf(copy => {
    put(copy, 'stats', []);
    copy.deltas.refs.added.pop();
    copy.new_snapshot_id = `sha256:${'0'.repeat(64)}`;
  });
  assert.deepEqual(rows, [
    'stats: must be an object',
    'new_snapshot_id: is not what results, which is ',
    'deltas.refs.added: is missing',
  ]);
  const version = await problemsOf(copy => {
    put(copy, 'delta_schema_version', 2);
  });
  assert.deepEqual(version, [
    'delta_schema_version: must be 1, the version that is read here: build the artifact with this version of svc',
  ]);
});

test('the commits that an artifact names are held against git, where it has them', async t => {
  const { built, dev, head, base, validate } = await clonesOf(t);
  const other = 'a'.repeat(40);
  const pathsOf = async (commit: string, base_commit: string) => {
    const verdict = await validate({ ...built, commit, base_commit });
    assert.ok(verdict !== 'refused');
    return verdict.problems.map(({ path }) => path);
  };
  for (const where of [base, head]) {
    dev.git('checkout', '--quiet', where);
    assert.deepEqual(await pathsOf(head, base), []);
    assert.deepEqual(await pathsOf(head, head), ['base_commit']);
  }
  assert.deepEqual(await pathsOf(other, other), [], 'nobody can tell here');
  for (const label of ['HEAD', 'zzz', '', head.slice(0, 12), `${head}0`]) {
    assert.deepEqual(await pathsOf(label, label), ['commit', 'base_commit'], label);
  }
  assert.deepEqual(await pathsOf(base, base), ['commit']);
  dev.write('.gitattributes', '*.ts text eol=crlf\n');
  const third = dev.commit('line ends');
  dev.git('rm', '--quiet', '--cached', '-r', '.');
  dev.git('reset', '--quiet', '--hard');
  assert.deepEqual(await pathsOf(third, base), [], 'what git makes of a file in the tree is that file');
});

test('an artifact without facts, versions and names is read all the same', async t => {
  const { built, dev, head, ingest } = await clonesOf(t);
  dev.git('checkout', '--quiet', head);
  const bare = changed(built, copy => {
    for (const field of ['facts', 'made_by', 'new_snapshot_id', 'commit', 'base_commit', 'timestamp'] as const)
      delete copy[field];
  });
  assert.deepEqual(((await ingest(bare)) as Ingested).checked.problems, []);
});

test('the base of an artifact may be a snapshot that is active or was of late, and no other', async t => {
  const { base, built, dev, index, head } = await clonesOf(t);
  const { snapshotId: before } = await index.crawl();
  dev.git('checkout', '--quiet', head);
  await index.crawl();
  const output = dev.path('../delta.json');
  const lists = async (from: string): Promise<DeltaArtifact> => {
    const build = { base: from, head: undefined, output, mostBytes: 2 ** 20, timestamp: 1 };
    await index.engine.delta(index.repo, { kind: 'build', build });
    return JSON.parse(readFileSync(output, 'utf8')) as DeltaArtifact;
  };
  const [bySnapshot, byCommit] = [await lists(before), await lists(base)];
  assert.equal(bySnapshot.base_snapshot_id, before);
  assert.deepEqual(bySnapshot.deltas, byCommit.deltas);
  assert.equal(bySnapshot.new_snapshot_id, built.new_snapshot_id);
  assert.deepEqual(Object.values((await lists(built.new_snapshot_id!)).stats), [0, 0, 0, 0, 0, 0, 0]);
  await assert.rejects(lists(`sha256:${'0'.repeat(64)}`), { reason: 'preconditionFailed' });
});
