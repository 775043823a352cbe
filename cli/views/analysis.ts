import { amount } from '../../client/protocol/amount.ts';
import { qualifiedName } from '../../client/protocol/qualified-name.ts';
import { affectedView } from './affected.ts';
import { architectureView } from './architecture.ts';
import { completenessNote, openCallsNote } from './notes.ts';
import { because, judged, place, table, type Views } from './view.ts';

/** Analyses. */
export const analysisViews: Views = {
  'analysis.impact': ({ affected, impact, truncated, completeness }) =>
    judged(
      ['where', 'relation', 'distance', 'confidence', 'kind', 'name'],
      affected.map(({ location, relation, distance, confidence, kind, name }) => [
        place(location),
        relation,
        String(distance),
        String(confidence),
        kind,
        name,
      ]),
      [`risk ${impact.level} (${impact.score})${because(impact.unknownBecause ?? '')}`],
      [
        ...(truncated
          ? [`${amount(impact.directCount + impact.transitiveCount, 'place')} in all: --limit shows more`]
          : []),
        `${usersOf(impact.directCount, impact.transitiveCount)}, in ${amount(impact.filesAffected, 'file')}`,
        ...(impact.testsAffected.length === 0 ? [] : [`tests: ${impact.testsAffected.join(' ')}`]),
        ...completenessNote({ completeness, total: affected.length }),
      ],
      ['confidence', 'distance', 'kind'],
    ),
  'analysis.affected': affectedView,
  'analysis.callgraph': ({ nodes, edges, direction, truncated, completeness }) => {
    const shown = new Map(nodes.map(node => [node.id, node]));
    return judged(
      ['where', 'caller', 'how', 'callee', 'calls', 'confidence', 'source'],
      edges.map(({ callerId, callerFile, calleeId, kind, location, calls, confidence, source }) => {
        const callee = shown.get(calleeId);
        return [
          // What is called by no place of its own is shown where it stands.
          place(location ?? callee!.location),
          callerId === null ? callerFile : qualifiedName(shown.get(callerId) ?? unnamed),
          kind,
          qualifiedName(callee ?? unnamed),
          String(calls),
          String(confidence),
          source,
        ];
      }),
      edges.length === 0 ? [noCalls[direction]] : [],
      [
        ...(truncated ? [`more than ${amount(nodes.length, 'symbol')}: --limit shows more`] : []),
        ...openCallsNote(nodes.reduce((sum, { openCalls }) => sum + openCalls, 0)),
        ...completenessNote({ completeness, total: edges.length }),
      ],
      ['source', 'confidence', 'calls'],
    );
  },
  'analysis.trace': ({ found, path, confidence, reached, truncated, stops, limitations, completeness }) =>
    judged(
      ['step', 'where', 'how', 'kind', 'name'],
      found
        ? path.map(({ location, call, kind, ...node }, step) => [
            String(step),
            place(call?.location ?? location),
            call?.kind ?? 'from',
            kind,
            qualifiedName(node),
          ])
        : stops.map(({ location, because: why, openCalls, kind, ...node }) => [
            'stop',
            place(location),
            why === 'no-body' ? 'declared only' : amount(openCalls, 'open call'),
            kind,
            qualifiedName(node),
          ]),
      [found ? `confidence ${confidence}` : noWay(reached, truncated, stops.length)],
      [...limitations, ...completenessNote({ completeness, total: path.length })],
    ),
  'analysis.complexity': ({ filePath, aggregate, functions = [], truncated, partial, completeness }) =>
    table(
      ['where', 'cyclomatic', 'cognitive', 'lines', 'parameters', 'name'],
      functions.map(({ name, container, line, cyclomatic, cognitive, lines, parameters }) => [
        `${filePath}:${line}`,
        ...[cyclomatic, cognitive, lines, parameters].map(String),
        qualifiedName({ container, name }),
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
      ['parameters', 'lines'],
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
        `${summary.unwiredCount} of ${amount(summary.totalExported, 'exported symbol')} unwired, ${summary.reachableCount} reached from ${amount(entrypoints.length, 'entrypoint')} or from what libraries offer, ${summary.uncertainCount} less sure: --min-confidence shows them`,
        ...limitations,
        ...completenessNote({ completeness, total: summary.totalExported }),
      ],
      ['in tests', 'uses', 'why', 'confidence'],
    ),
  'analysis.architecture': answer =>
    typeof answer === 'string'
      ? { kind: 'text', text: answer }
      : architectureView(answer, completenessNote({ completeness: answer.completeness, total: 0 })),
};

const unnamed = { name: '' };

const noCalls = {
  callers: 'nothing is known to call it',
  callees: 'it calls nothing that is known',
  both: 'nothing is known to call it, and it calls nothing that is known',
};

function usersOf(direct: number, others: number): string {
  const itself = amount(direct, 'place uses', 'places use');
  return direct === 0 && others > 0
    ? `no place uses it itself, ${others} by way of what it overrides or of what makes it`
    : `${itself} it, ${others} more by way of these`;
}

function noWay(reached: number, isPartial: boolean, stops: number): string {
  const among = `no way is known among ${amount(reached, 'symbol')} that it may run`;
  const onwards = stops === 0 ? '' : '; above, where it may go on';
  return `${among}${isPartial ? ', as far as they were looked at' : ''}${onwards}`;
}
