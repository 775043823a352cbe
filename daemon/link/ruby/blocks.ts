import type { MountedDocument } from '../../model/document.ts';
import { first, optionsOf, sure } from '../options.ts';
import type { Lookup } from '../resolver.ts';
import { containerOf } from '../surface.ts';
import type { Value } from '../values.ts';
import { constantNamed } from './constants.ts';
import { isOfGroup } from './groups.ts';
import { maker, methodOf, staticMethodOf } from './members.ts';

/** A block as far as it matters whom it is run for. */
interface Block {
  /** Of the class whose `self` wrote it; undefined at the top. */
  readonly tail: string | undefined;
  /** The methods that it and the blocks around it are handed to, the innermost last: `helpers`, `Rack::Builder.new`. */
  readonly runners: readonly string[];
  /** A method of whoever wrote it. */
  own(name: string): Value | undefined;
}

/** What a method does with its block is said behind what it yields: see extraction's `sayOfBlock`. */
const runsFor = 1;

/**
 * A method without receiver in a block that somebody runs for another object: for what the method says that it is handed
 * to (`instance_eval(&block)`), or one further out.
 */
export function calledInBlock(look: Lookup, from: MountedDocument, block: Block, name: string): Value | undefined {
  // What a file includes at its top tells it apart from others that write the same.
  const self = look.once(`self ${from.path} ${block.tail ?? ''} ${block.runners.join('>')}`, () =>
    selfOf(look, from, block),
  );
  return self && sure(methodIn(look, self, name), 0.85);
}

function selfOf(look: Lookup, from: MountedDocument, block: Block): Value | undefined {
  let self: Value | undefined;
  for (const one of block.runners) {
    const runner = one.includes('.')
      ? ofConstant(look, from, block, one)
      : ((self && methodIn(look, self, one)) ?? block.own(one));
    self = runFor(look, runner) ?? self;
  }
  return self;
}

/** `Rack::Builder.new` */
function ofConstant(look: Lookup, from: MountedDocument, { tail = '' }: Block, runner: string): Value | undefined {
  const [path = '', name = ''] = runner.split('.');
  const nesting: string[] = [];
  for (let at = isOfGroup(tail) ? '' : tail; at !== ''; at = containerOf(at)) nesting.push(at);
  const type = constantNamed(look, from, path, nesting, true);
  if (type?.kind !== 'definition') return undefined;
  return name === 'new' ? maker(look, type) : staticMethodOf(look, type, name);
}

function runFor(look: Lookup, runner: Value | undefined): Value | undefined {
  return first(optionsOf(runner), one => {
    if (one.kind !== 'definition') return undefined;
    return first(one.sites, ({ document, slot }) => {
      const { supers, kind } = document.facts.definitions[slot]!;
      const index = /^(?:method|constructor|function)$/.test(kind) ? supers[runsFor] : undefined;
      return index === undefined ? undefined : look.evaluate(document, index);
    });
  });
}

/** Blocks that are handed to a class mean it, or one of its objects in the end. */
function methodIn(look: Lookup, self: Value, name: string): Value | undefined {
  return first(optionsOf(self), one => {
    if (one.kind === 'definition') return staticMethodOf(look, one, name) ?? sure(methodOf(look, one, name), 0.7);
    const type = one.kind === 'instance' ? one.of : undefined;
    return type?.kind === 'definition' ? methodOf(look, type, name) : undefined;
  });
}
