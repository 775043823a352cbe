import type { SymbolKind } from '../../../model/symbol.ts';
import type { FactsBuilder } from '../../builder.ts';
import type { Slots } from '../../outline.ts';
import type { Scopes } from '../../scopes.ts';
import type { SyntaxTree } from '../../tree.ts';

/** What the parts of one file's walk share. */
export interface Walk {
  readonly tree: SyntaxTree;
  readonly facts: FactsBuilder;
  readonly slots: Slots;
  /** Parameters and variables. */
  readonly scopes: Scopes;
  /** Type parameters and classes of blocks. */
  readonly types: Scopes;
  /** Single imports by the name that they bind: a static one may bind several functions. */
  readonly imports: Map<string, number[]>;
  /** The classes around the place where the walk stands, the outermost first. */
  readonly classes: ClassAround[];
  /** Values of expressions that were looked at already. */
  readonly values: Map<number, number>;
  /** Emits the references below a node; a lambda's parameters take the values given, as far as they are known. */
  visit(node: number, parameters?: readonly number[]): void;
}

export function visitChildren(walk: Walk, node: number): void {
  for (const child of walk.tree.namedChildren(node)) walk.visit(child);
}

export interface ClassAround {
  /** The class as a type; of a class without a name, what it extends. */
  readonly type: number;
  /** Slot of the class, -1 of one without a name. */
  readonly slot: number;
  /** The class that it says to extend, -1 where it says nothing; of a class without a name, as `type`. */
  readonly extended: number;
  /** Whether it may have more members than its body shows. */
  readonly inherits: boolean;
  own(name: string): readonly number[];
}

type Wanted = 'value' | 'method' | 'type';

const wantedBy: ReadonlyMap<SymbolKind, Wanted> = new Map([
  ['method', 'method'],
  ['field', 'value'],
  ['constant', 'value'],
  ['enum-member', 'value'],
  ['class', 'type'],
  ['interface', 'type'],
  ['enum', 'type'],
]);

/** What the classes around have under a name, from the innermost outwards; -1 where none can have it. `isSure`: one declares it. */
function amongMembers(walk: Walk, name: string, wanted: Wanted): { expression: number; isSure: boolean } {
  const { facts } = walk;
  let expression = -1;
  for (const around of walk.classes.toReversed()) {
    const own = around.own(name).filter(slot => wantedBy.get(facts.definition(slot).kind) === wanted);
    if (own.length > 0) {
      const isAlone = wanted !== 'method' || (own.length === 1 && !around.inherits);
      const found =
        around.slot >= 0 && !isAlone
          ? facts.member(around.type, name)
          : own.map(slot => facts.slot(slot)).reduce((of, slot) => facts.either(of, slot));
      return { expression: facts.otherwise(expression, found), isSure: true };
    }
    if (around.inherits) {
      expression = facts.otherwise(expression, facts.member(facts.instance(around.type), name));
    }
  }
  return { expression, isSure: false };
}

/** Types so common that no class is looked at for one of its own that a base declares. */
const everyday = new Set(
  'Boolean Class Deprecated Exception Integer Long Object Override Runnable String StringBuilder SuppressWarnings System Thread'.split(
    ' ',
  ),
);

/** Whether the file itself declares a variable, a field or a type of a name where the walk stands, or imports one. */
export function declaresValue(walk: Walk, name: string): boolean {
  const { facts, scopes, types, imports } = walk;
  const isBound = scopes.resolve(name) !== undefined || types.resolve(name) !== undefined || imports.has(name);
  return isBound || facts.slotsNamed(-1, name).length > 0 || amongMembers(walk, name, 'value').isSure;
}

/** What a type's name denotes; -1 where nothing can be said. `unbound`: what it is where the file doesn't bind it. */
export function typeNamed(walk: Walk, name: string, unbound?: number): number {
  const { facts } = walk;
  const local = walk.types.resolve(name);
  if (local !== undefined) return local.expression;
  const isType = (slot: number): boolean => wantedBy.get(facts.definition(slot).kind) === 'type';
  for (const around of walk.classes.toReversed()) {
    const [own] = around.own(name).filter(isType);
    if (own !== undefined) return facts.slot(own);
  }
  const [imported] = walk.imports.get(name) ?? [];
  if (imported !== undefined) return facts.imported(imported);
  const [top] = facts.slotsNamed(-1, name).filter(isType);
  if (top !== undefined) return facts.slot(top);
  if (everyday.has(name)) return unbound ?? facts.free(name);
  return facts.otherwise(amongMembers(walk, name, 'type').expression, unbound ?? facts.free(name));
}

/** What a name in an expression denotes: a variable, a field, else a class. */
export function valueNamed(walk: Walk, name: string, unbound?: number): number {
  const local = walk.scopes.resolve(name);
  if (local !== undefined) return local.expression;
  const { expression, isSure } = amongMembers(walk, name, 'value');
  if (isSure) return expression;
  const [imported] = walk.imports.get(name) ?? [];
  const { facts } = walk;
  if (imported !== undefined) return facts.otherwise(expression, facts.imported(imported));
  return facts.otherwise(expression, typeNamed(walk, name, unbound));
}

/** The method that a call without receiver means. */
export function methodNamed(walk: Walk, name: string, passed: readonly number[]): number {
  const { facts } = walk;
  const { expression, isSure } = amongMembers(walk, name, 'method');
  const own = overloaded(walk, expression, passed);
  if (isSure) return own;
  const imported = (walk.imports.get(name) ?? []).map(one => facts.imported(one));
  const others = imported.length > 0 ? imported.reduce((of, one) => facts.either(of, one)) : facts.free(name);
  return facts.otherwise(own, facts.overload(others, passed));
}

/** Each place is asked for one that takes what is passed. */
function overloaded(walk: Walk, expression: number, passed: readonly number[]): number {
  return expression < 0 ? -1 : walk.facts.overload(expression, passed);
}

/** The type of the object that the code stands in; -1 outside of classes. */
export function currentType(walk: Walk): number {
  return walk.classes.at(-1)?.type ?? -1;
}
