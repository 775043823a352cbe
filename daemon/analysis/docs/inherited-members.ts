import { type DefinitionTable, type DocumentedDefinition, type GoneDefinition, merged } from './definition-table.ts';

/** A type as far as it tells what stands in it. */
export type Home = Pick<DocumentedDefinition, 'name' | 'path' | 'containers'>;

/** What a type extends, as far as that is of the repository, and what that extends: the nearest first. */
export type AncestorsOf = (type: DocumentedDefinition) => readonly Home[];

/** The member that a type has from the nearest that it extends and that has it; undefined where that one has several. */
export function inheritedMember(
  type: DocumentedDefinition,
  member: string,
  { named }: DefinitionTable,
  ancestorsOf: AncestorsOf,
): DocumentedDefinition | undefined {
  const all = named(member);
  if (all.length === 0) return undefined;
  for (const home of ancestorsOf(type)) {
    const own = merged(all.filter(one => standsIn(one, home)));
    if (own.length > 0) return own.length === 1 ? own[0] : undefined;
  }
  return undefined;
}

/** The last of a name that a type had from something that it extends, and where that stood. */
export function inheritedOnce(
  type: DocumentedDefinition,
  member: string,
  { named }: { readonly named: (name: string) => readonly GoneDefinition[] },
  ancestorsOf: AncestorsOf,
): { readonly was: GoneDefinition; readonly home: Home } | undefined {
  const all = named(member);
  if (all.length === 0) return undefined;
  for (const home of ancestorsOf(type)) {
    const own = all.filter(one => standsIn(one, home));
    const was = own.reduce<GoneDefinition | undefined>(
      (last, one) => (last === undefined || one.goneAt >= last.goneAt ? one : last),
      undefined,
    );
    if (was !== undefined) return { was, home };
  }
  return undefined;
}

/** Whether something is a member of a type that is called so, in its file. */
export function standsIn({ path, containers }: Home, home: Home): boolean {
  const around = [...home.containers, home.name];
  return path === home.path && containers.length === around.length && containers.every((one, at) => one === around[at]);
}
