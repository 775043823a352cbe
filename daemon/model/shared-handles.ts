import { appendTo } from './append-to.ts';
import type { Person } from './history.ts';

/** Somebody of the history as `.mailmap` has them, and the handle that they are taken to have. */
export interface HandleBearer {
  readonly person: Person;
  readonly handle: string;
  /** An address says so, that is configured or a host's; else it is a guess. */
  readonly isSure: boolean;
}

/** A handle that several are taken to have, one of them at least by a guess. */
export interface SharedHandle {
  readonly handle: string;
  /** Those who are sure first. */
  readonly persons: readonly NamedPerson[];
  /** Two of them have names of which none says the same as the other, with a word more or less. */
  readonly areLikelySeveral: boolean;
}

interface NamedPerson {
  readonly name: string;
  /** All under which they are known, those that are sure first. */
  readonly emails: readonly string[];
}

/** Each with each. */
const mostCompared = 50;

/** Whoever has the same name, case aside, or the same address is one; those who differ in both are taken for several. */
export function sharedHandles(bearers: Iterable<HandleBearer>): readonly SharedHandle[] {
  const byHandle = new Map<string, HandleBearer[]>();
  for (const bearer of bearers) appendTo(byHandle, bearer.handle, bearer);
  const shared = [...byHandle].flatMap(([handle, all]): readonly SharedHandle[] => {
    const several = personsAmong(all);
    if (several.length < 2 || several.every(([{ isSure }]) => isSure)) return [];
    const persons = several.map(named);
    const names = persons.slice(0, mostCompared).map(({ name }) => name);
    const areLikelySeveral = names.some((one, at) => names.slice(at + 1).some(other => !mayBeOne(one, other)));
    return [{ handle, persons, areLikelySeveral }];
  });
  return shared.sort((one, other) => (one.handle < other.handle ? -1 : 1));
}

/** As what one person is known. */
type Bearers = readonly [HandleBearer, ...HandleBearer[]];

/** The sure first, then by the alphabet: the history has them in no order that means anything. */
function personsAmong(bearers: readonly HandleBearer[]): readonly Bearers[] {
  const above = new Map<string, string>();
  const topOf = (key: string): string => {
    let top = key;
    for (let next = above.get(top); next !== undefined; next = above.get(top)) top = next;
    // All on the way lead there from now on, or ways would grow as long as there are bearers.
    for (let at = key; at !== top; ) {
      const next = above.get(at)!;
      above.set(at, top);
      at = next;
    }
    return top;
  };
  for (const { person } of bearers) {
    const [first, second = first] = keysOf(person).map(topOf);
    if (first !== second) above.set(second!, first!);
  }
  const groups = new Map<string, HandleBearer[]>();
  for (const bearer of bearers) appendTo(groups, topOf(keysOf(bearer.person)[0]!), bearer);
  const persons = [...groups.values()].map(group => group.sort(inOrder) as unknown as Bearers);
  return persons.sort(([one], [other]) => inOrder(one, other));
}

/** By its name and its address; of what has neither nothing is a handle. */
function keysOf({ name, email }: Person): readonly string[] {
  const names = name.trim() === '' ? [] : [`name ${name.trim().toLowerCase()}`];
  return email === '' ? names : [...names, `address ${email.toLowerCase()}`];
}

function inOrder(one: HandleBearer, other: HandleBearer): number {
  if (one.isSure !== other.isSure) return one.isSure ? -1 : 1;
  return textOf(one) < textOf(other) ? -1 : 1;
}

function textOf({ person: { name, email } }: HandleBearer): string {
  return `${name}\0${email}`;
}

function named(bearers: Bearers): NamedPerson {
  const emails = bearers.flatMap(({ person: { email } }) => (email === '' ? [] : [email.toLowerCase()]));
  return { name: bearers[0].person.name, emails: [...new Set(emails)] };
}

/** `Alice`, `Alice Adams` and `Álice B. Adams`, or `aliceadams`: one name of a person is often shorter than another. */
function mayBeOne(name: string, other: string): boolean {
  const [words, others] = [wordsOf(name), wordsOf(other)];
  const [fewer, more] = words.length <= others.length ? [words, others] : [others, words];
  return fewer.every(word => more.includes(word)) || words.join('') === others.join('');
}

function wordsOf(name: string): readonly string[] {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}
