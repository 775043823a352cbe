import type { ComplexityTable, Construct } from './table.ts';

/** What a node may be; of one type several at once. */
export const role = { function: 1, construct: 2, boolean: 4, call: 8, type: 16 } as const;

/** A table by the numbers that a grammar gives its node types. */
export interface Plan {
  /** 0: nothing to do with complexity, as most nodes. */
  readonly roles: Uint8Array;
  readonly functions: readonly (ComplexityTable['functions'][string] | undefined)[];
  readonly types: readonly (NonNullable<ComplexityTable['types']>[string] | undefined)[];
  readonly constructs: readonly (Construct | undefined)[];
  readonly operators: readonly (ComplexityTable['booleans']['operators'][string] | undefined)[];
  readonly callees: readonly (ComplexityTable['calls'][string] | undefined)[];
}

/** By table and by the grammar's own list of names. */
const plans = new WeakMap<ComplexityTable, WeakMap<readonly string[], Plan>>();

export function planOf(table: ComplexityTable, typeNames: readonly string[], isNamed: (type: number) => boolean): Plan {
  const byGrammar = plans.get(table) ?? new WeakMap<readonly string[], Plan>();
  plans.set(table, byGrammar);
  const plan = byGrammar.get(typeNames) ?? makePlan(table, typeNames, isNamed);
  byGrammar.set(typeNames, plan);
  return plan;
}

function makePlan(table: ComplexityTable, typeNames: readonly string[], isNamed: (type: number) => boolean): Plan {
  const named = <T>(rows: Readonly<Record<string, T>>): (T | undefined)[] =>
    typeNames.map((name, type) => (isNamed(type) && Object.hasOwn(rows, name) ? rows[name] : undefined));
  const { tokens = {} } = table;
  const types = named(table.types ?? {});
  const functions = named(table.functions);
  const operators = named(table.booleans.operators);
  const callees = named(table.calls);
  const constructs = named(table.constructs).map((construct, type) => {
    const name = typeNames[type]!;
    return !isNamed(type) && Object.hasOwn(tokens, name) ? tokens[name] : construct;
  });
  const roles = Uint8Array.from(typeNames, (_, type) => {
    const has = (rows: readonly unknown[], what: number): number => (rows[type] === undefined ? 0 : what);
    const declared = has(types, role.type) | has(functions, role.function) | has(constructs, role.construct);
    return declared | has(operators, role.boolean) | has(callees, role.call);
  });
  return { roles, functions, types, constructs, operators, callees };
}
