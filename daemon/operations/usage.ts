import { agreeing, amount } from '../../client/protocol/amount.ts';
import type { OutputOf } from '../../client/protocol/operation.ts';
import type { Operations } from '../../client/protocol/registry.ts';
import type { Lacking } from '../analysis/usage/coverage.ts';
import { repositoryHandler } from './analysis.ts';
import { encodedAnswer, encodedBodyOf, type Handlers, type RequestContext } from './handler.ts';
import type { AskingHistory } from './history/asking-history.ts';
import type { ServedRepositories } from './served-repository.ts';
import type { Asking } from './symbols/asking.ts';
import { type CallsSummary, noCalls } from './telemetry/calls-summary.ts';
import { droppedTold } from './telemetry/dropped.ts';
import type { MappedService, Telemetry } from './telemetry/telemetry.ts';
import { findUnmapped } from './telemetry/unmapped.ts';

export type UsageHandlers = Pick<Handlers, 'telemetry.status' | 'telemetry.deadCode' | 'telemetry.unmapped'>;

export interface UsageOptions {
  readonly asking: Asking;
  readonly history: AskingHistory;
  readonly telemetry: Telemetry;
  readonly repositories: Pick<ServedRepositories, 'list'>;
}

type Status = OutputOf<Operations['telemetry.status']>;

/** What is known of calls, and which services nobody knows. */
export function usageHandlers(options: UsageOptions): UsageHandlers {
  const { asking, history, telemetry } = options;
  const deadCode = repositoryHandler(asking, 'telemetry.deadCode');
  return {
    'telemetry.status': (_, context) =>
      asking.watched(context, async () => {
        const summary = await summaryOf(asking, context);
        return statusTold(telemetry, context.repository.id, summary, context.now);
      }),
    // Where there is no history to be read it is left out.
    'telemetry.deadCode': (input, context) =>
      history.answer('telemetry.deadCode', input, context).then(
        answer => encodedAnswer(encodedBodyOf(answer)!),
        () => {
          context.signal.throwIfAborted();
          return deadCode(input, context);
        },
      ),
    'telemetry.unmapped': async ({ limit }, { now, signal }) => {
      const asked = { nowMs: now.getTime(), limit };
      const found = await findUnmapped({ ...options, readPool: asking.readPool }, asked, signal);
      return { ...found, timestamp: now.toISOString() };
    },
  };
}

function statusTold(telemetry: Telemetry, repo: string, summary: CallsSummary, now: Date): Status {
  const own = new Set(summary.services.filter(({ isOwn }) => isOwn).map(({ id }) => id));
  const told = servicesTold(telemetry.services(), repo, summary);
  const unmapped = told.filter(({ repoId }) => repoId === null).map(({ name }) => name);
  const { exact, strong, weak, foreign, anonymous, absent, ambiguous } = summary.counts;
  const lastSeen = telemetry
    .services()
    .reduce((last, one) => (own.has(one.id) ? Math.max(last, one.lastSeen) : last), 0);
  const unmatched = anonymous + absent + ambiguous;
  return {
    enabled: telemetry.isEnabled,
    lastSync: lastSeen === 0 ? null : new Date(lastSeen).toISOString(),
    coverage: summary.coverage,
    unmappedServices: unmapped,
    warnings: warningsOf(telemetry, summary, { repo, unmapped, lastSeen, now }),
    repoId: repo,
    services: told,
    functions: { observed: exact + strong + weak + unmatched, exact, strong, weak, unmatched, foreign },
    observationDays: summary.observationDays,
    timestamp: now.toISOString(),
  };
}

async function summaryOf(asking: Asking, context: RequestContext): Promise<CallsSummary> {
  const question = asking.asked(context);
  if (context.snapshot === undefined || question.calls === undefined) return noCalls;
  return asking.readPool.callsSummary(question, context.signal);
}

/** Those of a repository, and those of none. Services of one name are one. */
function servicesTold(all: readonly MappedService[], repo: string, summary: CallsSummary): Status['services'] {
  const found = new Map<string, Status['services'][number]>();
  const summaries = new Map(summary.services.map(one => [one.id, one]));
  for (const { id, name, mapped, events, lastSeen } of all) {
    if (mapped !== undefined && mapped.repo !== repo) continue;
    const { functions = 0, matched = 0, isOwn } = summaries.get(id) ?? {};
    // What is assumed and matches nothing is nobody's.
    const isKnown = mapped !== undefined && isOwn === true;
    const known = found.get(name);
    const seen = new Date(lastSeen).toISOString();
    found.set(name, {
      name,
      repoId: isKnown ? mapped.repo : (known?.repoId ?? null),
      mappedBy: isKnown ? mapped.by : (known?.mappedBy ?? 'nothing'),
      functions: functions + (known?.functions ?? 0),
      matched: matched + (known?.matched ?? 0),
      eventCount: events + (known?.eventCount ?? 0),
      lastSeen: known === undefined || known.lastSeen < seen ? seen : known.lastSeen,
    });
  }
  return [...found.values()];
}

interface About {
  readonly repo: string;
  readonly unmapped: readonly string[];
  /** When a service of the repository reported last, milliseconds; 0 where none did. */
  readonly lastSeen: number;
  readonly now: Date;
}

const quietMs = 24 * 60 * 60_000;

function warningsOf(telemetry: Telemetry, summary: CallsSummary, about: About): string[] {
  const { repo, unmapped, lastSeen, now } = about;
  const { coverage, counts, lacking } = summary;
  const unmatched = counts.absent + counts.ambiguous + counts.anonymous;
  const hours = Math.floor((now.getTime() - lastSeen) / 3_600_000);
  const isAny = telemetry.services().length > 0;
  const isKnown = lastSeen > 0;
  const warnings = [
    !telemetry.isEnabled && 'telemetry is turned off: telemetry.enabled in the configuration',
    !isAny && 'nothing has been reported yet: an OpenTelemetry collector or exporter sends it to POST /v1/metrics',
    isAny && !isKnown && `no service that reports is of ${repo}, as far as is known`,
    isKnown &&
      now.getTime() - lastSeen > quietMs &&
      `no service of ${repo} has reported anything for ${amount(hours, 'hour')}`,
    unmapped.length > 0 &&
      `${amount(unmapped.length, 'service')} of no known repository: svc telemetry unmapped shows what would match`,
    ...(isKnown && coverage.attribute < 0.6 ? whatLacks(lacking) : []),
    isKnown &&
      coverage.match < 0.6 &&
      unmatched > 0 &&
      `${amount(unmatched, 'function')} of these services ${agreeing(unmatched, 'matches', 'match')} no symbol: another version may be running than is indexed`,
    ...telemetry
      .strayEntries()
      .map(({ name, repo: named }) => `the configuration maps ${name} to ${named}, which is not registered`),
    ...droppedTold(telemetry.dropped()),
  ];
  return warnings.filter(words => words !== false);
}

function whatLacks({ functions, file, place }: Lacking): readonly string[] {
  const told = (lacks: number, words: string): string =>
    `${lacks} of ${amount(functions, 'function')} ${agreeing(lacks, 'comes', 'come')} without ${words}`;
  return [
    ...(file > 0 ? [told(file, 'a file path: code.file.path')] : []),
    ...(place > 0
      ? [told(place, 'a line, and without a namespace: code.line.number, code.function.name in full')]
      : []),
  ];
}
