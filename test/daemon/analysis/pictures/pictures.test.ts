import assert from 'node:assert/strict';
import { test } from 'node:test';
import { condense, mostNodes } from '../../../../daemon/analysis/pictures/condense.ts';
import { dotOf } from '../../../../daemon/analysis/pictures/dot.ts';
import { mermaidOf } from '../../../../daemon/analysis/pictures/mermaid.ts';
import type { Picture, PictureNode } from '../../../../daemon/analysis/pictures/picture.ts';
import { svgOf } from '../../../../daemon/analysis/pictures/svg.ts';
import { columnsOf, shortened } from '../../../../daemon/analysis/pictures/text.ts';

/** Edges such as `core>util 3`, `?` behind those of tests, `@` behind those of cycles; nodes are what they name, and `alone`. */
function picture(text: string, alone: readonly string[] = []): Picture {
  const told = text
    .split(', ')
    .filter(one => one !== '')
    .map(one => /^(.*)>(.*?)(?: (\d+))?([?@])?$/.exec(one)!);
  const names = [...new Set([...told.flatMap(([, from = '', to = '']) => [from, to]), ...alone])].sort();
  const edges = told.map(([, from = '', to = '', strength = '1', mark]) => ({
    from: names.indexOf(from),
    to: names.indexOf(to),
    strength: Number(strength),
    isFaint: mark === '?',
    inCycle: mark === '@',
  }));
  const nodes = names.map(
    (name): PictureNode =>
      /^(?:npm|go):/.test(name)
        ? { label: name, place: name.split(/(?<=^\w+:)/), fileCount: 0, loc: 0, kind: 'package' }
        : { label: name, place: name.split('/'), fileCount: 2, loc: 1000, kind: 'inside' },
  );
  return { title: 'app: modules', noun: { one: 'module', many: 'modules' }, nodes, edges };
}

const shown = (drawing: ReturnType<typeof condense>): readonly string[] =>
  drawing.edges.map(({ from, to }) => `${drawing.nodes[from]!.label}>${drawing.nodes[to]!.label}`);

test('a picture that can be looked at is drawn whole', () => {
  const drawing = condense(picture('a>b 4@, b>a@, b>c?, a>c', ['d']), 10);
  assert.deepEqual(shown(drawing), ['a>b', 'a>c', 'b>a', 'b>c']);
  assert.deepEqual(
    drawing.edges.map(({ isBack, closesCycle, isFaint }) => [isBack, closesCycle, isFaint]),
    [
      [false, false, false],
      [false, false, false],
      [true, true, false],
      [false, false, true],
    ],
  );
  assert.equal(drawing.caption, '4 modules, 4 dependencies');
  assert.equal(drawing.nodes[0]!.detail, '2 files · 1,000 lines');
});

test('what leads backwards closes a cycle where there is one, and what tests need had rather lead so', () => {
  const drawing = condense(picture('app>lib 2, lib>app 90?, lib>core@, core>lib@'), 10);
  const back = drawing.edges.filter(({ isBack }) => isBack);
  assert.deepEqual(back.map(({ isFaint }) => isFaint).sort(), [false, true]);
  assert.ok(back.every(({ isFaint, closesCycle }) => closesCycle === !isFaint));
  const svg = svgOf(drawing);
  assert.equal(svg.match(/class="edge closing"/g)?.length, 2, 'an arrow and its line in the legend');
  assert.match(svg, /<title>\w+ → \w+, 1 import, closes a cycle<\/title>/);
  const without = condense(picture('app>lib 2, lib>app 90?'), 10);
  for (const draw of [svgOf, dotOf, mermaidOf])
    assert.ok(!/closes a cycle|color="#cf3b34"|linkStyle/.test(draw(without)));
});

/** What of `a>b 5, a>c 9, b>c 3, c>d 2, a>d 1` is drawn where so many may be. */
const fewer: readonly (readonly [most: number, edges: readonly string[], caption: string])[] = [
  [5, ['a>b', 'a>c', 'a>d', 'b>c', 'c>d'], '4 modules, 5 dependencies'],
  [
    4,
    ['a>b', 'a>c', 'b>c', 'c>d'],
    '4 modules, 5 dependencies. 1 of these is not drawn, implied by ways of drawn ones',
  ],
  [
    3,
    ['a>b', 'a>c', 'c>d'],
    '4 modules, 5 dependencies. 2 of these are not drawn: 1 implied by ways of drawn ones, 1 weak',
  ],
];

test('of too many arrows those that drawn ones imply go first, then the weakest, and the caption counts them', () => {
  const whole = picture('a>b 5, a>c 9, b>c 3, c>d 2, a>d 1');
  for (const [most, edges, caption] of fewer) {
    const drawing = condense(whole, most);
    assert.deepEqual(shown(drawing), edges, String(most));
    assert.equal(drawing.caption, caption);
  }
  // What types and tests alone need is no way to what is more.
  assert.ok(shown(condense(picture('a>b 9?, b>c 9?, a>c 5, d>c 7, d>e 6, a>e 1'), 5)).includes('a>c'));
});

test('of too many nodes those of one directory become one, whose name it has', () => {
  const wide = Array.from({ length: 400 }, (_, at) => `src/p${at % 20}/n${at}>src/p${(at + 1) % 20}/m${at}`).join(', ');
  const collapsed = condense(picture(wide), 500);
  assert.ok(collapsed.nodes.length <= mostNodes);
  const directory = collapsed.nodes.find(({ label }) => label === 'src/p3/')!;
  assert.deepEqual([directory.stands, directory.detail], [40, '40 modules · 80 files · 40,000 lines']);
  const flat = condense(
    picture(
      '',
      Array.from({ length: 500 }, (_, at) => `dir${at}/x`),
    ),
    500,
  );
  assert.equal(flat.nodes.length, mostNodes);
  assert.deepEqual(
    flat.nodes.filter(({ stands }) => stands > 1).map(({ label, stands }) => [label, stands]),
    [['the rest', 421]],
  );
  assert.equal(flat.caption, '500 modules, 0 dependencies. 421 modules are put together in 1 box');
});

test('a cycle within a box has a sign there, and one through several closes where it does', () => {
  const files = Array.from({ length: 400 }, (_, at) => `src/p${at % 20}/n${at}`);
  const drawing = condense(
    picture(
      'src/p7/n7>src/p7/n27@, src/p7/n27>src/p7/n7@, src/p8/n8>src/p9/n9@, src/p9/n9>src/p9/n29@, src/p9/n29>src/p8/n28@, src/p9/n29>src/p6/n6',
      files,
    ),
    200,
  );
  assert.deepEqual(
    drawing.nodes.filter(({ hasCycle }) => hasCycle).map(({ label }) => label),
    ['src/p7/ ⟳'],
  );
  assert.equal(drawing.edges.filter(({ closesCycle }) => closesCycle).length, 1);
  assert.match(svgOf(drawing), />⟳<\/text><text class="key"[^>]*>a cycle inside</);
});

test('packages of others are counted apart, and put together apart', () => {
  const needs = Array.from({ length: 90 }, (_, at) => `src/m${at % 30}>npm:p${at}, src/m${at % 30}>go:q${at % 2}`);
  const drawing = condense(picture(needs.join(', ')), 120);
  assert.match(
    drawing.caption,
    /^30 modules, 92 packages of others, 180 dependencies\. 43 packages of others are put together in 1 box\./,
  );
  assert.deepEqual(
    drawing.nodes.filter(({ stands }) => stands > 1).map(({ label, detail, kind }) => [label, detail, kind]),
    [['other npm packages', '43 packages', 'package']],
  );
  const legend = svgOf(drawing).replace(/[\s\S]*<g transform="translate\(28 /, '');
  assert.ok(!/npm:|go:/.test(legend));
});

test('the legend has the colours that boxes have, and no others', () => {
  const whole = picture('src/a>src/b, test/a>src/a, test/b>src/b, lib/a>lib/b');
  const nodes = whole.nodes.map(one => (one.place[0] === 'test' ? { ...one, kind: 'test' as const } : one));
  const legend = svgOf(condense({ ...whole, nodes }, 120))
    .split('\n')
    .filter(line => line.includes('class="key"'));
  assert.deepEqual(
    legend.map(line => /class="key"[^>]*>([^<]*)/.exec(line)![1]),
    ['lib/', 'src/', 'tests'],
  );
});

test('the words of a drawing are the same however often it is drawn', () => {
  const whole = picture(
    'web/app>lib/core 12, lib/core>lib/util 3@, lib/util>lib/core@, web/app>lib/util?, web/x>lib/core',
  );
  const drawing = condense(whole, 100);
  assert.deepEqual(drawing.groups, ['lib', 'web']);
  for (const draw of [svgOf, dotOf, mermaidOf]) assert.equal(draw(drawing), draw(condense(whole, 100)));
  assert.equal(
    mermaidOf(drawing),
    `flowchart LR
  accTitle: app: modules
  accDescr: 4 modules, 5 dependencies
  %% app: modules: 4 modules, 5 dependencies
  subgraph g0["lib/"]
    n0["lib/core<br/>2 files · 1,000 lines"]
    n1["lib/util<br/>2 files · 1,000 lines"]
  end
  subgraph g1["web/"]
    n2["web/app<br/>2 files · 1,000 lines"]
    n3["web/x<br/>2 files · 1,000 lines"]
  end
  n0 --> n1
  n1 --> n0
  n2 --> n0
  n2 -.-> n1
  n3 --> n0
  classDef outside stroke-dasharray: 5 3
  classDef test stroke-dasharray: 2 2
  linkStyle 1 stroke:#cf3b34
`,
  );
  assert.match(
    dotOf(drawing),
    /^digraph architecture \{\n[\s\S]* n2 -> n1 \[penwidth=1\.00, tooltip="1 import", style=dashed\];\n/,
  );
});

/** Names that mean something in the language of a picture, or nothing in any. */
const hostile = [
  '"];} evil [label="',
  '</text><script>alert(1)</script>',
  '&amp;<![CDATA[x]]>',
  '--> <!-- ',
  'a\\"b\\',
  '\u001b[31mred\u0000\u0007',
  'line\nbreak\r\n\u2028',
  '\u202egnp.exe',
  '\ud800 half',
  '"];end;click n0 "javascript:alert(1)"',
  'subgraph',
  '%%{init: {"x": 1}}%%',
  '`**bold**`',
  '#quot;',
  'x'.repeat(4096),
  '名前/ファイル',
  '__proto__',
  '',
];

test('labels that are cut tell boxes apart', () => {
  const [front, back] = ['a/long/way/to/the/place', 'that/every/one/of/them/has/at/its/end/too'];
  const svg = svgOf(condense(picture('', [`${front}/one/${back}`, `${front}/two/${back}`, 'short']), 100));
  const labels = [...svg.matchAll(/<text class="name"[^>]*>([^<]*)</g)].map(([, text]) => text);
  assert.equal(new Set(labels).size, 3);
});

test('no name can end its place in a picture', () => {
  const named = condense({ ...picture('', hostile), title: '</title>"&\u0000' }, 100);
  const svg = svgOf(named);
  assert.deepEqual(unbalanced(svg), []);
  assert.ok(!/<script|<!--|<!\[CDATA/i.test(svg));
  for (const text of [svg, dotOf(named), mermaidOf(named)])
    assert.ok(!/[\u0000-\u0009\u000b-\u001f\ud800-\udfff\u202e]/u.test(text));
  const dot = dotOf(named).replace(/"(?:[^"\\\n]|\\.)*"/g, '""');
  assert.ok(!/evil|alert|script/.test(dot) && !dot.includes('""""'));
  for (const line of mermaidOf(named)
    .split('\n')
    .filter(one => /^\s*n\d+\[/.test(one))) {
    assert.match(line, /^\s*n\d+\["[^"\n;`%<>\\]*(?:#\d+;[^"\n;`%<>\\]*)*<br\/>[^"<>]*"\]$/);
  }
});

test('every arrow of a picture begins and ends at its boxes, and no two boxes touch', () => {
  const names = 'abcdefghijkl';
  const edges = [...names].flatMap((from, at) =>
    [...names].filter((_, to) => (at * 7 + to * 5) % 11 === 0).map(to => `${from}>${to}`),
  );
  const svg = svgOf(condense(picture(edges.filter(edge => edge[0] !== edge[2]).join(', ')), 500));
  const boxes = [
    ...svg.matchAll(
      /<g class="node[^>]*><title>(.)[^<]*<\/title><rect x="([\d.-]+)" y="([\d.-]+)" width="(\d+)" height="(\d+)"/g,
    ),
  ];
  assert.equal(
    boxes.length,
    new Set(edges.filter(edge => edge[0] !== edge[2]).flatMap(edge => [edge[0], edge[2]])).size,
  );
  const placed = boxes.map(([, name, ...numbers]) => {
    const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number);
    return { name, left: x, top: y, right: x + width, bottom: y + height };
  });
  for (const one of placed) {
    for (const other of placed) {
      if (one === other) continue;
      const apart =
        one.right < other.left || other.right < one.left || one.bottom < other.top || other.bottom < one.top;
      assert.ok(apart, `${one.name} ${other.name}`);
    }
  }
  const arrows = [
    ...svg.matchAll(/<title>(.) → (.), [^<]*<\/title><path d="M([\d.-]+) ([\d.-]+)[^"]*?([\d.-]+) ?([\d.-]+)?"/g),
  ];
  assert.ok(arrows.length > 10);
  for (const [, from, , x, y] of arrows) {
    const box = placed.find(({ name }) => name === from)!;
    const [atX, atY] = [Number(x), Number(y)];
    const within = atX >= box.left - 0.1 && atX <= box.right + 0.1 && atY >= box.top - 0.1 && atY <= box.bottom + 0.1;
    assert.ok(within, `${from} begins at ${x} ${y}`);
  }
});

test('a name that is too long keeps its beginning and end', () => {
  const cases: readonly (readonly [string, number, string])[] = [
    ['short', 10, 'short'],
    ['modules/caddyhttp/reverseproxy', 16, 'module…erseproxy'],
    ['ab', 2, 'ab'],
    ['漢字漢字漢字', 7, '漢…漢字'],
  ];
  for (const [text, most, expected] of cases) {
    assert.equal(shortened(text, most), expected, text);
    assert.ok(columnsOf(shortened(text, most)) <= most, text);
  }
});

/** Tags of markup that are not closed where they should be. */
function unbalanced(markup: string): readonly string[] {
  const open: string[] = [];
  const stray: string[] = [];
  for (const [, closing, name = '', , selfClosing] of markup.matchAll(
    /<(\/?)([a-zA-Z]+)((?:"[^"]*"|[^">])*?)(\/?)>/g,
  )) {
    if (closing === '/') {
      if (open.pop() !== name) stray.push(name);
    } else if (selfClosing !== '/') open.push(name);
  }
  return [...stray, ...open];
}
