import { readOwner } from './owner.ts';

/** What may be configured of owners, by the user and by a repository. */

export const mostTeams = 1_000;
export const mostPeople = 10_000;

/** What is wrong with a table of `ownership.teams`, or nothing: the name and what it must be, or hold. */
export function problemOfTeam(name: string, table: unknown): string {
  const { kind = 'email' } = readOwner(name, 'gitlab') ?? {};
  if (kind === 'email') return `${name} is no team: write @org/team, as CODEOWNERS does`;
  return holdsTexts(table, 'members', text => ['user', 'email'].includes(readOwner(text, 'github')?.kind ?? ''))
    ? ''
    : `${name} must be a table with members, a list of handles (@alice) and addresses`;
}

/** The same of `ownership.people`. */
export function problemOfPerson(name: string, table: unknown): string {
  if (readOwner(name, 'github')?.kind !== 'user') return `${name} is no handle: write @alice`;
  return holdsTexts(table, 'emails', text => readOwner(text, 'github')?.kind === 'email')
    ? ''
    : `${name} must be a table with emails, a list of addresses`;
}

const mostTexts = 10_000;

function holdsTexts(table: unknown, key: string, isOne: (text: string) => boolean): boolean {
  if (typeof table !== 'object' || table === null || Object.keys(table).join() !== key) return false;
  const texts = (table as Readonly<Record<string, unknown>>)[key];
  if (!Array.isArray(texts) || texts.length > mostTexts) return false;
  return texts.every(text => typeof text === 'string' && isOne(text));
}
