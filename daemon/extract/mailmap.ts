import type { Person } from '../model/history.ts';
import type { RepoPath } from '../model/paths.ts';
import type { Mailmap } from '../model/people.ts';
import { keptFiles, whyNotRead } from './kept-file.ts';
import type { ReadingClock } from './read-file.ts';

/** Nobody writes more by hand. */
const mostBytes = 1024 * 1024;

/** The `.mailmap` of a work tree, as it is now; of nobody where there is none. */
export interface MailmapFile {
  readonly mailmap: Mailmap;
  /** Why it does not count, to be read behind its name. */
  readonly notRead: string | undefined;
}

export interface MailmapFiles {
  /** Of the work tree with its top at an absolute, real path. Throws where descriptors ran out. */
  of(top: string): MailmapFile;
}

/** Those of work trees, each read again when it has changed. Links are not followed: git does not either. */
export function mailmapFiles(clock?: ReadingClock): MailmapFiles {
  const files = keptFiles(parseMailmap, mostBytes, { clock });
  return {
    of(top) {
      const file = files.at(top, '.mailmap' as RepoPath);
      return { mailmap: file.kind === 'read' ? file.value : ofNobody, notRead: whyNotRead(file, mostBytes) };
    },
  };
}

const ofNobody: Mailmap = { of: person => person };

/**
 * A `.mailmap`, read as git reads it (gitmailmap(5), and for what that leaves open `git check-mailmap`): a line that begins with `#`
 * is a comment, and so is what stands behind the last address; what a line does not say of an address, an earlier one may; of ASCII
 * alone case makes no difference. Lines may be longer than git's 1,023 bytes. Never throws.
 */
export function parseMailmap(bytes: Uint8Array): Mailmap {
  const byAddress = new Map<string, Entry>();
  for (const line of new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes).split('\n')) {
    const read = line.startsWith('#') ? undefined : readLine(line.split('\0', 1)[0]!);
    if (read !== undefined) put(byAddress, read);
  }
  return { of: person => mapped(byAddress, person) };
}

/** What becomes of who commits under an address; and of those of certain names there, apart. */
interface Entry extends Said {
  readonly byName: Map<string, Said>;
}

interface Said {
  name: string | undefined;
  email: string | undefined;
}

interface Line {
  readonly proper: Said;
  readonly commit: { readonly name: string | undefined; readonly email: string };
}

function readLine(line: string): Line | undefined {
  const first = readPerson(line, 0);
  if (first === undefined || first.email === '') return undefined;
  const second = readPerson(line, first.end);
  const { name, email } = first;
  return second === undefined
    ? { proper: { name, email: undefined }, commit: { name: undefined, email } }
    : { proper: { name, email }, commit: second };
}

/** A name, if there is one, and an address in angle brackets. */
function readPerson(line: string, from: number) {
  const open = line.indexOf('<', from);
  const close = open < 0 ? -1 : line.indexOf('>', open);
  if (close < 0) return undefined;
  const name = line
    .slice(from, open)
    .replace(/^[ \t\r]+/, '')
    .replace(/(?<![ \t\r])[ \t\r]+$/, '');
  return { name: name === '' ? undefined : name, email: line.slice(open + 1, close), end: close + 1 };
}

function put(byAddress: Map<string, Entry>, { proper, commit }: Line): void {
  const address = lowerCase(commit.email);
  const entry = byAddress.get(address) ?? { name: undefined, email: undefined, byName: new Map() };
  byAddress.set(address, entry);
  if (commit.name !== undefined) entry.byName.set(lowerCase(commit.name), proper);
  else {
    entry.name = proper.name ?? entry.name;
    entry.email = proper.email ?? entry.email;
  }
}

function mapped(byAddress: ReadonlyMap<string, Entry>, person: Person): Person {
  const entry = byAddress.get(lowerCase(person.email));
  const said = entry?.byName.get(lowerCase(person.name)) ?? entry;
  return { name: said?.name ?? person.name, email: said?.email ?? person.email };
}

function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, letters => letters.toLowerCase());
}
