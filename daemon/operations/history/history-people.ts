import { mailmapFiles } from '../../extract/mailmap.ts';
import type { Person } from '../../model/history.ts';
import { type Mailmap, type People, type PeopleSettings, people } from '../../model/people.ts';
import { type CodeownersFile, codeownersFiles } from '../ownership/codeowners-file.ts';

/** Who is who in a work tree's history, as its `.mailmap` and CODEOWNERS say now. */
export interface HistoryPeople {
  readonly people: People;
  readonly codeowners: CodeownersFile;
  /** The person that a commit's author is, by number; undefined of a bot. */
  personOf(author: number): number | undefined;
  identityOf(person: number): string;
}

export interface PeopleOfTrees {
  /** `authors`: by their numbers, before `.mailmap`. The same value for as long as nothing says otherwise. */
  of(top: string, authors: readonly Person[], settings: PeopleSettings): HistoryPeople;
}

interface Kept {
  readonly mailmap: Mailmap;
  readonly codeowners: CodeownersFile;
  readonly settings: string;
  readonly told: HistoryPeople;
}

const treesKept = 8;

export function peopleOfTrees(): PeopleOfTrees {
  const mailmaps = mailmapFiles();
  const owners = codeownersFiles();
  const kept = new Map<string, Kept>();
  return {
    of(top, authors, settings) {
      const { mailmap } = mailmaps.of(top);
      const codeowners = owners.of(top);
      const print = JSON.stringify([settings.bots, [...settings.people], [...settings.teams]]);
      const known = kept.get(top);
      const isSame =
        known?.settings === print &&
        known.mailmap === mailmap &&
        known.codeowners.content === codeowners.content &&
        known.codeowners.path === codeowners.path;
      kept.delete(top);
      const told = isSame ? known.told : peopleIn(authors, settings, mailmap, codeowners);
      kept.set(top, { mailmap, codeowners, settings: print, told });
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
