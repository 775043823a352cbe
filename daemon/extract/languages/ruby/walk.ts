import type { FactsBuilder } from '../../builder.ts';
import type { Scopes } from '../../scopes.ts';
import type { SyntaxTree } from '../../tree.ts';
import { ofExamples } from './examples.ts';

/** What the parts of one file's walk share; the changeable ones say where it stands. */
export interface Walk {
  readonly tree: SyntaxTree;
  readonly facts: FactsBuilder;
  /** Slot of the definition that a node makes. */
  readonly byNode: ReadonlyMap<number, number>;
  /** What the nodes that were looked at denote. */
  readonly values: Map<number, number>;
  /** A method, a class and the file each start anew; blocks see what is around them. */
  scopes: Scopes;
  self: Self;
  /** Tails of the classes and modules around, the innermost first: where constants are looked for. */
  nesting: readonly string[];
  /** What the group of examples around is about; -1 where nothing says so. */
  described: number;
  /** What the block of `subject` gives; -1 where there is none. */
  subject: number;
  /** What the method around does with the block that it takes. */
  block: TakenBlock;
}

export interface TakenBlock {
  /** '' where the block has no name. */
  readonly name: string;
  /** Names of all that the method takes: one of them may be a block that another method took. */
  readonly parameters: ReadonlySet<string>;
  /** What is yielded to it first, -1 where nothing says so. */
  yields: number;
  /** What it is run for; -1 where that is who wrote it, or unknown. */
  self: number;
}

export function takenBlock(name: string, parameters: readonly string[]): TakenBlock {
  return { name, parameters: new Set(parameters), yields: -1, self: -1 };
}

/** What `self` is. */
export interface Self {
  /** Of the class or module, -1 at the top and in groups of examples. */
  readonly slot: number;
  readonly isStatic: boolean;
  /** Whoever runs the block may have another object in mind. */
  readonly isInBlock: boolean;
  /** In a group of examples: the module that it stands in, -1 at the top; undefined elsewhere. */
  readonly groupIn?: number | undefined;
  /** The methods that the blocks around are handed to, the innermost last. */
  readonly handedTo?: readonly string[];
}

/** A constant as the code around sees it. */
export function constant({ facts, nesting }: Walk, name: string): number {
  return facts.free(['constant', name, ...nesting].join(' '));
}

/** A constant of Ruby's own library. */
export function library({ facts }: Walk, name: string): number {
  return facts.free(`constant ${name}`);
}

/** What `self` is looked at for: a method, a variable, the method that this one overrides. */
export function ofSelf(walk: Walk, what: 'call' | 'super' | 'variable', name: string): number {
  const { facts, self } = walk;
  const verb = what + (self.isStatic ? '-static' : '') + (self.isInBlock && what === 'call' ? '-block' : '');
  const tail = tailOfSelf(walk);
  const handed = what === 'call' && self.handedTo !== undefined && self.handedTo.length > 0;
  const words = [verb, name, ...(tail === '' ? [] : [tail]), ...(handed ? [`in:${self.handedTo.join('>')}`] : [])];
  return facts.free(words.join(' '));
}

/** Of the class whose methods and variables `self` has; '' where there is none. */
function tailOfSelf({ facts, self }: Walk): string {
  if (self.slot >= 0) return facts.definition(self.slot).tail;
  if (self.groupIn === undefined) return '';
  return (self.groupIn < 0 ? '' : facts.definition(self.groupIn).tail) + ofExamples;
}

export function selfValue({ facts, self }: Walk): number {
  return self.isStatic ? facts.slot(self.slot) : facts.instance(facts.slot(self.slot));
}

/** Runs `body` with another `self` and without the locals that were seen so far. */
export function standing(walk: Walk, place: Pick<Walk, 'scopes' | 'self' | 'nesting'>, body: () => void): void {
  const { scopes, self, nesting } = walk;
  Object.assign(walk, place);
  body();
  Object.assign(walk, { scopes, self, nesting });
}
