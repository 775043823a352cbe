import { identityOf } from './environments.ts';
import type { Resolver } from './resolver.ts';
import { resolverFor } from './resolvers.ts';
import { roleOf } from './roles.ts';
import type { Value } from './values.ts';

/** How a language finds members by itself; `key` tells what it is asked of from all else. */
export interface OwnRules {
  readonly key: string;
  readonly member: NonNullable<Resolver['member']>;
}

/** The rules of its language for a type or a value of a type; undefined where it leaves them to the evaluator. */
export function ownRules(of: Value): OwnRules | undefined {
  const type = of.kind === 'instance' ? of.of : of;
  if (type.kind !== 'definition') return undefined;
  const { member } = resolverFor(type.sites[0]!.document.facts.language);
  const role = roleOf(type);
  if (member === undefined || (role !== 'type' && role !== 'place')) return undefined;
  return { key: `${of.kind === 'instance' ? ':' : ''}${identityOf(type)}`, member };
}
