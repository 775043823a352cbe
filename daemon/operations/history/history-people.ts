import type { People } from '../../model/people.ts';
import type { OwnershipState } from '../ownership/ownership-state.ts';

/** The people of a history by numbers of our own: whoever has the same identity is the same. */
export interface HistoryPeople {
  /** The person that a commit's author is; undefined of a bot. */
  personOf(author: number): number | undefined;
  identityOf(person: number): string;
}

const known = new WeakMap<People, HistoryPeople>();

/** The same value for as long as who is who stays the same. */
export function historyPeople(state: OwnershipState): HistoryPeople {
  const told = known.get(state.people) ?? numbered(state);
  known.set(state.people, told);
  return told;
}

function numbered({ authorOf }: OwnershipState): HistoryPeople {
  const numbers = new Map<string, number>();
  const identities: string[] = [];
  const persons = new Map<number, number | undefined>();
  const numberOf = (author: number): number | undefined => {
    const identity = authorOf(author)?.identity;
    if (identity === undefined) return undefined;
    const number = numbers.get(identity) ?? identities.push(identity) - 1;
    numbers.set(identity, number);
    return number;
  };
  return {
    personOf: author => {
      if (!persons.has(author)) persons.set(author, numberOf(author));
      return persons.get(author);
    },
    identityOf: person => identities[person]!,
  };
}
