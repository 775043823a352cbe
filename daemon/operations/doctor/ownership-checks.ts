import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { amount } from '../../../client/protocol/amount.ts';
import { codeownersPlaces } from '../../extract/codeowners.ts';
import { type RepositorySettings, settingsPath } from '../../extract/repository-settings.ts';
import type { LineProblem } from '../../model/codeowners.ts';
import type { Person } from '../../model/history.ts';
import type { Owner } from '../../model/owner.ts';
import { people } from '../../model/people.ts';
import type { SharedHandle } from '../../model/shared-handles.ts';
import type { Finding } from '../finding.ts';
import { ignoredRevisions, ignoredRevisionsFile } from '../history/ignored-revisions.ts';
import type { CodeownersFile } from '../ownership/codeowners-file.ts';
import { type OwnershipFiles, topOf } from '../ownership/ownership-files.ts';
import { type ConfiguredPeople, peopleSettings } from '../ownership/people-settings.ts';

/** Plain values, so that it crosses to a worker: files may be large. */
export interface OwnershipChecksCall {
  /** Absolute, real. */
  readonly root: string;
  readonly configured: ConfiguredPeople;
  /** Of the history, before `.mailmap`; undefined as long as that is not known. */
  readonly authors: readonly Person[] | undefined;
}

const mostLines = 100;
const mostNamed = 20;

/** What the files say that tell of people, as far as it does not count; each line by itself. */
export function ownershipChecks(files: OwnershipFiles, call: OwnershipChecksCall): readonly Finding[] {
  const { root, configured, authors } = call;
  const { top } = topOf(root);
  const codeowners = files.codeowners.of(top);
  const settings = files.settings.of(top);
  const { mailmap, notRead } = files.mailmaps.of(top);
  const owners = ownersIn(codeowners);
  const known = people({ settings: peopleSettings(configured, settings), mailmap, owners, authors: authors ?? [] });
  const unresolvable = owners.filter(owner => known.standingOf(owner).kind === 'unresolvable').map(({ text }) => text);
  return [
    whichCounts(codeowners, top),
    ...lineChecks(codeowners),
    teams(unresolvable),
    ...(authors === undefined ? [] : handleChecks(known.sharedHandles())),
    ...settingsChecks(settings.problems),
    mailmapCheck(notRead, top),
    ignoredCheck(top),
  ];
}

function mailmapCheck(notRead: string | undefined, top: string): Finding {
  const check = 'history.mailmap';
  if (notRead !== undefined) return { check, status: 'warn', message: `.mailmap ${notRead}, and does not count` };
  const message = isThere(join(top, '.mailmap')) ? 'who is who is as .mailmap says' : 'there is no .mailmap';
  return { check, status: 'pass', message };
}

function ignoredCheck(top: string): Finding {
  const check = 'history.ignored-revisions';
  const { hashes, oddLines, notRead } = ignoredRevisions(top);
  if (notRead !== undefined) {
    return { check, status: 'warn', message: `${ignoredRevisionsFile} ${notRead}, and does not count` };
  }
  if (oddLines.length === 0) {
    const message =
      hashes.length === 0 ? 'there are none' : `${amount(hashes.length, 'commit')} of ${ignoredRevisionsFile}`;
    return { check, status: 'pass', message };
  }
  const odd = oddLines.slice(0, mostNamed).map(line => `${ignoredRevisionsFile}:${line}`);
  const more = oddLines.length > mostNamed ? ', …' : '';
  return { check, status: 'warn', message: `no full hash, and does not count: ${odd.join(', ')}${more}` };
}

function ownersIn({ content }: CodeownersFile): readonly Owner[] {
  const all = (content?.rules ?? []).flatMap(({ owners }) => owners);
  return [...new Map(all.map(owner => [owner.text.toLowerCase(), owner])).values()];
}

/** The first place that has one counts, and nobody looks at the others. */
function whichCounts({ path, content, notRead, passedOver }: CodeownersFile, top: string): Finding {
  const check = 'ownership.codeowners';
  const others = path === undefined ? [] : codeownersPlaces.slice(codeownersPlaces.indexOf(path) + 1);
  const besides = others.filter(other => isThere(join(top, other)));
  const troubles = [
    ...[...passedOver].map(([place, reason]) => `${place} ${reason}, and is not read`),
    ...(notRead === undefined ? [] : [`${path} ${notRead}: nobody is known to own anything by it`]),
    ...besides.map(other => `${other} does not count beside ${path}`),
  ];
  if (troubles.length > 0) return { check, status: 'warn', message: troubles.join('; ') };
  if (content === undefined) return { check, status: 'pass', message: 'there is no CODEOWNERS' };
  const host = content.host === 'github' ? 'GitHub' : 'GitLab';
  return { check, status: 'pass', message: `${path}: ${amount(content.rules.length, 'rule')}, as ${host} reads them` };
}

function isThere(place: string): boolean {
  try {
    return lstatSync(place, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}

function lineChecks({ path, content }: CodeownersFile): readonly Finding[] {
  const check = 'ownership.codeowners-lines';
  const { problems = [], problemCount = 0 } = content ?? {};
  if (problemCount === 0) return [{ check, status: 'pass', message: 'every line counts' }];
  const told = problems.slice(0, mostLines).map(
    ({ line, text, reason, effect }): Finding => ({
      check,
      status: effect === 'none' ? 'info' : 'warn',
      message: `${path}:${line} ${effects[effect]}: ${reason}: ${JSON.stringify(text)}`,
    }),
  );
  const more = problemCount - told.length;
  return more === 0 ? told : [...told, { check, status: 'warn', message: `and ${amount(more, 'more line')}` }];
}

const effects: Readonly<Record<LineProblem['effect'], string>> = {
  line: 'is skipped',
  owners: 'counts in part',
  none: 'counts',
};

function settingsChecks(problems: RepositorySettings['problems']): readonly Finding[] {
  const check = 'repository.settings';
  if (problems.length === 0) return [{ check, status: 'pass', message: `all that ${settingsPath} says counts` }];
  return problems.map(({ line, key, reason }) => {
    const place = line === undefined ? settingsPath : `${settingsPath}:${line}`;
    return { check, status: 'warn', message: key === '' ? `${place} ${reason}` : `${place}: ${key} ${reason}` };
  });
}

/** Nothing is wrong with them: who is in a team, the host alone knows, unless somebody tells. */
function teams(unresolvable: readonly string[]): Finding {
  const check = 'ownership.teams';
  if (unresolvable.length === 0) return { check, status: 'pass', message: 'it is known who is in each team' };
  const some = unresolvable.slice(0, mostNamed).join(', ') + (unresolvable.length > mostNamed ? ', …' : '');
  const example = `[ownership.teams."${unresolvable[0]}"] members = ["@alice", "bob@example.com"]`;
  return {
    check,
    status: 'info',
    message: `it is not known who is in ${some}: drift of their files can't be told; configure ${example}`,
  };
}

/** Who has a handle the host alone knows: where it is guessed of people who are hardly one, their files may be told as another's. */
function handleChecks(shared: readonly SharedHandle[]): readonly Finding[] {
  const check = 'ownership.handles';
  if (shared.length === 0) return [{ check, status: 'pass', message: 'it is known for whom each handle stands' }];
  const told = shared
    .slice(0, mostNamed)
    .map((one): Finding => ({ check, status: one.areLikelySeveral ? 'warn' : 'info', message: sharedTold(one) }));
  const more = shared.length - told.length;
  return more === 0 ? told : [...told, { check, status: 'info', message: `and ${amount(more, 'more handle')}` }];
}

function sharedTold({ handle, persons }: SharedHandle): string {
  const named = persons
    .slice(0, mostPersons)
    .map(({ name, emails }) => `${shortened(name)} <${shortened(emails[0] ?? '')}>`);
  const more = persons.length > mostPersons ? ', …' : '';
  const emails = persons[0]!.emails.slice(0, mostNamed).map(email => JSON.stringify(shortened(email)));
  const several = `configure whose it is, as in [ownership.people.${JSON.stringify(handle)}] emails = [${emails.join(', ')}]`;
  const other = persons[1]!.emails[0] ?? '';
  const one = `say so in .mailmap, as in ${named[0]} <${shortened(other)}>`;
  return `${handle} is guessed to be ${named.join(' and ')}${more}: where they are several, ${several}; where they are one, ${one}`;
}

const mostPersons = 3;
const longestText = 100;

/** Without what terminals would take for a command. */
function shortened(text: string): string {
  const plain = text.replace(/\p{Cc}/gu, ' ');
  return plain.length > longestText ? `${plain.slice(0, longestText)}…` : plain;
}
