import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastLine, telling } from '../../../daemon/backends/last-line.ts';

test('the line that tells why a program failed is shown, whatever its runtime prints below', () => {
  for (const [printed, shown] of [
    ['', ''],
    ['\n \n', ''],
    ['reading\nboom \u001b[31mred\u001b[0m\u0007\r\n\n', 'boom red'],
    ['panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\t/go/main.go:4 +0x18\nexit status 2\n', 'panic: boom'],
    [
      "thread 'main' panicked at src/main.rs:2:5:\nno manifest\nnote: run with `RUST_BACKTRACE=1`",
      /:2:5: no manifest$/,
    ],
    [
      'a.js:3\nthrow new Error("boom")\n^\n\nTypeError: boom\n    at main (a.js:3:7)\n\nNode.js v22.1.0\n',
      'TypeError: boom',
    ],
    ['Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nKeyError: 1\n', 'KeyError: 1'],
    ['Exception in thread "main" java.lang.IllegalStateException: boom\n\tat A.main(A.java:3)\n', /Exception: boom$/],
    ['go: /copy/tree/go.mod:3: unknown directive\n', 'go: go.mod:3: unknown directive'],
    ['  indented alone\n', 'indented alone'],
  ] as const) {
    const said = telling(printed, '/copy/tree');
    if (typeof shown === 'string') assert.equal(said, shown, printed);
    else assert.match(said, shown, printed);
  }
});

test('what is shown is short, whole text, and tells no password of a proxy', () => {
  for (const shown of [lastLine, (text: string) => telling(text, '/copy')]) {
    assert.equal(shown('fetch of https://me:secret@proxy:80/x'), 'fetch of https://…@proxy:80/x');
    const long = shown(`${'x'.repeat(198)}😀${'y'.repeat(5000)}`);
    assert.equal(long, `${'x'.repeat(198)}…`);
  }
});
