import type { LoadedConfig } from '../../config.ts';
import type { RepositorySettings } from '../../extract/repository-settings.ts';
import { defaultBots, type PeopleSettings } from '../../model/people.ts';

/** What the user has configured of people; plain values, so that it crosses to a worker. */
export interface ConfiguredPeople {
  /** Undefined where the user says nothing. */
  readonly bots: readonly string[] | undefined;
  readonly teams: ReadonlyMap<string, readonly string[]>;
  readonly people: ReadonlyMap<string, readonly string[]>;
}

export function configuredPeople({ values, origins }: LoadedConfig): ConfiguredPeople {
  const { history, ownership } = values;
  return {
    bots: origins.get('history.bots') === 'default' ? undefined : history.bots,
    teams: new Map(Object.entries(ownership.teams).map(([team, { members }]) => [team, members])),
    people: new Map(Object.entries(ownership.people).map(([handle, { emails }]) => [handle, emails])),
  };
}

/**
 * What holds of people in a repository. The user's configuration wins over what the repository says of itself: bots as a whole, teams
 * and people one by one.
 */
export function peopleSettings(configured: ConfiguredPeople, repository: RepositorySettings): PeopleSettings {
  return {
    bots: configured.bots ?? repository.bots ?? defaultBots,
    teams: withOverrides(repository.teams, configured.teams),
    people: withOverrides(repository.people, configured.people),
  };
}

type Tables = ReadonlyMap<string, readonly string[]>;

/** Names are the same whatever their case. */
function withOverrides(given: Tables, overrides: Tables): Tables {
  const overridden = new Set([...overrides.keys()].map(name => name.toLowerCase()));
  return new Map([...[...given].filter(([name]) => !overridden.has(name.toLowerCase())), ...overrides]);
}
