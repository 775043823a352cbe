import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Files, leadsOn } from './tree-history.ts';

const renamed = (text: string): string => text.replaceAll('WidgetPanel', 'PanelBox');

/** A class that says its own name, and what else is in its file. */
const panels: Readonly<Record<string, readonly [from: string, to: string, text: string]>> = {
  typescript: [
    'widget_panel.ts',
    'panel_box.ts',
    `export class WidgetPanel {
  private n = 0;
  load(k: number): WidgetPanel { for (let i = 0; i < k; i++) { this.n += i; } return new WidgetPanel(); }
}
export interface Conf { a: string; b: number; }
`,
  ],
  javascript: [
    'widget_panel.js',
    'panel_box.js',
    'export class WidgetPanel { load(k) { for (let i = 0; i < k; i++) { this.n += i; } return this.n * k; } }\n',
  ],
  python: [
    'widget_panel.py',
    'panel_box.py',
    `class WidgetPanel:
    def load(self, k):
        for i in range(k):
            self.n = i + k * 2
        return self.n
`,
  ],
  dart: [
    'widget_panel.dart',
    'panel_box.dart',
    'class WidgetPanel { int n = 0; WidgetPanel(this.n); int load(int k) { for (var i = 0; i < k; i++) { n += i; } return n * k; } }\n',
  ],
  rust: [
    'widget_panel.rs',
    'panel_box.rs',
    `pub struct WidgetPanel { n: i32 }
impl WidgetPanel { pub fn load(&mut self, k: i32) -> i32 { for i in 0..k { self.n += i; } self.n * k } }
`,
  ],
  'java, in another package': [
    'a/WidgetPanel.java',
    'b/PanelBox.java',
    `package a;
class WidgetPanel {
  private int n;
  WidgetPanel(int n) { this.n = n; }
  int load(int k) { for (int i = 0; i < k; i++) { n += i; } return n * k; }
}
`,
  ],
};

for (const [language, [from, to, text]] of Object.entries(panels)) {
  test(`a class that was renamed with its file takes all along in ${language}`, async () => {
    const after = renamed(text).replace('package a', 'package b');
    const [before, both, done]: readonly Files[] = [{ [from]: text }, { [from]: text, [to]: after }, { [to]: after }];
    const all = (await leadsOn({}, before!, {}, before!)).length;
    assert.equal(all, 0, 'nothing leads on from what is back');
    const found = await leadsOn(before!, done!);
    assert.ok(found.includes(`${from} WidgetPanel# → ${to} PanelBox#`), found.join('\n'));
    assert.ok(
      found.some(line => /load\(.*load\(/.test(line)),
      found.join('\n'),
    );
    if (text.includes('Conf')) assert.ok(found.includes(`${from} Conf# → ${to} Conf#`), found.join('\n'));
    assert.deepEqual(await leadsOn(before!, both!, done!), found, 'the copy first');
    assert.deepEqual(await leadsOn(before!, {}, done!), found, 'the deletion first');
  });
}

const wobble = `def wobble_it(a, b):
    total = a * b + 42
    for i in range(total):
        print(i, total, a, b)
    return total - a
`;
const shaken = wobble.replace('wobble_it', 'shake');
const rest = 'def rest(): pass\n';

test('a function that was moved and renamed at once is known by its body, in whatever order that is seen', async () => {
  const [before, after] = [
    { 'm.py': rest + wobble, 'n.py': 'x = 1\n' },
    { 'm.py': rest, 'n.py': shaken },
  ];
  const moved = ['m.py wobble_it(). → n.py shake().'];
  assert.deepEqual(await leadsOn(before, after), moved, 'at once');
  assert.deepEqual(await leadsOn(before, { ...before, 'n.py': shaken }, after), moved, 'the copy first');
  assert.deepEqual(await leadsOn(before, { ...before, 'm.py': rest }, after), moved, 'the deletion first');
});

test('under another name in another file nothing is known that another may be, or that says little', async () => {
  const none = async (before: Files, after: Files) => {
    const some = Object.entries(before).filter(([path, text]) => after[path] !== text);
    const withoutOld = { ...before, ...Object.fromEntries(some.map(([path]) => [path, after[path] ?? ''])) };
    assert.deepEqual(await leadsOn(before, after), [], 'at once');
    assert.deepEqual(await leadsOn(before, { ...before, ...after }, after), [], 'the copy first');
    assert.deepEqual(await leadsOn(before, withoutOld, after), [], 'changed files first');
  };
  const before = { 'm.py': rest + wobble, 'n.py': 'x = 1\n' };
  await none(before, { 'm.py': rest, 'n.py': shaken + wobble.replace('wobble_it', 'rattle') });
  await none(before, { 'm.py': rest, 'n.py': shaken.replace('42', '43') });
  const twin = wobble.replace('wobble_it', 'twin');
  await none({ ...before, 'm.py': wobble + twin }, { 'm.py': twin, 'n.py': shaken });
  await none({ ...before, 'n.py': twin }, { 'm.py': rest, 'n.py': twin + shaken });
  const short = 'def one(a, b):\n    return a * b + a - b\n';
  await none({ 'm.py': short, 'n.py': '' }, { 'm.py': '', 'n.py': short.replace('one', 'two') });
  // Another class has what went and came: that is how such classes are written.
  const [from, to, text] = panels.python!;
  const stays = { 'stays.py': text.replace('WidgetPanel', 'Shelf') };
  await none({ ...stays, [from]: text }, { ...stays, [to]: renamed(text) });
});

const go = `package s

type Server struct {
	addr string
}

func (s *Server) Listen(n int) int {
	for i := 0; i < n; i++ {
		s.port += i * n
	}
	return s.port
}

func (s *Server) Name() string { return s.addr }
`;

test('a type that says little is known by most of what its methods say', async () => {
  const tails = ['', 'Listen().', 'Name().', 'addr.'];
  assert.deepEqual(
    await leadsOn({ 's.go': go }, { 's.go': go.replaceAll('Server', 'Host') }),
    tails.map(tail => `s.go Server#${tail} → s.go Host#${tail}`),
  );
  const python = `class Box:
    def twice(self, other):
        if other is None:
            return self.size * 2
        return (self.size + other.size) * 2

    def half(self):
        return self.size / 2
`;
  const edited = python.replace('Box', 'Crate').replace('/ 2', '/ 2 or 1');
  assert.deepEqual(
    await leadsOn({ 'm.py': python }, { 'm.py': edited }),
    ['', 'half().', 'twice().'].map(tail => `m.py Box#${tail} → m.py Crate#${tail}`),
  );
  const inTwo = `${edited}${edited.replace('Crate', 'Case').replace('half', 'part')}`;
  assert.deepEqual(await leadsOn({ 'm.py': python }, { 'm.py': inTwo }), [], 'two that may be it');
  const more = `    def other(self, a, b):\n${'        self.call(a, b, 1)\n'.repeat(8)}`;
  assert.deepEqual(await leadsOn({ 'm.py': python }, { 'm.py': edited + more }), [], 'it is little of another');
});
