import type { RepositorySettings } from '../../extract/repository-settings.ts';
import type { Person } from '../../model/history.ts';
import { type Mailmap, type People, type PeopleSettings, people } from '../../model/people.ts';
import type { CodeownersFile } from '../ownership/codeowners-file.ts';
import type { OwnershipFiles } from '../ownership/ownership-files.ts';
import { type ConfiguredPeople, peopleSettings } from '../ownership/people-settings.ts';

/** Who is who in a work tree's history, as its files and the configuration say now. */
export interface HistoryPeople {
  readonly people: People;
  readonly codeowners: CodeownersFile;
  /** The person that a commit's author is, by number; undefined of a bot. */
  personOf(author: number): number | undefined;
  identityOf(person: number): string;
}

export interface PeopleOfTrees {
  /** `authors`: by their numbers, before `.mailmap`. The same value for as long as nothing says otherwise. */
  of(top: string, authors: readonly Person[], configured: ConfiguredPeople): HistoryPeople;
}

interface Kept {
  readonly mailmap: Mailmap;
  readonly codeowners: CodeownersFile;
  readonly settings: RepositorySettings;
  readonly configured: string;
  readonly told: HistoryPeople;
}

const treesKept = 8;

export function peopleOfTrees(files: OwnershipFiles): PeopleOfTrees {
  const kept = new Map<string, Kept>();
  return {
    of(top, authors, configured) {
      const { mailmap } = files.mailmaps.of(top);
      const codeowners = files.codeowners.of(top);
      const settings = files.settings.of(top);
      const print = JSON.stringify([configured.bots, [...configured.teams], [...configured.people]]);
      const known = kept.get(top);
      const isSame =
        known?.configured === print &&
        known.mailmap === mailmap &&
        known.settings === settings &&
        known.codeowners.content === codeowners.content &&
        known.codeowners.path === codeowners.path;
      kept.delete(top);
      const told = isSame ? known.told : peopleIn(authors, peopleSettings(configured, settings), mailmap, codeowners);
      kept.set(top, { mailmap, codeowners, settings, configured: print, told });
      if (kept.size > treesKept) for (const oldest of [...kept.keys()].slice(0, 1)) kept.delete(oldest);
      return told;
    },
  };
}

/** `authors` grows while it is used. */
function peopleIn(
  authors: readonly Person[],
  settings: PeopleSettings,
  mailmap: Mailmap,
  codeowners: CodeownersFile,
): HistoryPeople {
  const named = people({
    settings,
    mailmap,
    owners: (codeowners.content?.rules ?? []).flatMap(rule => rule.owners),
  });
  const numbers = new Map<string, number>();
  const identities: string[] = [];
  /** By author. */
  const persons: (number | undefined)[] = [];
  const numberOf = (author: number): number | undefined => {
    const identity = named.authorOf(authors[author]!)?.identity;
    if (identity === undefined) return undefined;
    const number = numbers.get(identity) ?? identities.push(identity) - 1;
    numbers.set(identity, number);
    return number;
  };
  return {
    people: named,
    codeowners,
    personOf: author => {
      for (let next = persons.length; next <= author; next++) persons.push(numberOf(next));
      return persons[author];
    },
    identityOf: person => identities[person]!,
  };
}
