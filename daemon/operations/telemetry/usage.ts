import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { trendOf } from '../../analysis/usage/trend.ts';
import { sum } from '../../model/counts.ts';
import { symbolId } from '../../model/identity.ts';
import { type DayOfCalls, dayMs, dayOf } from '../../model/usage.ts';
import type { AnalysedSnapshot } from '../analysis/analyses.ts';
import { hashOfId } from '../symbols/answers.ts';
import { type CallsOfSnapshot, callsOf, type MatchedFunction, type ObservedSymbol } from './matched-calls.ts';
import { firstDayOf } from './recent-calls.ts';

type Input = InputOf<Operations['telemetry.usage']>;
type Output = OutputOf<Operations['telemetry.usage']>;

/** How often production calls a symbol; undefined where the snapshot has no such symbol. */
export function usageAnswer(of: AnalysedSnapshot, { symbolId: id, period, includeCallers }: Input): Output | undefined {
  const { asked, reader, snapshot } = of;
  const hash = hashOfId(id);
  const row = reader.symbol(asked.repo.key, snapshot.seq, hash);
  if (row === undefined) return undefined;
  const calls = callsOf(of);
  const observed = calls?.of(hash);
  const today = dayOf(asked.now);
  const from = period === 'all' ? 0 : firstDayOf(Number.parseInt(period, 10), asked.now);
  const each = (observed?.functions ?? []).map(one => ({ one, days: calls!.reader.daysOf(one.stored.id, from) }));
  const days = together(each.map(one => one.days));
  const called = days.filter(one => one.calls > 0);
  const callCount = total(days, 'calls');
  const [best] = observed?.functions ?? [];
  return {
    symbolId: symbolId(asked.repo.id, hash),
    callCount,
    errorCount: total(days, 'errors'),
    matchQuality: best?.quality ?? 'none',
    matchConfidence: best?.confidence ?? 0,
    trend: trendOf(days, today),
    ...(includeCallers ? { callers: callersIn(calls, each) } : {}),
    period,
    firstSeen: days[0] === undefined ? null : dateOf(days[0].day),
    lastSeen: called.length === 0 ? null : dateOf(called.at(-1)!.day),
    days: days.map(one => ({ date: dateOf(one.day), callCount: one.calls, errorCount: one.errors })),
    observedAs: each.map(({ one, days: own }) => observedAs(calls!, one, total(own, 'calls'))),
    warnings: warningsOf(calls, observed, callCount, period),
    timestamp: new Date(asked.now).toISOString(),
  };
}

export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

interface EachFunction {
  readonly one: MatchedFunction;
  readonly days: readonly DayOfCalls[];
}

function together(all: readonly (readonly DayOfCalls[])[]): readonly DayOfCalls[] {
  const sums = new Map<number, DayOfCalls>();
  for (const one of all.flat()) {
    const known = sums.get(one.day);
    const { day } = one;
    sums.set(day, { day, calls: sum(known?.calls ?? 0, one.calls), errors: sum(known?.errors ?? 0, one.errors) });
  }
  return [...sums.values()].sort((a, b) => a.day - b.day);
}

function total(days: readonly DayOfCalls[], key: 'calls' | 'errors'): number {
  return days.reduce((all, one) => sum(all, one[key]), 0);
}

/** Where nobody says who calls, it is called within its own service. */
function callersIn(calls: CallsOfSnapshot | undefined, each: readonly EachFunction[]): NonNullable<Output['callers']> {
  const found = new Map<string, { callCount: number; lastSeen: number }>();
  for (const { one, days } of each) {
    const callCount = total(days, 'calls');
    if (callCount === 0) continue;
    const service = one.stored.caller === '' ? serviceName(calls!, one) : one.stored.caller;
    const known = found.get(service);
    found.set(service, {
      callCount: sum(known?.callCount ?? 0, callCount),
      lastSeen: Math.max(known?.lastSeen ?? 0, one.stored.lastSeen),
    });
  }
  return [...found]
    .map(([service, { callCount, lastSeen }]) => ({ service, callCount, lastSeen: new Date(lastSeen).toISOString() }))
    .sort((a, b) => b.callCount - a.callCount || (a.service < b.service ? -1 : 1));
}

function serviceName({ asked }: CallsOfSnapshot, { stored }: MatchedFunction): string {
  return asked.services.find(({ id }) => id === stored.service)?.name ?? '';
}

function observedAs(calls: CallsOfSnapshot, one: MatchedFunction, callCount: number): Output['observedAs'][number] {
  const { name, namespace, file } = one.stored;
  return {
    service: serviceName(calls, one),
    ...{ name, namespace, filePath: file, matchQuality: one.quality, callCount, isFormer: one.isFormer },
  };
}

function warningsOf(
  calls: CallsOfSnapshot | undefined,
  observed: ObservedSymbol | undefined,
  callCount: number,
  period: Input['period'],
): string[] {
  if (calls === undefined)
    return ['no service of this repository has reported any calls: nothing is known of any symbol'];
  if (observed === undefined)
    return ['nothing of it was ever reported: it may not be instrumented, or never be called'];
  if (callCount > 0 || observed.calls === 0 || period === 'all') return [];
  return [`it was called last on ${dateOf(observed.called)}, before this period`];
}
