import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proseBlocks } from '../../../../daemon/extract/prose/blocks.ts';
import type { Markup } from '../../../../daemon/model/about-files.ts';

/** The blocks of a text, a line each: where it begins, what it is, and what it says. */
function shown(source: string, markup: Markup): readonly string[] {
  return proseBlocks(source, markup).map(({ kind, text, line, level }) => {
    const depth = kind === 'heading' || (kind === 'item' && level > 0) ? ` ${level}` : '';
    return `${line}: ${kind}${depth}${text === '' ? '' : ` ${text}`}`;
  });
}

const texts: readonly (readonly [what: string, markup: Markup, source: string, expected: readonly string[]])[] = [
  [
    'a title, badges, a paragraph over two lines',
    'markdown',
    '# `pkg` #\n\n[![ci](https://x/b.svg)](https://x) ![v](v.svg)\n\nReads *files*\nand **writes** them.\n',
    ['0: heading 1 pkg', '2: links', '4: paragraph Reads files and writes them.'],
  ],
  ['underlined titles', 'markdown', 'Title\n=====\nPart\n---\n', ['0: heading 1 Title', '2: heading 2 Part']],
  [
    'links are their words, and links alone are no paragraph',
    'markdown',
    'See [the *guide*](g.md "t"), <https://x.y> and [that][1][^2].\n\n[Docs](d) | [Chat](c)\n\n[1]: https://x\n',
    ['0: paragraph See the guide, https://x.y and that.', '2: links Docs | Chat'],
  ],
  [
    'brackets that are no link stay',
    'markdown',
    'Takes a[0] of [1, 2] in [Range].\n',
    ['0: paragraph Takes a[0] of [1, 2] in Range.'],
  ],
  [
    'escapes, entities, tags, emphasis inside of words, short codes',
    'markdown',
    '\\*a\\* snake_case 2 * 3 <b>bold</b>&amp;&#39;&nope; :rocket: `a_b*c`\n',
    ["0: paragraph *a* snake_case 2 * 3 bold&'&nope; a_b*c"],
  ],
  [
    'front matter, comments, code, tables, rules and admonitions say nothing',
    'markdown',
    '---\ntitle: x\n---\n<!-- a\n\nb -->\n```js\n# no heading\n```\n    code\n\n| a | b |\n|---|---|\n***\n:::note\nhidden\n:::\n> [!WARNING]\n> hidden\nEnd.\n',
    ['6: other', '9: other', '11: other', '14: other', '17: other', '19: paragraph End.'],
  ],
  ['a table without bars at its edges', 'markdown', 'a | b\n--|--\nc | d\n', ['0: other']],
  [
    'quotes stand apart, and of one the first paragraph',
    'markdown',
    '> Says **what**\n> it is.\n>\n> More.\n\n> [x](y)\n',
    ['0: quote Says what it is.', '5: links x'],
  ],
  [
    'lists with what goes on below their items',
    'markdown',
    '- one\n  goes on\n- [ ] two\n  * inner\n1. three\n',
    ['0: item one goes on', '2: item two', '3: item 1 inner', '4: item three'],
  ],
  [
    'HTML: headings are some, pictures none, what is said is set apart',
    'markdown',
    '<div align="center">\n<h1>Big</h1>\n<p>Small <em>words</em></p>\n</div>\n\n<img src="x">\n\n<b>Bold</b> begins it.\n\n<details>\nhidden\n</details>\n',
    ['0: heading 1 Big', '0: html Small words', '7: paragraph Bold begins it.', '9: other'],
  ],
  ['what is never closed ends with the text', 'markdown', 'Words\n```\nb\n', ['0: paragraph Words', '1: other']],
  [
    'a carriage return is no part of a line',
    'markdown',
    '# a\r\n\r\nSome words\r\n',
    ['0: heading 1 a', '2: paragraph Some words'],
  ],
  [
    'titles, roles, links, literals and replacements',
    'restructured',
    '=====\nTitle\n=====\n\n.. |f| replace:: ``fetch``\n.. image:: x.png\n   :alt: y\n\nUses :class:`~a.B` of :mod:`json`, :ref:`words <ref>`, `site <https://x>`_ and |f|_::\n\n   code\n\nPart\n----\n\n* one\n  more\n* two\n',
    [
      '1: heading 1 Title',
      '4: other',
      '5: other',
      '8: paragraph Uses a.B of json, words, site and fetch:',
      '10: other',
      '12: heading 2 Part',
      '15: item one more',
      '17: item two',
    ],
  ],
  ['links alone', 'restructured', '`a <b>`__ `c`_\n', ['0: links a c']],
  [
    'titles, attributes, admonitions, delimited blocks, macros',
    'asciidoc',
    '= Title\n:toc:\nimage:x.svg[b]\n\nNOTE: no\n\nUses link:x[the site] and `code`.\n\n----\ncode\n----\n== Part\n* one\n** inner\n',
    [
      '0: heading 1 Title',
      '2: links',
      '4: other',
      '6: paragraph Uses the site and code.',
      '8: other',
      '11: heading 2 Part',
      '12: item one',
      '13: item 1 inner',
    ],
  ],
  [
    'titles, code by indentation, links, lists',
    'rdoc',
    '= Title -- more\n\nUses +Name+, {the site}[https://x] and \\Rails.\n\n    code here\n\n* one\n  more\n\n  {Learn}[link:x]\n== Part\n',
    [
      '0: heading 1 Title -- more',
      '2: paragraph Uses Name, the site and Rails.',
      '4: other code here',
      '6: item one more',
      '9: other Learn',
      '10: heading 2 Part',
    ],
  ],
  [
    'paragraphs, titles that are underlined or in capitals, lists',
    'plain',
    'Title\n=====\n\nSome words.\n\nUSAGE\n- one\n',
    ['0: heading 1 Title', '3: paragraph Some words.', '5: heading 2 USAGE', '6: item one'],
  ],
  ['nothing', 'markdown', '', []],
];

test('texts for people are taken apart by their markup', () => {
  for (const [what, markup, source, expected] of texts) {
    assert.deepEqual(shown(source, markup), expected, `${markup}: ${what}`);
  }
});

const hostile: readonly string[] = [
  '['.repeat(50_000),
  '![a]('.repeat(10_000),
  '`'.repeat(40_000),
  `${'*_'.repeat(20_000)}x`,
  '<a '.repeat(20_000),
  '> '.repeat(30_000),
  `${'- '.repeat(20_000)}x`,
  ':::\n:::note\n'.repeat(4_000),
  `a\n${'-|'.repeat(20_000)}x`,
  `# ${' #'.repeat(20_000)}x`,
  '&'.repeat(60_000),
  '|a|'.repeat(20_000),
  `.. |a| replace:: |a||a|\n`.repeat(2_000),
  '\u0000\ufffd\ud800\u202e'.repeat(5_000),
  '=\n'.repeat(30_000),
  '{x}['.repeat(15_000),
];

test('whatever a text holds, it is read to its end', () => {
  for (const markup of ['markdown', 'restructured', 'asciidoc', 'rdoc', 'plain'] as const) {
    for (const source of hostile) {
      for (const { line, text } of proseBlocks(source, markup)) assert.ok(line >= 0 && text.length < 70_000);
    }
  }
});
