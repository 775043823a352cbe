import type { Condition } from '../../../model/facts.ts';
import { lastDescriptorAt } from '../../../model/identity.ts';
import type { FactsBuilder } from '../../builder.ts';
import type { Slots } from '../../outline.ts';
import type { Scopes } from '../../scopes.ts';
import type { SyntaxTree } from '../../tree.ts';

/** What the parts of one file's walk share. */
export interface Walk {
  readonly tree: SyntaxTree;
  readonly facts: FactsBuilder;
  readonly slots: Slots;
  readonly scopes: Scopes;
  /** Identifiers that bind a local, hence no references. */
  readonly bound: Set<number>;
  /** What reads like parameters and is arguments: see `markGiven`. */
  readonly given: Set<number>;
  /** What expressions evaluate to, by node. */
  readonly values: Map<number, number>;
  /** Names that in this file are those of variables, fields and functions alone. */
  valueNames(): ReadonlySet<string>;
  /** Blocks that a macro in front of them makes functions of, by what it makes these methods of: see `fixtureBefore`. */
  readonly fixtures: Map<number, string>;
  /** Tail of the class or namespace that the walk stands in. */
  context: string;
  /** Under which condition of the preprocessor it stands there. */
  condition: Condition;
}

/** Names that definitions of a file have, none of which is a type. */
export function valuesOf({ definitions }: FactsBuilder): () => ReadonlySet<string> {
  let names: Set<string> | undefined;
  return () => {
    if (names !== undefined) return names;
    const ofTypes = definitions.filter(({ kind }) => notValues.test(kind)).map(({ name }) => name);
    names = new Set(definitions.map(({ name }) => name));
    for (const one of ofTypes) names.delete(one);
    return names;
  };
}

const notValues = /^(?:class|struct|enum|type|constructor|macro|namespace)$/;

/** What a name denotes that no scope inside a function binds: the linker looks for it from the context outwards. */
export function nameValue(walk: Walk, name: string): number {
  const { scopes, facts } = walk;
  const local = scopes.resolve(name);
  if (local !== undefined) return local.expression;
  for (let slot = facts.enclosing; slot >= 0; slot = facts.definition(slot).container) {
    if (!/^(?:function|method|constructor)$/.test(facts.definition(slot).kind)) continue;
    const [inner] = facts.slotsNamed(slot, name);
    if (inner !== undefined) return facts.slot(inner);
  }
  return written(walk, name);
}

/** A name or a path as it is written, `a::b::c`, and where. */
export function written({ facts, context, condition }: Walk, path: string): number {
  return facts.free(`${marks[condition]}${context}|${path}`);
}

/** How a context begins under a condition: what stands under it too is meant there before all else. */
const marks: Readonly<Record<Condition, string>> = { '': '', never: '-', elsewhere: '~' };

/** The class or namespace whose names are seen inside a definition. */
export function contextOf(facts: FactsBuilder, slot: number): string {
  const { kind, tail } = facts.definition(slot);
  return /^(?:class|struct|namespace)$/.test(kind) ? tail : tail.slice(0, lastDescriptorAt(tail));
}

export function isCpp(tree: SyntaxTree): boolean {
  return tree.typeNames.includes('class_specifier');
}
