import { pathOf, valueAt } from './values.ts';
import type { Walk } from './walk.ts';

const mixins: Readonly<Record<string, number>> = { include: 1, extend: 2, prepend: 3 };

export function isMixin(name: string): boolean {
  return Object.hasOwn(mixins, name);
}

/** `include A, B` and its like: whether it was one. Outside of all classes it is said of every object. */
export function visitMixin(walk: Walk, name: string, list: readonly number[]): boolean {
  const { facts, self } = walk;
  if (!isMixin(name)) return false;
  if (self.slot >= 0 && self.isStatic) {
    const times = name === 'include' && facts.enclosing !== self.slot ? 2 : mixins[name]!;
    for (const one of list) mixIn(walk, one, times);
    return true;
  }
  const isAtTop = self.slot < 0 && self.groupIn === undefined && !self.isInBlock && facts.enclosing < 0;
  if (name === 'include' && isAtTop) for (const one of list) facts.addExport('includes', valueAt(walk, one));
  return false;
}

/** What a module has, it has itself, too. */
export function extendItself(walk: Walk): void {
  const { facts, self } = walk;
  if (self.slot >= 0) facts.addSuper(self.slot, wrapped(walk, facts.slot(self.slot), 2));
}

/** What stands behind a class's base types is wrapped: once what it includes, twice what it extends, thrice what it prepends. */
function mixIn(walk: Walk, node: number, times: number): void {
  const { tree, facts, self } = walk;
  const value = tree.kind(node) === 'self' ? facts.slot(self.slot) : valueAt(walk, node);
  facts.addSuper(self.slot, wrapped(walk, value < 0 ? facts.unknown() : baseOf(walk, node, value), times));
}

function wrapped({ facts }: Walk, value: number, times: number): number {
  return times === 0 ? value : facts.functionOf(wrapped({ facts } as Walk, value, times - 1));
}

/** What a class is built from is looked for around it, not in what it is built from. */
export function baseOf(walk: Walk, node: number, value: number): number {
  const path = pathOf(walk, node);
  return path === '' || path.startsWith('::') ? value : walk.facts.free(['base', path, ...walk.nesting].join(' '));
}
