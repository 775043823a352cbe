import type { FactsBuilder } from '../../builder.ts';
import type { Scopes } from '../../scopes.ts';
import type { SyntaxTree } from '../../tree.ts';

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
}

/** What `self` is. */
export interface Self {
  /** Of the class or module, -1 at the top. */
  readonly slot: number;
  readonly isStatic: boolean;
  /** Whoever runs the block may have another object in mind. */
  readonly isInBlock: boolean;
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
export function ofSelf({ facts, self }: Walk, what: 'call' | 'super' | 'variable', name: string): number {
  const tail = self.slot < 0 ? '' : facts.definition(self.slot).tail;
  const verb = what + (self.isStatic ? '-static' : '') + (self.isInBlock && what === 'call' ? '-block' : '');
  return facts.free(tail === '' ? `${verb} ${name}` : `${verb} ${name} ${tail}`);
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
