import type { LoadedConfig } from '../../config.ts';
import type { RepositorySettings } from '../../extract/repository-settings.ts';
import type { PeopleSettings } from '../../model/people.ts';

/**
 * What holds of people in a repository. The user's configuration wins over what the repository says of itself: bots as a whole, teams
 * and people one by one.
 */
export function peopleSettings({ values, origins }: LoadedConfig, repository: RepositorySettings): PeopleSettings {
  const { history, ownership } = values;
  const isConfigured = origins.get('history.bots') !== 'default';
  return {
    bots: isConfigured ? history.bots : (repository.bots ?? history.bots),
    teams: withOverrides(repository.teams, Object.entries(ownership.teams), ({ members }) => members),
    people: withOverrides(repository.people, Object.entries(ownership.people), ({ emails }) => emails),
  };
}

/** Names are the same whatever their case. */
function withOverrides<Table>(
  given: ReadonlyMap<string, readonly string[]>,
  overrides: readonly (readonly [string, Table])[],
  textsOf: (table: Table) => readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const overridden = new Set(overrides.map(([name]) => name.toLowerCase()));
  const kept = [...given].filter(([name]) => !overridden.has(name.toLowerCase()));
  return new Map([...kept, ...overrides.map(([name, table]) => [name, textsOf(table)] as const)]);
}
