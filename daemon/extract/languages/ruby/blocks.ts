import { makesFor } from './around.ts';
import { makesGroup } from './examples.ts';
import { callee, pathOf, valueAt } from './values.ts';
import { type Self, selfValue, type Walk } from './walk.ts';

/** A method takes one thing, its block: what that is handed first, and what it is run for. */
export function sayOfBlock({ facts, block }: Walk, slot: number): void {
  if (block.yields < 0 && block.self < 0) return;
  facts.addSuper(slot, block.yields < 0 ? facts.unknown() : block.yields);
  facts.addSuper(slot, block.self);
}

/** Blocks that are run with the class in question as `self`. */
const opensClass = /^(?:class_eval|module_eval|class_exec|module_exec|instance_eval|instance_exec)$/;

/** A block that is not run where it stands has the group of examples that it makes as `self`, or whatever it is handed to. */
export function selfOfBlock(walk: Walk, call: number, name: string): Self {
  const { tree, facts, self } = walk;
  const isAtTop = self.slot < 0;
  const isOpen = self.groupIn === undefined && facts.enclosing === self.slot;
  const isModule = !isAtTop && facts.definition(self.slot).kind === 'module';
  if (isOpen && (isAtTop || isModule) && makesGroup(tree, call, isAtTop)) {
    return { slot: -1, isStatic: false, isInBlock: true, groupIn: self.slot };
  }
  if (name === 'define_method' && !isOfOther(walk, call)) return selfOfMade(walk, call);
  const isPlainBlock = isPlain(walk, call, name);
  const isStatic = self.isStatic && (isPlainBlock || staysInClass.test(name) || !isInClassBody(walk));
  const handedTo = [...(self.handedTo ?? []), ...runnerOf(walk, call, name)].slice(-maxHanded);
  return { ...self, isStatic, isInBlock: self.isInBlock || !isPlainBlock, handedTo };
}

/** What `define_method` makes is called on an object, whoever calls that. */
function selfOfMade({ tree, self }: Walk, call: number): Self {
  const owner = makesFor(tree, call);
  if (owner === 'unknown') return { slot: -1, isStatic: false, isInBlock: true };
  return { ...self, isStatic: owner === 'class' && self.slot >= 0 };
}

/** Whether a call is of something else than `self`. */
function isOfOther({ tree }: Walk, call: number): boolean {
  const receiver = tree.child(call, 'receiver');
  return receiver >= 0 && tree.kind(receiver) !== 'self';
}

/** Of more methods around a block that may run it for somebody else the innermost are looked at. */
const maxHanded = 4;
/** Who runs a block for an example, or for the object that wrote it. */
const keepsSelf =
  /^(?:it|its|specify|example|test|should|scenario|[xf]?(?:describe|context)|before|after|around|let!?|subject|setup|teardown|loop|lambda|proc|catch|format|puts|raise|define_method)$/;

/** The method that may run a block for somebody else, as far as its name leads to it: `helpers`, `Builder.new`. */
function runnerOf(walk: Walk, call: number, name: string): readonly string[] {
  if (name === '' || keepsSelf.test(name)) return [];
  if (!isOfOther(walk, call)) return [name];
  const path = pathOf(walk, walk.tree.child(call, 'receiver')).replace(/^::/, '');
  return path === '' ? [] : [`${path}.${name}`];
}

/** `describe Cart do` says what its examples call `described_class`. */
export function describedBy(walk: Walk, call: number, name: string): number {
  if (!/^[xf]?(?:describe|context|feature)$/.test(name)) return walk.described;
  const [about = -1] = walk.tree.namedChildren(walk.tree.child(call, 'arguments'));
  return about >= 0 && pathOf(walk, about) !== '' ? valueAt(walk, about) : walk.described;
}

/** What a class body hands a block to runs it for an object, but for these. */
const staysInClass = /^(?:included|prepended|class_methods|configure|namespace|class_eval|module_eval)$/;

function isInClassBody({ facts, self }: Walk): boolean {
  return facts.enclosing === self.slot;
}

/** Whether a block runs with the `self` around it, as those of Ruby's own iterators and of methods of objects do. */
function isPlain({ tree }: Walk, call: number, name: string): boolean {
  if (opensClass.test(name)) return false;
  return tree.child(call, 'receiver') >= 0
    ? name !== 'new'
    : /^(?:loop|lambda|proc|catch|format|puts|raise)$/.test(name);
}

/** What a method hands to its block, of which the first is known. */
export function noteYield(walk: Walk, node: number): void {
  const { tree, block } = walk;
  const [first = -1] = tree.namedChildren(tree.childOfKind(node, 'argument_list'));
  if (block.yields < 0) block.yields = valueAt(walk, first);
}

/** `block.call(x)` yields, `x.instance_eval(&block)` runs the block for x, and `other(&block)` for whom the other method does. */
export function noteHanding(walk: Walk, node: number, name: string): void {
  const { tree, block } = walk;
  const receiver = tree.child(node, 'receiver');
  const given = tree.namedChildren(tree.child(node, 'arguments'));
  if (name === 'call' && block.name !== '' && tree.text(receiver) === block.name && block.yields < 0)
    block.yields = valueAt(walk, given[0] ?? -1);
  if (block.self >= 0) return;
  const handed = given.some(
    one => tree.kind(one) === 'block_argument' && block.parameters.has(tree.text(one).slice(1)),
  );
  if (handed) block.self = runFor(walk, node, name);
  else if (block.name !== '' && given.some(one => tree.text(one) === block.name))
    block.self = walk.facts.parameter(callee(walk, node), 1);
}

/** Whom a call runs the block for that it is given. */
function runFor(walk: Walk, call: number, name: string): number {
  const { tree, facts, self } = walk;
  const receiver = tree.child(call, 'receiver');
  if (opensClass.test(name)) return receiver < 0 ? selfValue(walk) : valueAt(walk, receiver);
  if (name === 'define_method') return receiver < 0 && self.slot >= 0 ? facts.instance(facts.slot(self.slot)) : -1;
  if (name === 'new' && tree.text(receiver) === 'Class')
    return valueAt(walk, tree.namedChildren(tree.child(call, 'arguments'))[0] ?? -1);
  return facts.parameter(callee(walk, call), 1);
}
