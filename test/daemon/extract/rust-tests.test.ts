import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../support/outline.ts';

/** A line that ends in `// T` is test code, in `// R` of such that is run. */
const cases: readonly (readonly [what: string, source: string])[] = [
  [
    'what is compiled for tests alone, and functions that are run',
    `
#![allow(dead_code)]
use a::b;
#[cfg(test)] // T
use c::d; // T
#[cfg(all(unix, test))] // T
// About it. // T
#[allow(unused)] // T
impl S { fn help() {} } // T
#[cfg(any(test, feature = "x"))]
mod either {}
#[cfg(not(test))]
mod code {
    #[test] // R
    fn alone() { // R
    } // R
    #[tokio::test(flavor = "multi_thread")] // R
    async fn waits() {} // R
    #[bench] // T
    fn fast() {} // T
    #[inline]
    fn code() {}
}
/// Tests.
#[cfg(test)] // R
mod tests { // R
    use super::*; // R
    #[test] // R
    fn t() {} // R
} // R
fn last() {}`,
  ],
  [
    'a module that says it inside, and macros that make tests',
    `
mod inner { // T
    #![cfg(test)] // T
    fn f() {} // T
} // T
#[cfg(test)] // R
mod made { // R
    macro_rules! each { ($name:ident) => { #[test] fn $name() {} } } // R
    each!(one); // R
} // R
struct S { a: u8 }`,
  ],
  ['a file that says it of all', '#![cfg(test)] // T\nfn f() {} // T'],
];

test('lines of test code in Rust', async () => {
  for (const [what, source] of cases) {
    const { tests } = await factsOf('src/a.rs', source);
    const marks = source.split('\n').map((_, line) => {
      const around = tests.find(one => one.startLine <= line && line <= one.endLine);
      return around === undefined ? '' : around.isRun ? 'R' : 'T';
    });
    assert.deepEqual(
      marks,
      source.split('\n').map(line => / \/\/ ([TR])$/.exec(line)?.[1] ?? ''),
      what,
    );
  }
});
