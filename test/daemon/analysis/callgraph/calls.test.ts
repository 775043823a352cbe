import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createCalls } from '../../../../daemon/analysis/callgraph/calls.ts';
import { atTop, type CodeGraph, type GraphSite, keyOf } from '../../../../daemon/model/graph.ts';
import { openIndexReader } from '../../../../daemon/store/index-reader.ts';
import { temporaryFolder } from '../../../support/repository.ts';
import { indexedTree } from '../../jobs/indexed-tree.ts';

const fixtures = new URL('../../../../../test/fixtures/languages/', import.meta.url);

/** Besides the fixtures of each language: what is made, what overrides, what is read, in languages that have it all. */
const besides = `
-- made.ts --
export interface Port { send(): void; size: number }
export class Base { constructor() { first() } held = first(); }
export class Wire extends Base implements Port { send() { first() } get size() { return first() } }
export class Last extends Wire { constructor() { super(); } other = first(); send() { super.send() } }
function first() { return 1 }
export function use(port: Port) { port.send(); new Wire(); new Last(); new Base(); return port.size; }
use(new Last());
-- Made.java --
package made;
interface Port { void send(); }
class Base { Base() { this(1); } Base(int n) { first(); } int held = first(); static int first() { return 1; } }
class Wire extends Base implements Port { public void send() { new Port() { public void send() { first(); } }; } }
class Last extends Wire { Last() {} Last(int n) { super(); } int other = first(); }
class Use { void all(Port p) { p.send(); new Last(); new Last(1); new Wire(); new Base(); } }
-- made.kt --
package made
interface Port { val size: Int; fun send() }
open class Base(val n: Int) { val held = first(); init { first() } }
class Wire : Base(1), Port { override val size get() = first(); override fun send() { first() } }
class Last : Base { constructor() : super(2) { first() } }
fun first() = 1
fun use(p: Port) { p.send(); p.size; Wire(); Last(); object : Port { override val size = first(); override fun send() {} } }
-- made.go --
package made
type Port interface { Send() error }
type Base struct{}
func (Base) Send() error { return first() }
type Wire struct{ Base }
func first() error { return nil }
func use(p Port) { p.Send(); Wire{}.Send() }
-- made.py --
class Base:
    def __init__(self): self.held = first()
    @property
    def size(self): return first()
class Other:
    def __init__(self): first()
class Wire(Base, Other): pass
class Last(Wire):
    @property
    def size(self): return first()
def first(): return 1
def use(wire: Wire): Wire(); Last(); return wire.size
`;

test('who calls what is who is called by what, in every language', async t => {
  const folder = temporaryFolder(t, besides);
  for (const name of readdirSync(fixtures)) {
    if (!name.endsWith('.golden')) folder.write(`fixtures/${name}`, readFileSync(new URL(name, fixtures), 'utf8'));
  }
  const indexed = indexedTree(t, folder.root);
  const { seq } = await indexed.crawl();
  const reader = openIndexReader(indexed.repo.indexFile);
  t.after(() => reader.close());
  const graph = reader.graph('main', seq)!;
  const [callees, callers] = [calledIn(graph), callingIn(graph)];
  assert.deepEqual(differing(callees, callers), []);
  assert.deepEqual(differing(callers, callees), []);
  for (const kind of ['call', 'construct', 'dispatch']) {
    const count = [...callees].filter(edge => edge.includes(` -${kind}> `)).length;
    assert.ok(count >= 10, `${count} of ${kind}`);
  }
});

/** Each site of the repository, code at the top of files included. */
function sitesIn(graph: CodeGraph): readonly GraphSite[] {
  return graph
    .documents()
    .flatMap(one => Array.from({ length: one.symbols.length + 1 }, (_, at) => ({ in: one, at: at + atTop })));
}

function differing(one: ReadonlySet<string>, other: ReadonlySet<string>): readonly string[] {
  return [...one].filter(edge => !other.has(edge));
}

/** `caller -kind> callee`, as what is called tells. */
function calledIn(graph: CodeGraph): ReadonlySet<string> {
  const calls = createCalls(graph);
  const found = new Set<string>();
  for (const site of sitesIn(graph)) {
    calls.calleesOf(site, (callee, { kind }) => {
      const [first] = graph.sitesOf(callee);
      if (first !== undefined) found.add(`${named(graph, site)} -${kind}> ${named(graph, first)}`);
    });
  }
  return found;
}

/** The same as who calls tells. */
function callingIn(graph: CodeGraph): ReadonlySet<string> {
  const calls = createCalls(graph);
  const found = new Set<string>();
  for (const symbol of new Set(graph.documents().flatMap(one => [...one.symbols]))) {
    const [first] = graph.sitesOf(symbol);
    calls.callersOf(symbol, (caller, { kind }) => {
      found.add(`${named(graph, caller)} -${kind}> ${named(graph, first!)}`);
    });
  }
  return found;
}

/** By its first site. */
function named(graph: CodeGraph, site: GraphSite): string {
  if (site.at === atTop) return site.in.path;
  const [first = site] = graph.sitesOf(keyOf(site));
  return `${first.in.path}#${graph.declaredAt(first).tail}`;
}
