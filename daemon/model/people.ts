import type { Person } from './history.ts';
import { anyText, fitsName, type NamePattern } from './name-pattern.ts';
import type { Owner } from './owner.ts';
import { type SharedHandle, sharedHandles } from './shared-handles.ts';

/** What git's `.mailmap` puts in place of who a commit says it is by. */
export interface Mailmap {
  of(person: Person): Person;
}

/** What the user, and the repository, say of people. */
export interface PeopleSettings {
  /** Patterns of names and addresses whose commits nobody has written: `*` is any text, everything else is itself, case aside. */
  readonly bots: readonly string[];
  /** All addresses by handle (`@alice`): one that has some is guessed of nobody else. */
  readonly people: ReadonlyMap<string, readonly string[]>;
  /** Handles and addresses by team (`@org/team`, on GitLab also `@group`). */
  readonly teams: ReadonlyMap<string, readonly string[]>;
}

/** Names and addresses under which programs commit, by the conventions of hosts and of the services that are met most. */
export const defaultBots: readonly string[] = [
  '*[bot]',
  '*[bot]@*',
  '*-bot',
  '*-bot@*',
  'bot@*',
  '*-robot',
  'dependabot*',
  'renovate*',
  'github-actions*',
  'greenkeeper*',
  'pre-commit-ci*',
  'allcontributors*',
  'semantic-release*',
  'mergify*',
  'imgbot*',
  'project_*_bot*',
  'group_*_bot*',
];

/** Somebody who writes code. Whoever has the same identity is the same. */
export interface Author {
  readonly identity: string;
  /** As commits have it. */
  readonly name: string;
}

/** Whom an owner stands for. */
export type Standing =
  | { readonly kind: 'people'; readonly identities: readonly string[] }
  /** A team whose members nobody has told, or a role that only the host knows who has. */
  | { readonly kind: 'unresolvable' };

/**
 * Who is who among authors and owners.
 *
 * The identity of a person, in every answer, is the handle that a host knows them by (`@alice`), as far as one is known: it can be
 * compared with what CODEOWNERS files say, and asked for a review. Else it is their address, in lower case, which hosts look people
 * up by. A handle is known of an author by, the first that tells:
 * 1. the configuration, which has the author's address under it;
 * 2. the address, where it is one that a host gives out not to be written to: `123+alice@users.noreply.github.com`;
 * 3. handles that owners, teams or the configuration name: one that is the address up to its `@` or `+`, a domain of the
 *    author's own, or the author's name but for case, blanks, dots and dashes;
 * 4. another name of the history with the same address, of which a handle is known;
 * 5. the same name of two words or more, where the history has it with one handle and no other.
 *
 * A handle that the configuration has addresses of is known by these, and by those of hosts: 3 and 5 guess it of nobody.
 */
export interface People {
  /** Undefined for a bot. The person is one of the history, before `.mailmap`. */
  authorOf(person: Person): Author | undefined;
  /** How an owner is told: as an author of the same identity is. */
  identityOfOwner(owner: Owner): string;
  standingOf(owner: Owner): Standing;
  /** Handles that several of the history's authors are taken to have. */
  sharedHandles(): readonly SharedHandle[];
}

export interface PeopleInput {
  readonly settings: PeopleSettings;
  readonly mailmap: Mailmap;
  /** All owners that the CODEOWNERS file names. */
  readonly owners: Iterable<Owner>;
  /** All authors of the history, before `.mailmap`: an address is the same person's under whatever name. */
  readonly authors?: Iterable<Person>;
}

export function people({ settings, mailmap, owners, authors = [] }: PeopleInput): People {
  const bots = settings.bots.map(botPattern);
  const handles = knownHandles(settings, owners);
  const persons = [...authors].map(mailmap.of);
  const isSure = ({ email }: Person): boolean =>
    handles.configured.has(email.toLowerCase()) || handleInAddress(email) !== undefined;
  for (const person of persons) learn(person, handleOf(person, handles), handles);
  const byName = handlesByName(persons, handles);
  for (const person of persons) {
    if (handleOf(person, handles) === undefined) learn(person, byName.get(person.name.toLowerCase()), handles);
  }
  const teams = new Map([...settings.teams].map(([team, members]) => [team.toLowerCase(), members] as const));
  const identityOf = (person: Person): string => handleOf(person, handles) ?? plainIdentity(person);
  const identityOfText = (text: string): string =>
    text.startsWith('@') ? (handles.spelled.get(text.toLowerCase()) ?? text) : identityOf({ name: '', email: text });
  const isBot = ({ name, email }: Person): boolean =>
    bots.some(pattern => fitsText(pattern, name) || fitsText(pattern, email));
  return {
    authorOf(committed) {
      const person = mailmap.of(committed);
      return isBot(person) ? undefined : { identity: identityOf(person), name: person.name };
    },
    identityOfOwner: ({ text }) => identityOfText(text),
    standingOf(owner) {
      const members = teams.get(owner.text.toLowerCase());
      if (members !== undefined) return { kind: 'people', identities: [...new Set(members.map(identityOfText))] };
      switch (owner.kind) {
        case 'user':
        case 'email':
          return { kind: 'people', identities: [identityOfText(owner.text)] };
        case 'team':
        case 'role':
          return { kind: 'unresolvable' };
      }
    },
    sharedHandles: () =>
      sharedHandles(
        persons.flatMap(person => {
          const handle = handleOf(person, handles);
          return handle === undefined || isBot(person) ? [] : [{ person, handle, isSure: isSure(person) }];
        }),
      ),
  };
}

/** Longer names are nobody's. */
const longestText = 1_000;

function botPattern(text: string): NamePattern {
  const pattern: string[] = [];
  for (const one of text.toLowerCase()) {
    if (one !== '*') pattern.push(one);
    else if (pattern.at(-1) !== anyText) pattern.push(anyText);
  }
  return pattern;
}

function fitsText(pattern: NamePattern, text: string): boolean {
  return fitsName(pattern, [...text.slice(0, longestText).toLowerCase()]);
}

interface KnownHandles {
  /** As it is written first, by its lower case. */
  readonly spelled: ReadonlyMap<string, string>;
  /** Those whose addresses are configured, in lower case: nobody is guessed to have them. */
  readonly told: ReadonlySet<string>;
  /** Addresses that the configuration has, in lower case. */
  readonly configured: ReadonlySet<string>;
  /** By addresses that the configuration has, or authors that a handle is known of, in lower case. */
  readonly byAddress: Map<string, string>;
  /** By what is left of them without the `@` and without signs; without those that are told. */
  readonly bare: ReadonlyMap<string, string>;
}

/** What CODEOWNERS writes comes first: answers are held against that. */
function knownHandles({ people: configured, teams }: PeopleSettings, owners: Iterable<Owner>): KnownHandles {
  const texts = [
    ...[...owners].filter(({ kind }) => kind === 'user').map(({ text }) => text),
    ...configured.keys(),
    ...[...teams.values()].flat().filter(member => member.startsWith('@')),
  ];
  const spelled = new Map<string, string>();
  const bare = new Map<string, string>();
  const byAddress = new Map<string, string>();
  for (const text of texts) if (!spelled.has(text.toLowerCase())) spelled.set(text.toLowerCase(), text);
  const told = new Set([...configured].flatMap(([handle, { length }]) => (length > 0 ? [handle.toLowerCase()] : [])));
  for (const [key, handle] of spelled) {
    const name = bareName(handle.slice(1));
    if (!told.has(key) && !bare.has(name)) bare.set(name, handle);
  }
  for (const [handle, addresses] of configured) {
    for (const address of addresses) byAddress.set(address.toLowerCase(), spelled.get(handle.toLowerCase())!);
  }
  return { spelled, told, configured: new Set(byAddress.keys()), byAddress, bare };
}

function learn({ email }: Person, handle: string | undefined, { byAddress }: KnownHandles): void {
  if (handle !== undefined && email !== '') byAddress.set(email.toLowerCase(), handle);
}

/** Handles that may be guessed by the full names, in lower case, of those who have them; without names that several have. */
function handlesByName(persons: readonly Person[], handles: KnownHandles): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const several = new Set<string>();
  for (const person of persons) {
    const name = person.name.toLowerCase();
    const handle = handleOf(person, handles);
    if (handle === undefined || !/\S\s+\S/.test(name)) continue;
    if ((found.get(name) ?? handle) !== handle) several.add(name);
    found.set(name, handle);
  }
  for (const [name, handle] of found) {
    if (several.has(name) || handles.told.has(handle.toLowerCase())) found.delete(name);
  }
  return found;
}

function handleOf({ name, email }: Person, { spelled, told, byAddress, bare }: KnownHandles): string | undefined {
  const address = email.toLowerCase();
  const configured = byAddress.get(address);
  if (configured !== undefined) return configured;
  const given = handleInAddress(email);
  if (given !== undefined) return spelled.get(given.toLowerCase()) ?? given;
  const local = /^[^@+]*/.exec(address)![0];
  const guessed = (handle: string): string | undefined => (told.has(handle) ? undefined : spelled.get(handle));
  return (
    guessed(`@${local}`) ??
    guessed(`@${ownDomain(name, address)}`) ??
    (name === '' ? undefined : bare.get(bareName(name)))
  );
}

/** The domain of an address without its ending, where that has the last of somebody's names in it: companies are called otherwise. */
function ownDomain(name: string, address: string): string {
  const domain =
    address
      .slice(address.lastIndexOf('@') + 1)
      .split('.')
      .at(-2) ?? '';
  const lastName = /[\p{L}\p{N}]{3,}(?=[^\p{L}\p{N}]*$)/u.exec(name.toLowerCase())?.[0];
  return lastName !== undefined && domain.includes(lastName) ? domain : '';
}

/** As GitHub gives addresses out (with a number and without), and as GitLab does; their own hosts and those of companies. */
function handleInAddress(email: string): string | undefined {
  const [, local = '', host = ''] = /^([^@]*)@users\.noreply\.(.+)$/i.exec(email) ?? [];
  const handle = /gitlab/i.test(host) ? local.replace(/^\d+-/, '') : local.replace(/^\d+\+/, '');
  return /^\w[\w.-]*$/.test(handle) ? `@${handle}` : undefined;
}

function bareName(name: string): string {
  return name.toLowerCase().replace(/[\s.-]+/g, '');
}

/** Git lets people commit without either. */
function plainIdentity({ name, email }: Person): string {
  return email.toLowerCase() || name || 'unknown';
}
