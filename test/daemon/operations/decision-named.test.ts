import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { test } from 'node:test';
import { Fault } from '../../../client/protocol/faults.ts';
import type { UnreadFile } from '../../../daemon/jobs/decisions/decision-files.ts';
import type { Decision } from '../../../daemon/jobs/decisions/decisions.ts';
import { decisionNamed } from '../../../daemon/operations/decisions/decision-named.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { withoutRights } from '../../support/without-rights.ts';

const folder = 'docs/decisions';
const second = { id: 'ADR-002', title: 'B', file: { path: `${folder}/0002-b.md` } } as Decision;

test('a decision that can’t be read is told so by its file and the way in, and not as one that is not there', t => {
  const { root, path } = temporaryFolder(t, `-- ${folder}/0001-a.md --\n# A\n`);
  chmodSync(root, 0o755);
  const file = `${folder}/0001-a.md`;
  chmodSync(path(file), 0o000);
  const unread: UnreadFile = { path: file, code: 'unreadable', message: 'can’t be read' };
  for (const asked of ['ADR-001', '1', '0001-a', '0001-a.md', file]) {
    assert.throws(
      () => withoutRights(() => decisionNamed(asked, [second], { id: 'app', root }, [unread])),
      (error: unknown) => error instanceof Fault && error.message.startsWith(`${file} can’t be read: ${path(file)} `),
      asked,
    );
  }
  const named = (asked: string) => () => decisionNamed(asked, [second], { id: 'app', root }, [unread]);
  assert.equal(named('ADR-002')(), second);
  assert.throws(named('ADR-003'), { message: 'There is no decision "ADR-003"; did you mean ADR-002?' });
});

test('what is not found may lie in a folder that is closed', () => {
  const closed: UnreadFile = { path: folder, code: 'unreadable', message: 'the folder can’t be read' };
  assert.throws(() => decisionNamed('ADR-001', [], { id: 'app', root: '/app' }, [closed]), {
    message: `There is no decision "ADR-001" that can be read (${folder}: the folder can’t be read)`,
  });
});
