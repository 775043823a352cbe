import { type CellTable, tableIn } from './cells.ts';
import type { DefinitionValue, Environment, Value } from './values.ts';

/** What was found out about one definition in one environment. */
export interface DefinitionCells {
  readonly members: CellTable<Value>;
  /** By what is asked of it: its type, what calling it gives, … */
  readonly facets: CellTable<Value>;
}

/** What tells definitions apart; `environment` left out stands for what holds in all of them. */
type Identity = Pick<DefinitionValue, 'scope' | 'tail'> & { readonly environment?: Environment | undefined };

export type CellsOfDefinitions = (of: Identity) => DefinitionCells;

interface Holder extends DefinitionCells {
  inEnvironments: Map<string, DefinitionCells> | undefined;
}

/**
 * Tables of results by definition. Two short texts that are hashed once lead there, where a key put together of them would
 * be made and hashed at each look.
 */
export function definitionCells(): CellsOfDefinitions {
  const byScope = new Map<string, Map<string, Holder>>();
  return ({ scope, tail, environment }) => {
    const byTail = tableIn(byScope, scope);
    let holder = byTail.get(tail);
    if (holder === undefined) {
      holder = { members: new Map(), facets: new Map(), inEnvironments: undefined };
      byTail.set(tail, holder);
    }
    return environment === undefined ? holder : inEnvironment(holder, environment.key);
  };
}

function inEnvironment(holder: Holder, key: string): DefinitionCells {
  holder.inEnvironments ??= new Map();
  const known = holder.inEnvironments.get(key);
  if (known !== undefined) return known;
  const made = { members: new Map(), facets: new Map() };
  holder.inEnvironments.set(key, made);
  return made;
}
