import { amount } from '../../client/protocol/amount.ts';
import { affectedView } from './affected.ts';
import { architectureView } from './architecture.ts';
import { completenessNote, openCallsNote } from './notes.ts';
import { because, place, rows, table, type Views } from './view.ts';

/** Analyses. */
export const analysisViews: Views = {
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
        `${amount(impact.directCount, 'place uses', 'places use')} it, ${impact.transitiveCount} more by way of these, in ${amount(impact.filesAffected, 'file')}`,
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
  'analysis.trace': ({ found, path, confidence, reached, truncated, stops, limitations, completeness }) =>
    rows(
      ['where', 'how', 'kind', 'name'],
      found
        ? path.map(({ location, call, kind, name }) => [
            place(call?.location ?? location),
            call?.kind ?? '',
            kind,
            name,
          ])
        : stops.map(({ location, because: why, openCalls, kind, name }) => [
            place(location),
            why === 'no-body' ? 'declared only' : amount(openCalls, 'open call'),
            kind,
            name,
          ]),
      [
        ...(found ? [`confidence ${confidence}`] : [noWay(reached, truncated, stops.length)]),
        ...limitations,
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
  'analysis.architecture': answer =>
    typeof answer === 'string'
      ? { kind: 'text', text: answer }
      : architectureView(answer, completenessNote({ completeness: answer.completeness, total: 0 })),
};

function noWay(reached: number, isPartial: boolean, stops: number): string {
  const among = `no way is known among ${amount(reached, 'symbol')} that it may run`;
  const onwards = stops === 0 ? '' : '; above, where it may go on';
  return `${among}${isPartial ? ', as far as they were looked at' : ''}${onwards}`;
}
