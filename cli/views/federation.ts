import { amount } from '../../client/protocol/amount.ts';
import { type Notes, warningNotes } from './notes.ts';
import { type Answer, pairs, rows, table, type View, type Views } from './view.ts';

/** Repositories that are asked about together. */
export const federationViews: Views = {
  'federation.list': ({ federations }) =>
    rows(
      ['name'],
      federations.map(name => [name]),
      federations.length === 0 ? ['There is no federation yet: svc federation create <name>'] : [],
    ),
  'federation.create': ({ name }) => ({
    kind: 'text',
    text: `${name} is there; repositories are added with svc federation add ${name} --path <folder>\n`,
  }),
  'federation.delete': ({ name }) => ({
    kind: 'text',
    text: `${name} is gone; its repositories are what they were\n`,
  }),
  'federation.rename': ({ name, formerName }) => ({ kind: 'text', text: `${formerName} is called ${name} now\n` }),
  'federation.add': ({ repoId, path, source }) => ({
    kind: 'text',
    text: `${repoId} is a member: ${source === 'path' ? `the folder ${path}` : `the repository ${path}`.trim()}\n`,
  }),
  'federation.remove': ({ name, repoId }) => ({ kind: 'text', text: `${repoId} is no member of ${name} any more\n` }),
  'federation.status': answer => {
    const { name, description, createdAt, compatibility, staleness, repos } = answer;
    const { compatible, incompatible } = compatibility;
    return pairs(
      [
        ['federation', name],
        ['description', description],
        ['created', dateOf(createdAt)],
        ['repositories', repos.map(memberLine)],
        ['compatible', `${compatible} of ${compatible + incompatible}`],
        ['staleness', staleness.overallStaleness],
      ],
      refreshNotes(name, staleness),
    );
  },
  'federation.repos': ({ repos }) =>
    rows(
      ['id', 'source', 'synced', 'status', 'tags', 'root'],
      repos.map(one => [
        ...[one.repoId, one.source, one.lastSynced === null ? 'never' : dateOf(one.lastSynced)],
        ...[
          one.compatibility === undefined
            ? (one.problem ?? '')
            : `${one.compatibility.status}: ${one.compatibility.message}`,
        ],
        ...[one.tags.join(','), one.path],
      ]),
      repos.length === 0 ? ['It has no repositories yet: svc federation add <name> --path <folder>'] : [],
      ['tags', 'source'],
    ),
  'federation.modules': ({ modules, total, staleness }) =>
    rows(
      ['repo', 'name', 'owner', 'what it is for'],
      modules.map(one => [one.repoId, one.moduleId, one.ownerRef, one.responsibility]),
      [...shownNotes(modules.length, total, 'module'), ...refreshNotes('', staleness)],
      ['owner'],
    ),
  'federation.ownership': ({ matches, total, staleness }) =>
    rows(
      ['repo', 'pattern', 'owners'],
      matches.map(({ repoId, pattern, owners }) => [
        ...[repoId, pattern],
        owners
          .map(({ identity, source }) => (source === 'codeowners' ? identity : `${identity} (${source})`))
          .join(' '),
      ]),
      [...shownNotes(matches.length, total, 'pattern'), ...refreshNotes('', staleness)],
    ),
  'federation.hotspots': ({ hotspots, total, staleness }) =>
    table(
      ['score', 'repo', 'file', 'commits', 'complexity'],
      hotspots.map(one => [
        ...[one.score.toFixed(2), one.repoId, one.targetId],
        ...[String(one.churnCommits30d), String(one.complexityCyclomatic)],
      ]),
      [...shownNotes(hotspots.length, total, 'hotspot'), ...refreshNotes('', staleness)],
    ),
  'federation.decisions': ({ decisions, total, staleness }) =>
    rows(
      ['repo', 'id', 'status', 'title', 'created'],
      decisions.map(one => [one.repoId, one.id, one.status, one.title, dateOf(one.createdAt).slice(0, 10)]),
      [...shownNotes(decisions.length, total, 'decision'), ...refreshNotes('', staleness)],
      ['created'],
    ),
  'federation.sync': ({ results, summary, dryRun, ...more }) =>
    synced(results, summary, [...(dryRun ? [notKept] : []), ...warningNotes(more)]),
};

const notKept = 'Nothing of it is kept: this was a dry run';

function synced(
  results: Answer<'federation.sync'>['results'],
  { success, failed, skipped }: Answer<'federation.sync'>['summary'],
  notes: Notes,
): View {
  return table(
    ['id', 'status', 'modules', 'owners', 'hotspots', 'decisions', 'contracts', 'took', 'reason'],
    results.map(one => [
      ...[one.repoId, one.status],
      ...[one.modulesSynced, one.ownershipSynced, one.hotspotsSynced, one.decisionsSynced, one.contractsSynced].map(
        String,
      ),
      ...[one.duration, one.reason ?? ''],
    ]),
    [
      `${amount(success, 'repository', 'repositories')} synchronised, ${failed} failed, ${skipped} passed over`,
      ...notes,
    ],
    ['owners', 'decisions', 'hotspots'],
  );
}

function memberLine({
  repoId,
  path,
  source,
  lastSynced,
  problem,
}: Answer<'federation.status'>['repos'][number]): string {
  const when = lastSynced === null ? 'never synchronised' : `synchronised ${dateOf(lastSynced)}`;
  return [`${repoId} (${path === '' ? source : path})`, when, ...(problem === null ? [] : [problem])].join(', ');
}

/** To the minute. */
export function dateOf(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}

export function shownNotes(shown: number, total: number, what: string): readonly string[] {
  if (total === 0) return [`no ${what} fits`];
  return shown < total ? [`${shown} of ${amount(total, what)}; --limit shows more`] : [];
}

function refreshNotes(
  name: string,
  { overallStaleness, refreshRecommended }: Answer<'federation.status'>['staleness'],
): readonly string[] {
  if (!refreshRecommended) return [];
  const command = name === '' ? 'svc federation sync' : `svc federation sync ${name}`;
  return [`What is known is ${overallStaleness}; ${command} brings it up to date`];
}
