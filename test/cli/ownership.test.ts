import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LocalCommands } from '../../cli/local.ts';
import { buildProgram } from '../../cli/program.ts';
import type { TableEntry } from '../../cli/table.ts';
import { driftView, ownersView } from '../../cli/views/ownership.ts';
import type { View } from '../../cli/views/view.ts';
import { ownership } from '../../client/protocol/ownership.ts';

const entries = Object.entries(ownership).map(
  ([name, { summary, cli, input, effect, scope, faults }]) =>
    JSON.parse(JSON.stringify({ name, summary, cli, input, effect, scope, faults })) as TableEntry,
);

test('the commands take a path or a module, a scope and a bound', async () => {
  const asked: unknown[] = [];
  const lines = [
    'owners src/a.ts',
    'owners --module packages/core --include-history',
    'owners',
    'drift --scope src --threshold 0.6 --limit 3',
  ];
  for (const line of lines) {
    const words = line.split(' ');
    const program = await buildProgram({
      ...{ table: entries, firstWord: words[0]!, isHelpFull: false, local: {} as LocalCommands },
      ask: async ({ operation }, { fields }) => void asked.push([operation, fields]),
    });
    await program.parseAsync(words, { from: 'user' });
  }
  assert.deepEqual(asked, [
    ['ownership.get', { path: 'src/a.ts' }],
    ['ownership.get', { moduleId: 'packages/core', includeHistory: true }],
    ['ownership.get', {}],
    ['ownership.drift', { scope: 'src', threshold: 0.6, limit: 3 }],
  ]);
});

function shown(view: View) {
  assert.ok(view.kind === 'rows');
  return { rows: view.rows.map(row => row.join(' | ')), notes: view.notes };
}

test('owners are shown with who says so, and with what it rests on', () => {
  const { output } = ownership['ownership.get'].example!;
  assert.deepEqual(shown(ownersView(output)), {
    rows: [
      'now | @alice | maintainer | codeowners |  |  | ',
      'now | @bob | maintainer | git-blame | 81 % | 140 | Bob Bobson',
    ],
    notes: [
      'declared by .github/CODEOWNERS:12 /src/',
      'ask for a review: @bob @alice',
      '212 of 212 lines known, in 1 of 1 file',
    ],
  });
  const more = {
    ...output,
    owners: [
      { identity: '@o/t', scope: 'maintainer', source: 'codeowners', confidence: 1, members: ['@a', '@b'] } as const,
      { identity: '@o/u', scope: 'maintainer', source: 'codeowners', confidence: 1, unresolved: true } as const,
    ],
    suggestedReviewers: [],
    declared: { status: 'cleared', file: 'CODEOWNERS', rules: [{ line: 3, pattern: '/src', section: '' }] } as const,
    coverage: { files: 3, blamedFiles: 1, pendingFiles: 2, lines: 1, knownLines: 0, botLines: 0 },
    history: [{ date: '2026-04-01', identity: '@bob', contribution: 0.6667 }],
    warnings: [{ code: 'PARTIAL_RESULT', backend: 'git', message: 'git has not said yet who wrote 2 files' }],
  };
  assert.deepEqual(shown(ownersView(more as never)), {
    rows: [
      'now | @o/t | maintainer | codeowners |  |  | @a @b',
      'now | @o/u | maintainer | codeowners |  |  | not known who they are',
      '2026-04-01 | @bob |  | history | 67 % |  | ',
    ],
    notes: [
      'declared to be nobody’s by CODEOWNERS:3 /src',
      '0 of 1 line known, in 1 of 3 files',
      'git has not said yet who wrote 2 files',
    ],
  });
  const shared = { ...output, owners: [], suggestedReviewers: [] };
  assert.deepEqual(shown(ownersView(shared)), {
    rows: [],
    notes: [
      'declared by .github/CODEOWNERS:12 /src/',
      'nobody wrote as much as 5 % of it, where lines count for less the older they are',
      '212 of 212 lines known, in 1 of 1 file',
    ],
  });
  const ofBots = (knownLines: number) =>
    shown(ownersView({ ...shared, coverage: { ...output.coverage, knownLines, botLines: knownLines } })).notes[1];
  assert.equal(ofBots(212), 'bots wrote all of it, and own nothing: history.bots says who is one');
  assert.equal(ofBots(7), 'bots wrote all of it that is known, and own nothing: history.bots says who is one');
  const none = { ...output, declared: { status: 'unnamed', file: null, rules: [] } as const };
  assert.equal(shown(ownersView(none as never)).notes[0], 'there is no CODEOWNERS');
});

test('drift is shown with what to do about it', () => {
  const { output } = ownership['ownership.drift'].example!;
  const [drifted] = output.driftedFiles;
  assert.deepEqual(shown(driftView(output)), {
    rows: [`src/config.ts | 99 % | @alice | @bob 92 % | ${drifted?.recommendation}`],
    notes: ['1 drifted, of 180 that could be measured; of 240 files 52 have no declared owner'],
  });
  const counts = { files: 3, measured: 0, undeclared: 0, unresolvable: 2, pending: 1 };
  const rest = { driftedFiles: [], total: 9, counts, unresolvedOwners: ['@o/t'], truncated: true, codeowners: null };
  assert.deepEqual(shown(driftView({ ...output, ...rest })).notes, [
    '9 in all: --limit shows more',
    'there is no CODEOWNERS',
    '9 drifted, of 0 that could be measured; of 3 files 0 have no declared owner',
    '2 files left out, for it is not known who is in @o/t',
  ]);
});
