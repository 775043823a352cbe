import { amount } from '../../client/protocol/amount.ts';
import type { Notes } from './notes.ts';
import { type Answer, judged, pairs, table, type Views } from './view.ts';

type Coverage = Answer<'telemetry.status'>['coverage'];

/** What production tells of calls. */
export const usageViews: Views = {
  'telemetry.status': ({ enabled, lastSync, coverage, services, functions, observationDays, warnings, repoId }) =>
    table(
      ['service', 'repository', 'by', 'functions', 'matched', 'last'],
      services.map(({ name, repoId: repo, mappedBy, functions: all, matched, lastSeen }) => [
        name,
        repo ?? '',
        mappedBy,
        String(all),
        String(matched),
        minute(lastSeen),
      ]),
      [
        enabled ? `last report: ${lastSync === null ? 'none' : minute(lastSync)}` : 'telemetry is off',
        coverageNote(repoId, coverage),
        ...(functions.observed + functions.foreign === 0
          ? []
          : [
              `${amount(functions.observed, 'function')} observed on ${amount(observationDays, 'day')}: ${functions.exact} exact, ${functions.strong} strong, ${functions.weak} weak, ${functions.unmatched} unmatched; ${functions.foreign} of others’ code`,
            ]),
        ...warnings,
      ],
      ['last', 'by'],
    ),
  'telemetry.usage': ({ callCount, errorCount, matchQuality, matchConfidence, trend, period, ...rest }) =>
    pairs(
      [
        [
          'calls',
          `${callCount} (${period === 'all' ? 'of all days that are kept' : `in ${period.replace('d', ' days')}`})`,
        ],
        ['errors', String(errorCount)],
        ['match', matchQuality === 'none' ? 'none' : `${matchQuality} (${matchConfidence})`],
        ['trend', trend],
        ['first reported', rest.firstSeen ?? ''],
        ['last called', rest.lastSeen ?? ''],
        [
          'observed as',
          rest.observedAs.map(
            one =>
              `${one.service}: ${[one.namespace, one.name].filter(Boolean).join(' ')}${one.filePath === '' ? '' : ` in ${one.filePath}`} (${one.matchQuality}${one.isFormer ? ', by its former name' : ''}, ${one.callCount})`,
          ),
        ],
        ['callers', (rest.callers ?? []).map(one => `${one.service}: ${one.callCount}, last ${minute(one.lastSeen)}`)],
      ],
      rest.warnings,
    ),
  'telemetry.deadCode': ({ candidates, summary, coverage, limitations, truncated }) =>
    judged(
      ['place', 'name', 'confidence', 'refs', 'calls', 'why'],
      candidates.map(one => [
        `${one.filePath}:${one.line}`,
        one.name,
        one.confidence.toFixed(2),
        String(one.staticRefs),
        String(one.observedCalls),
        one.reasons.join('; '),
      ]),
      [
        `${amount(summary.candidateCount, 'candidate')} among ${amount(summary.totalAnalyzed, 'function')}, ${summary.observed} of which run; coverage ${coverage.level} (${coverage.overall}), ${amount(summary.observationDays, 'day')}`,
      ],
      [...(truncated ? ['there are more: --limit shows them'] : []), ...limitations],
      ['calls', 'refs'],
    ),
  'telemetry.unmapped': ({ services, total, functions, warnings }) =>
    table(
      ['service', 'events', 'functions', 'last', 'would match'],
      services.map(({ name, eventCount, functions, lastSeen, wouldMatch }) => [
        name,
        String(eventCount),
        String(functions),
        minute(lastSeen),
        wouldMatch.map(({ repoId, matched }) => `${matched} in ${repoId}`).join(', '),
      ]),
      [
        ...warnings,
        ...services
          .filter(({ reason }) => reason === 'unregistered')
          .map(
            ({ name, mappedTo, wouldMatch: [best] }) =>
              `config.toml maps ${name} to ${mappedTo}, which is not registered${best === undefined ? '' : `: it would match ${best.repoId}`}`,
          ),
        ...(total === 0 ? ['every service that reports is of a repository'] : []),
        ...(total > services.length ? [`${services.length} of ${total} services; more with --limit`] : []),
        ...entriesToPaste(services),
        ...functions.map(
          ({ service, repoId, namespace, name, filePath, callCount, reason }) =>
            `no symbol of ${repoId}: ${[namespace, name].filter(Boolean).join(' ')}${filePath === '' ? '' : ` in ${filePath}`}, of ${service}, ${amount(callCount, 'call')} (${reason})`,
        ),
      ],
      ['last'],
    ),
};

/** Lines that can be pasted as they are, all of them at once too: none for what the configuration has an entry of already. */
function entriesToPaste(services: Answer<'telemetry.unmapped'>['services']): Notes {
  const entries = services.flatMap(({ reason, wouldMatch: [best] }) =>
    best === undefined || reason === 'unregistered' ? [] : ['', ...best.entry.split('\n')],
  );
  return entries.length === 0 ? [] : ['# to be added to config.toml, as far as it is right:', ...entries, ''];
}

function coverageNote(repo: string, { overall, level, attribute, match, service }: Coverage): string {
  return `coverage of ${repo}: ${level} (${overall}: attributes ${attribute}, matches ${match}, services ${service})`;
}

function minute(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
