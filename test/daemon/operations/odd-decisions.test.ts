import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { readDaemonRecord } from '../../../client/paths.ts';
import { ready } from '../../oracle/stored.ts';
import { startDaemon, until } from '../../support/daemon.ts';
import { gitRepository, type Workspace } from '../../support/repository.ts';

const record = (title: string, status = 'accepted', more = ''): string =>
  `# ${title}\n\n## Status\n\n${status}\n\n${more}`;
const front = (lines: string): string => `---\n${lines}\n---\n# A\n`;

/** A file below docs/adr, its id in answers (undefined: it is not read), and what is told of it. */
type Row = readonly [
  name: string,
  content: string | Uint8Array | ((tree: Workspace, path: string) => void),
  id: string | undefined,
  problems?: string,
];

const rows: readonly Row[] = [
  ['0001-good.md', record('Good'), 'ADR-001'],
  ['0002-no-title.md', '## Status\n\naccepted\n', 'ADR-002', 'no_title'],
  ['0003-two-ids.md', '---\nid: adr-4\n---\n# 5. A\n', 'ADR-003', 'id_mismatch'],
  ['0006-id-of-another.md', record('7. A'), 'ADR-006', 'id_mismatch'],
  ['0008-one.md', record('One'), 'ADR-008', 'duplicate_id'],
  ['0008-two.md', record('Two'), 'ADR-008', 'duplicate_id'],
  ['ADR-99999999999999999999.md', record('Large'), `ADR-${'9'.repeat(20)}`, 'number_out_of_range'],
  ['ADR-0x1.md', record('Odd'), 'ADR-0x1'],
  ['0010-capitals.md', record('A', 'ACCEPTED'), 'ADR-010'],
  ['0011-unknown.md', record('A', 'whatever'), 'ADR-011', 'unknown_status'],
  ['0012-proto.md', record('__proto__', '__proto__'), 'ADR-012', 'unknown_status'],
  ['0013-no-day.md', front('status: accepted\ndate: 2024-13-45'), 'ADR-013', 'bad_date'],
  ['0014-year-0.md', front('status: accepted\ndate: 0000-01-01'), 'ADR-014', 'bad_date'],
  ['0015-far.md', front('status: accepted\ndate: 9999-12-31'), 'ADR-015', 'future_date'],
  ['0016-open.md', '---\nstatus: accepted\n\n# A\n', 'ADR-016', 'front_matter_unclosed'],
  [
    '0017-anchors.md',
    front(
      `a: &a [x, x]\n${Array.from({ length: 26 }, (_, n) => `k${n}: &k${n} [*a, *a, *k${n - 1}]`).join('\n')}\nstatus: accepted`,
    ),
    'ADR-017',
  ],
  ['0018-tabs.md', front('status:\taccepted'), 'ADR-018'],
  ['0019-large.md', record('Large', 'rejected', 'x'.repeat(5_000_000)), 'ADR-019', 'cut'],
  ['0020-binary.md', Buffer.from([0x23, 0x20, 0x00]), undefined, 'binary'],
  [
    '0021-no-utf8.md',
    Buffer.concat([Buffer.from('# A'), Buffer.from([0xff]), Buffer.from('\n')]),
    'ADR-021',
    'not_utf8',
  ],
  ['0022-windows.md', record('A').replaceAll('\n', '\r\n'), 'ADR-022'],
  ['0023-mark.md', `\ufeff${record('A')}`, 'ADR-023'],
  ['0024-link.md', (tree, path) => symlinkSync('/etc/passwd', tree.path(path)), undefined, 'not_regular'],
  ['0025-link-inside.md', (tree, path) => symlinkSync('0001-good.md', tree.path(path)), undefined, 'not_regular'],
  ['0026-pipe.md', (tree, path) => void execFileSync('mkfifo', [tree.path(path)]), undefined, 'not_regular'],
  [
    '0027-hole.md',
    (tree, path) => {
      tree.write(path, '');
      truncateSync(tree.path(path), 2 ** 40);
    },
    undefined,
    'too_large',
  ],
  ['0028-no-end.md', '# A', 'ADR-028'],
  ['0029-itself.md', record('A', 'Superseded by [29](0029-itself.md)'), 'ADR-029', 'supersedes_itself'],
  ['0030-circle.md', record('A', 'Superseded by ADR-31'), 'ADR-030', 'superseded_cycle'],
  ['0031-circle.md', record('A', 'Superseded by ADR-30'), 'ADR-031', 'superseded_cycle'],
  ['0032-nowhere.md', record('A', 'Superseded by [ADR-999](0999-gone.md)'), 'ADR-032', 'missing_target'],
  ['0033-outside.md', record('A', 'Superseded by [x](../../../etc/passwd)'), 'ADR-033', 'missing_target'],
  ['0034-seventh.md', '####### A\n\n## Status\n\naccepted\n', 'ADR-034', 'no_title'],
  ['0035-deutsch.md', '# A\n\n## Status\n\nAkzeptiert\n\n## Kontext\n\nc\n\n## Entscheidung\n\nd\n', 'ADR-035'],
  ['0036-page.md', record('<script>alert(1)</script>'), 'ADR-036'],
  ['0037-terminal.md', record('\u001b[2Jred'), 'ADR-037'],
  ['0038-brackets.md', record(`${'['.repeat(20_000)}x`), 'ADR-038'],
  ['0039-fences.md', `# A\n\n${'```a\n'.repeat(20_000)}`, 'ADR-039'],
  ['0040-headings.md', `# A\n\n${'## Status\n'.repeat(20_000)}`, 'ADR-040'],
  ['0041-empty.md', '', 'ADR-041', 'no_title'],
  ['0042-modules.md', front('status: accepted\naffected-modules: [../../x, /etc, __proto__]'), 'ADR-042'],
];

test('whatever lies among decisions, each is listed and shown or told as unread, and no question fails', async t => {
  const tree = gitRepository(t, '-- a.ts --\nexport const a = 1;\n');
  for (const [name, content] of rows) {
    const path = `docs/adr/${name}`;
    if (typeof content === 'function') content(tree, path);
    else tree.write(path, content);
  }
  const odd = Buffer.concat([Buffer.from(`${tree.path('docs/adr')}/0043-`), Buffer.from([0xff]), Buffer.from('.md')]);
  writeFileSync(odd, record('A'));
  const daemon = await startDaemon(t);
  await until('HTTP listens', () => readDaemonRecord(daemon.home.places)?.url);
  await daemon.client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready(daemon);
  const { url, tokenFile } = readDaemonRecord(daemon.home.places)!;
  const headers = {
    authorization: `Bearer ${readFileSync(tokenFile, 'utf8').trim()}`,
    'content-type': 'application/json',
  };
  const ask = async (path: string, body?: object) => {
    const init = body === undefined ? { headers } : { headers, method: 'POST', body: JSON.stringify(body) };
    const reply = await fetch(`${url}${path}${path.includes('?') ? '&' : '?'}repo=app`, init);
    const text = await reply.text();
    assert.ok(!text.includes('root:x:'), `${path} tells of a file outside`);
    return { status: reply.status, answer: JSON.parse(text) as Answer };
  };
  const { status, answer } = await ask('/decisions?limit=1000');
  assert.equal(status, 200);
  const listed = new Map(answer.decisions.map(one => [one.path, one]));
  const unread = new Map(answer.unread.map(({ path, code }) => [path, code]));
  const seen: unknown[] = [];
  for (const [name] of rows) {
    const path = `docs/adr/${name}`;
    const shown = await ask(`/decisions/${path}`);
    const one = listed.get(path);
    assert.equal(shown.status, one === undefined ? 404 : 200, name);
    assert.equal(shown.answer.id, one?.id, name);
    const problems = unread.get(path) ?? one?.problems.map(({ code }) => code).join();
    seen.push([name, one?.id, problems]);
  }
  assert.deepEqual(
    seen,
    rows.map(([name, , id, problems = '']) => [name, id, problems]),
  );
  assert.equal(unread.get('docs/adr/0043-\ufffd.md'), 'name_not_utf8');
  for (const [q, least] of [
    ['"', 0],
    ['*', 0],
    ['AND', 0],
    ['Good AND "', 0],
    ['Good', 1],
    ["'; DROP TABLE decisions--", 0],
    ['%', 0],
    ['(a+)+$', 0],
  ] as const) {
    const found = await ask(`/decisions?search=${encodeURIComponent(q)}`);
    assert.equal(found.status, 200, q);
    assert.ok(found.answer.decisions.length >= least && found.answer.decisions.length < rows.length, q);
  }
  const { checks } = (await ask('/doctor')).answer;
  assert.equal(checks.find(({ name }) => name === 'repository.decisions')?.status, 'warn');
  const created = await ask('/decisions', { title: 'Next' });
  assert.deepEqual([created.status, created.answer.id], [200, 'ADR-044'], 'after the greatest, whatever bears it');
});

interface Answer {
  readonly id: string;
  readonly decisions: readonly {
    readonly id: string;
    readonly path: string;
    readonly problems: readonly { readonly code: string }[];
  }[];
  readonly unread: readonly { readonly path: string; readonly code: string }[];
  readonly checks: readonly { readonly name: string; readonly status: string }[];
}
