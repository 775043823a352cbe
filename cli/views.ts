import { amount } from '../client/protocol/amount.ts';
import type { OutputOf } from '../client/protocol/operation.ts';
import type { OperationName, Operations } from '../client/protocol/registry.ts';
import { affectedView } from './affected-view.ts';
import { architectureView } from './architecture-view.ts';
import { completenessNote, guessNote, type Notes, openCallsNote, pageNote } from './notes.ts';

/** An answer arranged for people: rows under heads, or named values; and what is to be said beside it. */
export type View =
  | {
      readonly kind: 'rows';
      readonly head: readonly string[];
      /** People are shown the heads: numbers in the columns don't speak for themselves. */
      readonly isHeaded?: true;
      readonly rows: readonly Row[];
      readonly notes: Notes;
    }
  | { readonly kind: 'pairs'; readonly pairs: readonly (readonly [string, string])[]; readonly notes: Notes }
  | { readonly kind: 'text'; readonly text: string };

export type Row = readonly string[];
type Answer<N extends OperationName> = OutputOf<Operations[N]>;

type FoundSymbol = Pick<Answer<'symbols.search'>['results'][number], 'kind' | 'name' | 'container' | 'signature'>;

type Views = { readonly [N in OperationName]?: (answer: Answer<N>) => View };

/** Operations whose answers deserve better than a list of their fields. */
const views: Views = {
  'symbols.search': answer =>
    rows(
      ['where', 'kind', 'name', 'signature'],
      answer.results.flatMap(({ members = [], external = false, ...hit }) => [
        found(hit, external ? hit.module : place(hit.location)),
        ...members.map(member => found(member, place(member.location))),
      ]),
      [
        ...pageNote(answer.results.length, answer),
        ...(answer.warnings ?? []).map(({ message }) => message),
        ...completenessNote(answer),
      ],
    ),
  'symbols.refs': answer =>
    rows(
      ['where', 'kind', 'confidence', 'source', 'in', 'line'],
      answer.references.map(({ location, kind, confidence, source, enclosingSymbol, context }) => [
        place(location),
        kind,
        String(confidence),
        source,
        enclosingSymbol?.name ?? '',
        context.trim(),
      ]),
      [
        ...pageNote(answer.references.length, answer),
        ...guessNote(answer.references),
        ...(answer.warnings ?? []).map(({ message }) => message),
        ...completenessNote(answer),
      ],
    ),
  'symbols.get': ({ location, name, kind, signature, documentation, visibility, exported, language, id, ...rest }) =>
    pairs([
      ['name', rest.container === '' ? name : `${rest.container}.${name}`],
      [
        'kind',
        rest.external
          ? `${kind} (of a dependency)`
          : `${kind} (${language}, ${visibility}${exported ? ', exported' : ''})`,
      ],
      ['where', rest.external ? rest.module : place(location)],
      ['module', rest.module],
      ['signature', signature],
      ['says', documentation],
      ['source', `${rest.source}, confidence ${rest.confidence}`],
      ['id', id],
    ]),
  'analysis.impact': ({ affected, impact, truncated, completeness }) =>
    rows(
      ['where', 'relation', 'distance', 'confidence', 'kind', 'name'],
      affected.map(({ location, relation, distance, confidence, kind, name }) => [
        place(location),
        relation,
        String(distance),
        String(confidence),
        kind,
        name,
      ]),
      [
        ...(truncated
          ? [`${amount(impact.directCount + impact.transitiveCount, 'place')} in all: --limit shows more`]
          : []),
        `risk ${impact.level} (${impact.score})${because(impact.unknownBecause ?? '')}`,
        `${amount(impact.directCount, 'place')} use it, ${impact.transitiveCount} more by way of these, in ${amount(impact.filesAffected, 'file')}`,
        ...(impact.testsAffected.length === 0 ? [] : [`tests: ${impact.testsAffected.join(' ')}`]),
        ...completenessNote({ completeness, total: affected.length }),
      ],
    ),
  'analysis.affected': affectedView,
  'analysis.callgraph': ({ nodes, edges, truncated, completeness }) => {
    const names = new Map(nodes.map(({ id, name }) => [id, name]));
    return rows(
      ['where', 'caller', 'how', 'callee', 'calls', 'confidence', 'source'],
      edges.map(({ callerId, callerFile, calleeId, kind, location, calls, confidence, source }) => [
        location === null ? '' : place(location),
        callerId === null ? callerFile : (names.get(callerId) ?? ''),
        kind,
        names.get(calleeId) ?? '',
        String(calls),
        String(confidence),
        source,
      ]),
      [
        ...(truncated ? [`more than ${amount(nodes.length, 'symbol')}: --limit shows more`] : []),
        ...openCallsNote(nodes.reduce((sum, { openCalls }) => sum + openCalls, 0)),
        ...completenessNote({ completeness, total: edges.length }),
      ],
    );
  },
  'analysis.trace': ({ found, path, confidence, reached, truncated, stops, completeness }) =>
    rows(
      ['where', 'how', 'kind', 'name', 'open calls'],
      found
        ? path.map(({ location, call, kind, name }) => [
            place(call?.location ?? location),
            call?.kind ?? '',
            kind,
            name,
            '',
          ])
        : stops.map(({ location, kind, name, openCalls }) => [place(location), '', kind, name, String(openCalls)]),
      [
        found
          ? `confidence ${confidence}`
          : `no way is known among ${amount(reached, 'symbol')}${truncated ? ' that were looked at' : ''}; above, where it may go on`,
        ...completenessNote({ completeness, total: path.length }),
      ],
    ),
  'analysis.complexity': ({ filePath, aggregate, functions = [], truncated, partial, completeness }) =>
    table(
      ['where', 'cyclomatic', 'cognitive', 'lines', 'parameters', 'name'],
      functions.map(({ name, container, line, cyclomatic, cognitive, lines, parameters }) => [
        `${filePath}:${line}`,
        ...[cyclomatic, cognitive, lines, parameters].map(String),
        container === '' ? name : `${container}.${name}`,
      ]),
      [
        ...(truncated ? [`${functions.length} of ${aggregate.functionCount}: --limit shows more`] : []),
        `${amount(aggregate.functionCount, 'function')} in ${amount(aggregate.lineCount, 'line')}`,
        `cyclomatic: ${aggregate.totalCyclomatic} in all, ${aggregate.averageCyclomatic} on average, ${aggregate.maxCyclomatic} at most`,
        `cognitive: ${aggregate.totalCognitive} in all, ${aggregate.averageCognitive} on average, ${aggregate.maxCognitive} at most`,
        ...(partial ? ['the file was read only in part: there may be more functions'] : []),
        // How other files were read is nothing to this one.
        ...completenessNote({ completeness: { ...completeness, failedFiles: 0, partialFiles: 0 }, total: 1 }),
      ],
    ),
  'analysis.unwired': ({ unwiredModules, summary, entrypoints, limitations, truncated, completeness }) =>
    table(
      ['where', 'kind', 'name', 'confidence', 'uses', 'in tests', 'why'],
      unwiredModules.flatMap(({ symbols }) =>
        symbols.map(({ filePath, line, kind, name, confidence, referenceCount, testReferences, reason }) => [
          `${filePath}:${line}`,
          kind,
          name,
          ...[confidence, referenceCount, testReferences].map(String),
          reason,
        ]),
      ),
      [
        ...(truncated ? [`${summary.unwiredCount} in all: --limit shows more`] : []),
        `${summary.unwiredCount} of ${amount(summary.totalExported, 'exported symbol')} unwired, ${summary.reachableCount} reached from ${amount(entrypoints.length, 'entrypoint')}, ${summary.uncertainCount} less sure: --min-confidence shows them`,
        ...limitations,
        ...completenessNote({ completeness, total: summary.totalExported }),
      ],
    ),
  'system.status': ({ repository, index, tier, backends, warnings, status }) =>
    pairs(
      [
        ['repository', `${repository.id} (${repository.root})`],
        ['status', status],
        ['index', `${index.status}, ${sizeOf(index)}${because(index.reason)}`],
        [
          'indexed',
          index.lastIndexed === null ? 'never' : `${index.lastIndexed}, compared ${index.ageMinutes} min ago`,
        ],
        ['snapshot', index.snapshotId ?? 'none'],
        ['tier', `${tier.current}${tier.missing.length === 0 ? '' : `; missing ${tier.missing.join(', ')}`}`],
        ['backends', namesOf(backends)],
      ],
      warnings.map(({ message }) => message),
    ),
  'system.doctor': ({ checks, issues, summary }) =>
    rows(
      ['status', 'check', 'message'],
      checks.map(({ status, name, message }) => [status, name, message]),
      [
        `${summary.passed} of ${summary.total} checks pass, ${summary.warnings} warn, ${summary.failed} fail`,
        ...issues.flatMap(({ suggestedFixes }) => suggestedFixes.map(fix => `${fix.command}  (${fix.description})`)),
      ],
    ),
  'system.doctorFix': ({ script }) => ({ kind: 'text', text: script }),
  'system.metrics': text => ({ kind: 'text', text }),
  'system.openapi': document => ({ kind: 'text', text: JSON.stringify(document, null, 2) }),
  'analysis.architecture': answer =>
    typeof answer === 'string'
      ? { kind: 'text', text: answer }
      : architectureView(answer, completenessNote({ completeness: answer.completeness, total: 0 })),
  'daemon.status': ({ pid, version, uptime, socketPath, http, listeners, repos, jobs, memory }) =>
    pairs([
      ['daemon', `pid ${pid}, version ${version}, up ${uptime}`],
      ['socket', socketPath],
      ['http', http === null ? 'off' : `http://${http.host}:${http.port}`],
      ['listeners', listeners.map(one => `${one.host}:${one.port} (${one.repo ?? 'any repository'})`).join(', ')],
      ['repositories', repos.map(({ id, status }) => `${id} (${status})`).join(', ')],
      ['jobs', `${jobs.running} running, ${jobs.queued} queued`],
      ['memory', `${Math.round(memory.rssBytes / 1_000_000)} MB resident`],
    ]),
  'daemon.listRepos': ({ repos }) =>
    rows(
      ['id', 'status', 'symbols', 'files', 'watching', 'root'],
      repos.map(repo => [
        repo.isDefault ? `${repo.id} *` : repo.id,
        repo.pendingChanges > 0 ? `${repo.status}, ${repo.pendingChanges} pending` : repo.status,
        String(repo.symbolCount),
        String(repo.fileCount),
        repo.watching,
        repo.root,
      ]),
      repos.length === 0 ? ['No repository is registered yet: svc repo add'] : [],
    ),
  'daemon.defaultRepo': ({ id, configured }) => ({
    kind: 'text',
    text: `${id ?? 'none'}${configured ? ' (default_repo in the configuration)' : ''}\n`,
  }),
  'daemon.addRepo': ({ repo, created, jobId }) =>
    pairs([
      [created ? 'registered' : 'known', `${repo.id} (${repo.root})`],
      ['job', jobId ?? ''],
    ]),
  'daemon.config': ({ values, warnings }) =>
    rows(
      ['key', 'value', 'change', 'origin'],
      values.map(({ key, value, change, origin }) => [key, JSON.stringify(value) ?? '', change, origin ?? '']),
      warnings,
    ),
  'jobs.list': ({ jobs }) =>
    rows(
      ['id', 'type', 'status', 'progress', 'repo', 'created', 'message'],
      jobs.map(job => [
        job.id,
        job.type,
        job.status,
        `${job.progress} %`,
        job.repo ?? '',
        job.createdAt,
        wordsOfJob(job),
      ]),
      jobs.length === 0 ? ['Nothing found'] : [],
    ),
  'environment.languages': ({ languages, summary, overallQuality }) =>
    table(
      ['language', 'tier', 'quality', 'files', 'symbols', 'references', 'sure', 'calls', 'resolved', 'call graph'],
      Object.values(languages).map(one => [
        one.displayName,
        one.tierName,
        one.quality,
        String(one.fileCount),
        String(one.symbolCount),
        String(one.refCount),
        percent(one.refAccuracy),
        String(one.callSiteCount),
        percent(one.callResolution),
        one.callGraphQuality,
      ]),
      [
        ...(Object.keys(languages).length === 0 ? [summary] : [`Overall: ${overallQuality}`]),
        ...Object.values(languages).flatMap(({ displayName, knownIssues }) =>
          knownIssues.map(issue => `${displayName}: ${issue}`),
        ),
        ...new Set(Object.values(languages).flatMap(({ recommendations }) => recommendations)),
      ],
    ),
  'indexing.index': answer =>
    answer.status === 'skipped'
      ? pairs([['skipped', `${answer.reason}; ${answer.hint}`]])
      : pairs(
          [
            ['indexed', `${sizeOf(answer)}, ${answer.duration}`],
            ['languages', answer.languages.join(', ')],
            ['indexer', answer.indexer],
            ['taken in', answer.scip === undefined ? '' : takenIn(answer.scip)],
            ['snapshot', answer.snapshotId],
          ],
          answer.warnings.map(({ message }) => message),
        ),
  'delta.ingest': answer => {
    const { outcome: _, ...told } = answer;
    return pairs([['outcome', becameOf(answer)], ...flatten(told, '')]);
  },
  // What speaks against an artifact holds commas, and is gone through one by one.
  'delta.validate': answer => {
    const { errors, ...told } = answer.valid ? { ...answer, errors: [] } : answer;
    return pairs([...flatten(told, ''), ...errors.map(error => ['error', error] as const)]);
  },
};

/** The view of an answer; one without a view of its own is shown field by field. */
export function viewOf(name: OperationName, answer: unknown): View {
  const view = views[name] as ((answer: unknown) => View) | undefined;
  if (view !== undefined) return view(answer);
  return typeof answer === 'string' ? { kind: 'text', text: answer } : viewOfFields(answer);
}

export function viewOfFields(answer: unknown): View {
  return pairs(flatten(answer, ''));
}

/** Whole, downwards: 100 % is all of them. */
function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}

function rows(head: readonly string[], lines: readonly Row[], notes: Notes): View {
  return { kind: 'rows', head, rows: lines, notes };
}

/** Rows with their heads above them. */
function table(head: readonly string[], lines: readonly Row[], notes: Notes): View {
  return { kind: 'rows', head, isHeaded: true, rows: lines, notes };
}

function pairs(all: readonly (readonly [string, string])[], notes: Notes = []): View {
  return { kind: 'pairs', pairs: all.filter(([, value]) => value !== ''), notes };
}

function place({ file, line, column }: { readonly file: string; readonly line: number; readonly column: number }) {
  return `${file}:${line}:${column}`;
}

function found({ kind, name, container, signature }: FoundSymbol, where: string): Row {
  return [where, kind, container === '' ? name : `${container}.${name}`, signature];
}

function takenIn(scip: { readonly indexer: string; readonly joined: number; readonly occurrences: number }): string {
  const { indexer, joined, occurrences } = scip;
  return `${amount(occurrences, 'reference')} in ${amount(joined, 'file')}, as ${indexer} says`;
}

/** What became of an artifact, which its counts alone don't tell: 0 applied is no failure, and what was there counts as well. */
function becameOf({ outcome, awaitedCommit }: Answer<'delta.ingest'>): string {
  if (outcome === 'pending') {
    const awaited = awaitedCommit === undefined ? 'its files' : `commit ${awaitedCommit}`;
    return `waits for ${awaited}: nothing of it is active before the work tree has its files (git pull)`;
  }
  return outcome === 'applied'
    ? 'taken in now'
    : 'was there already: the work tree or HEAD has its files, and they are indexed';
}

/** What it does or waits for, and how one failed; what others did last is of no use any more. */
function wordsOfJob({ status, message = '', error }: Answer<'jobs.list'>['jobs'][number]): string {
  return status === 'queued' || status === 'running' ? message : (error?.message ?? '');
}

function because(reason: string): string {
  return reason === '' ? '' : ` (${reason})`;
}

function namesOf(available: Readonly<Record<string, boolean>>): string {
  return Object.keys(available)
    .filter(name => available[name])
    .join(', ');
}

/** Fields of nested objects by dotted names; lists of texts in one line, other lists as JSON. */
function flatten(value: unknown, prefix: string): (readonly [string, string])[] {
  if (value === null || value === undefined) return [[prefix, '']];
  if (typeof value !== 'object') return [[prefix, String(value)]];
  if (Array.isArray(value)) {
    return [[prefix, value.map(item => (typeof item === 'object' ? JSON.stringify(item) : String(item))).join(', ')]];
  }
  return Object.entries(value).flatMap(([key, inner]) => flatten(inner, prefix === '' ? key : `${prefix}.${key}`));
}

/** How much an index holds. */
export function sizeOf(index: { readonly symbolCount: number; readonly fileCount: number }): string {
  return `${amount(index.symbolCount, 'symbol')} in ${amount(index.fileCount, 'file')}`;
}
