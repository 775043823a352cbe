import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Value } from 'typebox/value';
import { Fault } from '../../../../client/protocol/faults.ts';
import type { Operation } from '../../../../client/protocol/operation.ts';
import { ownership } from '../../../../client/protocol/ownership.ts';
import { serialiseOutput } from '../../../../client/protocol/serialise.ts';
import { validateInput } from '../../../../client/protocol/validate.ts';
import { analysed } from '../../../../daemon/operations/analysis/analyses.ts';
import { driftAnswer } from '../../../../daemon/operations/ownership/drift-answer.ts';
import { ownershipAnswer } from '../../../../daemon/operations/ownership/ownership-answer.ts';
import { ownershipFiles } from '../../../../daemon/operations/ownership/ownership-files.ts';
import { type OwnershipState, ownershipStates } from '../../../../daemon/operations/ownership/ownership-state.ts';
import type { Workspace } from '../../../support/repository.ts';
import { type AnalysedTree, analysedTree } from '../analysed-tree.ts';
import { sourcesOfGit } from './sources-of-git.ts';

const now = Date.UTC(2026, 5, 30) / 1000;
const day = 86_400;

const tree = `
-- .github/CODEOWNERS --
* @alice
/lib/ @acme/core
/docs/
/src/b.ts @zoe
/gen/ @acme/unknown
-- src/a.ts --
export const a1 = 1;
export const a2 = 2;
export const a3 = 3;
export const a4 = 4;
-- src/b.ts --
export const b = 1;
-- lib/index.ts --
export const lib = 1;
-- docs/guide.md --
# Guide
-- gen/made.ts --
export const made = 1;
-- package.json --
{ "name": "app", "main": "src/a.ts" }
`;

const authors = {
  alice: 'Alice Smith <alice@example.com>',
  bob: 'Bob Bobson <17+bob@users.noreply.github.com>',
  carol: 'Carol <carol@old.example.com>',
  bot: 'renovate[bot] <29139614+renovate[bot]@users.noreply.github.com>',
} as const;

function committed({ git }: Workspace, who: keyof typeof authors, daysAgo: number): void {
  git('add', '--all');
  git(
    'commit',
    '--quiet',
    '--allow-empty',
    '-m',
    who,
    `--author=${authors[who]}`,
    `--date=${now - daysAgo * day} +0000`,
  );
}

/** Alice began long ago; Bob wrote most of src/a.ts since, Carol the library, and a bot the manifest. */
async function history(t: TestContext): Promise<AnalysedTree> {
  const made = await analysedTree(t, tree);
  const { folder } = made;
  folder.git('init', '--quiet', '--initial-branch=main');
  folder.write('.mailmap', 'Carol Carter <carol@example.com> <carol@old.example.com>\n');
  committed(folder, 'alice', 720);
  folder.write('src/a.ts', 'export const a1 = 1;\nexport const b2 = 2;\nexport const b3 = 3;\nexport const b4 = 4;\n');
  committed(folder, 'bob', 90);
  folder.write('lib/index.ts', 'export const lib = 2;\n');
  committed(folder, 'carol', 0);
  folder.write('package.json', '{ "name": "app", "main": "src/a.ts", "version": "1.0.0" }\n');
  committed(folder, 'bot', 0);
  await made.tree.crawl();
  return made;
}

interface Asking {
  readonly state: () => OwnershipState;
  owners(input: { path?: string; moduleId?: string; includeHistory?: boolean }): ReturnType<typeof ownershipAnswer>;
  drift(input?: { scope?: string; threshold?: number; limit?: number }): ReturnType<typeof driftAnswer>;
}

function asking(made: AnalysedTree, pending: readonly string[] = []): Asking {
  const states = ownershipStates(ownershipFiles());
  const configured = {
    bots: undefined,
    teams: new Map([['@acme/core', ['carol@example.com']]]),
    people: new Map<string, readonly string[]>(),
  };
  const { root } = made.folder;
  const sources = sourcesOfGit(made.folder, pending);
  const state = () => states.of({ top: root, sources, configured, now });
  const about = <Answer>(work: Parameters<typeof analysed<Answer>>[2]) =>
    made.about((reader, asked) => analysed(reader, { ...asked, now: now * 1000 }, work));
  const fitting = <Answer>({ output }: Pick<Operation, 'output'>, answer: Answer): Answer => {
    const told = { ...answer, commit: sources.history!.head };
    assert.deepEqual([...Value.Errors(output, told)].slice(0, 3), []);
    return answer;
  };
  return {
    state,
    owners: input =>
      fitting(
        ownership['ownership.get'],
        about(of => ownershipAnswer(of, state(), '', { includeHistory: false, sync: false, ...input })),
      ),
    drift: input =>
      fitting(
        ownership['ownership.drift'],
        about(of => driftAnswer(of, state(), '', { threshold: 0.3, limit: 20, sync: false, ...input })),
      ),
  };
}

function summary({ owners }: ReturnType<typeof ownershipAnswer>): readonly string[] {
  return owners.map(({ identity, scope, source, share }) => `${identity} ${scope} ${source} ${share ?? ''}`.trim());
}

test('examples are questions that are accepted, and answers that fit', () => {
  for (const operation of Object.values(ownership) as readonly Operation[]) {
    const { input, output } = operation.example!;
    validateInput(operation, { input: input as Record<string, unknown>, invalidAs: () => 'invalidParameter' });
    assert.deepEqual([...Value.Errors(operation.output, output)], []);
    assert.deepEqual(JSON.parse(serialiseOutput(operation, output)), output, 'nothing is lost');
  }
});

test('owners of a file: who is declared, and who wrote what stands in it', async t => {
  const { owners } = asking(await history(t));
  const answer = owners({ path: './src/../src/a.ts' });
  // One line of 720 days, three of 90: 2^-8 to 3 × 2^-1.
  assert.deepEqual(answer.owners, [
    { identity: '@alice', scope: 'maintainer', source: 'codeowners', confidence: 1 },
    {
      ...{ identity: '@bob', scope: 'maintainer', source: 'git-blame', confidence: 1, weightedLines: 1.5 },
      ...{ name: 'Bob Bobson', share: 0.9974, lines: 3 },
    },
  ]);
  assert.deepEqual(answer.suggestedReviewers, ['@alice', '@bob']);
  assert.deepEqual(answer.declared, {
    status: 'owned',
    file: '.github/CODEOWNERS',
    rules: [{ line: 1, pattern: '*', section: '' }],
  });
  assert.deepEqual(answer.coverage, {
    files: 1,
    blamedFiles: 1,
    pendingFiles: 0,
    lines: 4,
    knownLines: 4,
    botLines: 0,
  });
  assert.deepEqual([answer.path, answer.kind, answer.history], ['src/a.ts', 'file', undefined]);
});

test('owners of files by teams, of none, and of bots alone', async t => {
  const { owners } = asking(await history(t));
  const lib = owners({ path: 'lib/index.ts' });
  assert.deepEqual(lib.owners[0], {
    ...{ identity: '@acme/core', scope: 'maintainer', source: 'codeowners', confidence: 1 },
    members: ['carol@example.com'],
  });
  assert.deepEqual(summary(lib).slice(1), ['carol@example.com maintainer git-blame 1']);
  const docs = owners({ path: 'docs/guide.md' });
  assert.deepEqual([docs.declared.status, summary(docs)], ['cleared', ['@alice maintainer git-blame 1']]);
  const made = owners({ path: 'gen/made.ts' });
  assert.deepEqual([made.owners[0]?.unresolved, made.unresolvedOwners], [true, ['@acme/unknown']]);
  const manifest = owners({ path: 'package.json' });
  assert.deepEqual(summary(manifest), ['@alice maintainer codeowners']);
  assert.deepEqual([manifest.coverage.lines, manifest.coverage.knownLines, manifest.coverage.botLines], [1, 1, 1]);
});

test('owners of a directory, of a module and of all add up their files', async t => {
  const { owners } = asking(await history(t), ['src/b.ts']);
  const src = owners({ path: 'src/' });
  assert.deepEqual(
    [src.kind, src.path, summary(src)],
    [
      ...['directory', 'src'],
      ['@alice maintainer codeowners', '@zoe maintainer codeowners', '@bob maintainer git-blame 0.9974'],
    ],
  );
  const declared = src.owners.slice(0, 2).map(({ identity, confidence }) => [identity, confidence]);
  assert.deepEqual(
    [src.declared.status, declared],
    [
      'owned',
      [
        ['@alice', 0.5],
        ['@zoe', 0.5],
      ],
    ],
  );
  assert.deepEqual(src.coverage, { files: 2, blamedFiles: 1, pendingFiles: 1, lines: 4, knownLines: 4, botLines: 0 });
  assert.equal(src.owners[2]?.confidence, 0.5, 'half of the files have yet to be looked at');
  const lib = owners({ path: 'lib' });
  assert.deepEqual(lib.declared.rules, [{ line: 2, pattern: '/lib/', section: '' }]);
  const root = owners({ moduleId: '@root' });
  assert.deepEqual([root.kind, root.path, root.moduleId], ['module', '', '@root']);
  const all = owners({});
  assert.deepEqual(
    [all.kind, all.path, all.declared.status, all.declared.rules.length],
    ['directory', '', 'partly', 5],
  );
  assert.equal(all.coverage.files, 8);
});

test('who did how much in each quarter, where it is asked for', async t => {
  const { owners } = asking(await history(t));
  const shares = (input: Parameters<typeof owners>[0]) =>
    owners({ ...input, includeHistory: true }).history?.map(one => `${one.date} ${one.identity} ${one.contribution}`);
  assert.deepEqual(shares({ path: 'src/a.ts' }), ['2024-07-01 @alice 1', '2026-04-01 @bob 1']);
  assert.deepEqual(shares({ path: '.' }), [
    '2024-07-01 @alice 1',
    '2026-04-01 @bob 0.75',
    '2026-04-01 carol@example.com 0.25',
  ]);
});

test('what there is not is no owner', async t => {
  const { owners } = asking(await history(t));
  const refused = (input: Parameters<typeof owners>[0], reason: Fault['reason']) =>
    assert.throws(
      () => owners(input),
      (error: unknown) => error instanceof Fault && error.reason === reason,
    );
  refused({ path: 'src/none.ts' }, 'fileNotFound');
  refused({ path: '../x' }, 'invalidParameter');
  refused({ path: '/etc/passwd' }, 'invalidParameter');
  refused({ path: 'src', moduleId: '@root' }, 'invalidParameter');
  refused({ moduleId: 'none' }, 'resourceNotFound');
});

test('drift finds who took files over, and nothing where they are owned as declared', async t => {
  const { drift } = asking(await history(t));
  const answer = drift();
  assert.deepEqual(answer.driftedFiles, [
    {
      path: 'src/b.ts',
      declaredOwner: '@zoe',
      actualOwners: [{ identity: '@alice', contribution: 1 }],
      driftScore: 1,
      recommendation:
        'Name @alice (100 %) in place of @zoe: @zoe matches no author of the history: unless they are gone, tell their addresses in [ownership.people."@zoe"] (.github/CODEOWNERS:4)',
    },
    {
      path: 'src/a.ts',
      declaredOwner: '@alice',
      actualOwners: [{ identity: '@bob', contribution: 0.9974 }],
      driftScore: 0.9974,
      recommendation:
        'Name @bob (100 %) in place of @alice: @alice last wrote a line of it on 2024-07-10 (.github/CODEOWNERS:1)',
    },
  ]);
  assert.deepEqual(answer.counts, { files: 8, measured: 5, undeclared: 1, unresolvable: 1, pending: 0 });
  assert.deepEqual(
    [answer.total, answer.scope, answer.truncated, answer.unresolvedOwners],
    [2, '@root', false, ['@acme/unknown']],
  );
  assert.deepEqual([drift({ limit: 1 }).driftedFiles.length, drift({ limit: 1 }).truncated], [1, true]);
  assert.equal(drift({ threshold: 0.998 }).total, 1);
  const whole = drift({ threshold: 0 });
  assert.deepEqual([whole.total, whole.driftedFiles.length], [5, 5]);
  assert.deepEqual(
    whole.driftedFiles.slice(2).map(one => [one.path, one.driftScore]),
    [
      ['.github/CODEOWNERS', 0],
      ['.mailmap', 0],
      ['lib/index.ts', 0],
    ],
  );
  assert.equal(
    whole.driftedFiles[4]?.recommendation,
    'Nothing: whoever is named wrote 100 % of it (.github/CODEOWNERS:2)',
  );
  const lib = drift({ scope: 'lib' });
  assert.deepEqual([lib.total, lib.scope, lib.counts.measured], [0, 'lib', 1]);
  assert.throws(() => drift({ scope: 'nowhere' }), /no module and no indexed path/);
});

test('a file that is all a named owner’s has not drifted, whoever is named beside them', async t => {
  const made = await history(t);
  made.folder.write('.github/CODEOWNERS', '/docs/ @alice @acme/unknown\n/src/a.ts @alice @acme/unknown\n');
  const { drift } = asking(made);
  const { driftedFiles, counts } = drift({ threshold: 0 });
  assert.deepEqual(
    driftedFiles.map(({ path, driftScore }) => [path, driftScore]),
    [['docs/guide.md', 0]],
  );
  assert.deepEqual([counts.measured, counts.unresolvable], [1, 1]);
});

test('an edit of CODEOWNERS, of .mailmap and of .svc.toml is in the next answer; without one nothing is made again', async t => {
  const made = await history(t);
  const { owners, drift, state } = asking(made, ['src/b.ts']);
  assert.equal(state(), state());
  assert.equal(drift().counts.pending, 1);
  made.folder.write('.github/CODEOWNERS', '* @bob\n');
  assert.equal(
    drift().driftedFiles.some(({ path }) => path === 'src/a.ts'),
    false,
  );
  made.folder.write('.mailmap', 'Bobby <bobby@example.com> <17+bob@users.noreply.github.com>\n');
  assert.equal(owners({ path: 'src/a.ts' }).owners[1]?.identity, 'bobby@example.com');
  made.folder.write('.svc.toml', '[ownership.people."@bob"]\nemails = ["bobby@example.com"]\n');
  assert.equal(owners({ path: 'src/a.ts' }).owners[1]?.identity, '@bob');
  made.folder.write('.svc.toml', '[history]\nbots = ["bobby*"]\n');
  assert.deepEqual(summary(owners({ path: 'src/a.ts' })).slice(1), ['alice@example.com maintainer git-blame 1']);
});
