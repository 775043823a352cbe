import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf } from '../../support/outline.ts';

/** Files, what they export, and what else they define. One rule for all: `DefinitionFact.exported`. */
const cases: readonly (readonly [path: string, source: string, exported: string, others: string])[] = [
  [
    'a.ts',
    `export class Open {
      size = 1; #own = 2; private kept = 3; protected forHeirs = 4;
      run() { function local() {} class Inner { of() {} } return { key: 1 }; }
    }
    class Hidden { run2() {} }
    namespace Room { export const inside = 1; }
    export namespace Hall { export const seat = 1; const stage = 2; }
    declare module 'other' { export function f(): void }`,
    'Open size run key Hall seat other f',
    '#own kept forHeirs local Inner of Hidden run2 Room inside stage',
  ],
  [
    'a.js',
    `function Open() {}
    Open.prototype.run = function () {};
    function Hidden() {}
    Hidden.prototype.run2 = function () {};
    Open.of = () => { function local() {} };
    Hidden.of2 = () => {};
    module.exports = { Open };`,
    'Open run of',
    'Hidden run2 local of2',
  ],
  [
    'a.tsx',
    'export function Page() { function local() {} return <a/>; }\nfunction Part() { return <b/>; }',
    'Page',
    'local Part',
  ],
  [
    'a.py',
    `class Open:
    size = 1
    _own = 2
    def __init__(self): self.made = 1
    def run(self):
        def local(): ...
    @property
    def wide(self):
        class Inner: of = 1
    def _kept(self): ...
class _Hidden:
    def run2(self): ...`,
    'Open size __init__ made run wide',
    '_own local Inner of _kept _Hidden run2',
  ],
  [
    'all.py',
    '__all__ = ["_odd", "Open"]\ndef _odd(): ...\nclass Open:\n    def run(self): ...\nclass Rest:\n    def run2(self): ...',
    '_odd Open run',
    '__all__ Rest run2',
  ],
  [
    'a.go',
    `package a
type Open struct { Size int; own int; Deep struct { Low int } }
func (o Open) Run() { type Local struct { Of int } }
func (o Open) kept() {}
type hidden struct { Size2 int }
func (h *hidden) Run2() {}
func (e Elsewhere) Run3() {}
func (e elsewhere) Run4() {}
type user interface { Use() }`,
    'Open Size Deep Low Run Run3',
    'own Local Of kept hidden Size2 Run2 Run4 user Use',
  ],
  [
    'a.rs',
    `impl Hidden { pub fn run2() {} }
pub struct Open { pub size: u8, own: u8 }
impl Open { pub fn run() { fn local() {} } fn kept() {} pub(crate) fn near() {} }
impl Show for Open { fn show() {} }
struct Hidden;
impl Show for Hidden { fn show2() {} }
impl Elsewhere { pub fn run3() {} }
pub enum Kind { A { x: u8 } }
enum Sort { B }
pub trait Tr { fn must(); }
trait Un { fn must2(); }
mod room { pub fn inside() {} }
pub mod hall { pub fn seat() {} }
#[macro_export]
macro_rules! told { () => {}; }
macro_rules! kept2 { () => {}; }`,
    'Open size run show run3 Kind A x Tr must hall seat told',
    'run2 own local kept near Hidden show2 Sort B Un must2 room inside kept2',
  ],
  [
    'A.java',
    `public class Open {
      public int size; int near; protected int forHeirs; private int own;
      public Runnable run() { class Local { public int of; } return new Runnable() { public void go() {} }; }
      public interface Use { void use(); }
      enum Sort { B }
    }
    class Hidden { public void run2() {} }`,
    'Open size run Use use',
    'near forHeirs own Local of go Sort B Hidden run2',
  ],
  [
    'a.kt',
    `class Open(val size: Int, private val own: Int) {
      fun run() { fun local() {} }
      internal fun near() {}
      protected fun forHeirs() {}
      companion object { val one = 1 }
    }
    private class Hidden { fun run2() {} }
    val made = object : Use { override fun go() {} }`,
    'Open size run Companion one made',
    'own local near forHeirs Hidden run2 go',
  ],
  [
    'a.cs',
    `namespace N {
      public class Open { public int size; int own; protected int forHeirs; internal int near; public void Run() { void Local() {} } }
      class Hidden { public void Run2() {} }
      public interface Use { void Go(); }
    }`,
    'N Open size Run Use Go',
    'own forHeirs near Local Hidden Run2',
  ],
  [
    'a.php',
    `<?php
    class Open { public $size; private $own; protected $forHeirs; function run() { function local() {} } }
    $made = new class { public function go() {} };`,
    'Open size run',
    'own forHeirs local class go',
  ],
  [
    'a.rb',
    `class Open
  attr_reader :size
  def run; end
  protected
  def for_heirs; end
  private
  def own; end
end`,
    'Open size run',
    'for_heirs own',
  ],
  [
    'a.dart',
    `class Open { int size = 1; int _own = 2; void run() { void local() {} } }
class _Hidden { void run2() {} }
extension on int { void twice() {} }
extension Named on int { void thrice() {} }`,
    'Open size run Named thrice',
    '_own local _Hidden run2 extension on int twice',
  ],
  [
    'a.h',
    `struct open { int size; };
static int own(void) { return 1; }
int run(void);
enum { ONE };
#define MAX 1`,
    'open size run ONE MAX',
    'own',
  ],
  [
    'a.c',
    `struct hidden { int size; };
static int own(void) { return 1; }
int run(void) { return 1; }
int open;
enum { ONE };
#define MAX 1`,
    'run open',
    'hidden size own ONE MAX',
  ],
  [
    'a.hpp',
    `namespace n { class Open { public: int size; void run(); protected: int for_heirs; private: int own; };
class Outer { class Hidden { public: int size2; }; }; }
namespace { int kept; }`,
    'n Open size run Outer',
    'for_heirs own Hidden size2 kept',
  ],
  [
    'a.cpp',
    `class Hidden { public: int size; };
void Hidden::run2() {}
void Elsewhere::run() { struct Local { int of; }; }`,
    'run',
    'Hidden size run2 Local of',
  ],
];

for (const [path, source, exported, others] of cases) {
  test(`what ${path} exports`, async () => {
    const { definitions } = await factsOf(path, source);
    const names = (isExported: boolean): string =>
      [...definitions]
        .filter(one => one.exported === isExported)
        .sort(
          (a, b) => a.nameRange.startLine - b.nameRange.startLine || a.nameRange.startColumn - b.nameRange.startColumn,
        )
        .map(one => one.name)
        .join(' ');
    assert.deepEqual({ exported: names(true), others: names(false) }, { exported, others });
  });
}
