import { amount } from '../../client/protocol/amount.ts';
import { completenessNote } from './notes.ts';
import { type Answer, pairs, rows, type Views } from './view.ts';

/** What documents mention. */
export const docsViews: Views = {
  'docs.index': ({ filesIndexed, documents, symbolsFound, resolved, unresolved, stale, passedOver, duration }) =>
    pairs(
      [
        ['documents', `${documents}, of which ${filesIndexed} were read anew`],
        ['references', String(symbolsFound)],
        ['resolved', String(resolved)],
        ['unresolved', String(unresolved)],
        ['stale', String(stale)],
        ['duration', duration],
      ],
      passedOver.map(({ path, why }) => `${path}: not read (${why})`),
    ),
  'docs.symbol': ({ docs, total, ...answer }) =>
    rows(
      ['where', 'text', 'under', 'state'],
      docs.map(({ path, line, column, rawText, context, resolution, ...more }) => [
        `${path}:${line}:${column}`,
        rawText,
        context,
        resolution === 'stale' ? became(more) : '',
      ]),
      [
        ...(total === 0 ? ['No document mentions it'] : []),
        ...(total > docs.length ? [`${docs.length} of ${total}; more with --limit`] : []),
        ...completenessNote({ ...answer, total: docs.length }),
      ],
      ['under'],
    ),
  'docs.file': answer => {
    const { path, symbols, files, summary, passedOver } = answer;
    return rows(
      ['where', 'text', 'means', 'at'],
      [
        ...symbols.map(({ line, column, rawText, name = '', filePath = '', resolution, ...more }) => [
          `${path}:${line}:${column}`,
          rawText,
          resolution === 'stale' ? became(more) : name,
          filePath,
        ]),
        ...files.map(({ line, column, rawText, target = '', resolution, ...more }) => [
          `${path}:${line}:${column}`,
          rawText,
          resolution === 'stale' ? became(more) : 'file',
          target,
        ]),
      ],
      [
        `${amount(summary.resolved, 'reference')} resolved, ${summary.stale} stale, ${summary.unresolved} that may mean anything`,
        ...(passedOver === undefined ? [] : [`Nothing of it was read: ${passedOver}`]),
      ],
      ['at'],
    );
  },
  'docs.stale': ({ reports, directives, totalStale, totalDocs }) =>
    rows(
      ['where', 'text', 'what became of it'],
      reports.flatMap(({ docPath, stale }) =>
        stale.map(({ line, column, rawText, ...more }) => [`${docPath}:${line}:${column}`, rawText, became(more)]),
      ),
      [
        `${amount(totalStale, 'stale reference')} in ${amount(totalDocs, 'document')}`,
        ...directives.map(one => `${one.docPath}:${one.line}: ${one.directive} says nothing (${one.problem})`),
        ...(reports.some(({ stale }) => stale.some(isRenamed)) ? ['svc docs fix shows what would mend them'] : []),
      ],
    ),
  'docs.coverage': ({ totalSymbols, documentedSymbols, coverage, withDocComments, topUndocumented, completeness }) =>
    rows(
      ['centrality', 'kind', 'name', 'where'],
      topUndocumented.map(({ centrality, kind, name, filePath, line }) => [
        centrality.toFixed(4),
        kind,
        name,
        `${filePath}:${line}`,
      ]),
      [
        `Documents mention ${documentedSymbols} of ${amount(totalSymbols, 'public symbol')} (${Math.floor(coverage * 100)} %); ${withDocComments} have comments of their own`,
        ...completenessNote({ completeness, total: totalSymbols }),
      ],
    ),
  'docs.module': ({ docs, total }) =>
    rows(
      ['where', 'directive'],
      docs.map(({ path, line, directive }) => [`${path}:${line}`, directive]),
      total === 0 ? ['No document says that it is about it: <!-- svc:module ID --> does'] : [],
    ),
};

type Stale = Pick<Answer<'docs.stale'>['reports'][number]['stale'][number], 'suggestion'> & {
  readonly reason?: string;
};

function isRenamed({ suggestion, reason }: Stale): boolean {
  return suggestion !== undefined && reason !== 'route_deleted';
}

/** `renamed: now parseConfig`. */
function became({ reason = '', suggestion }: Stale): string {
  const what = reason.replace(/^(?:symbol|file|route)_/, '');
  const word = reason === 'route_deleted' ? 'most like it is' : 'now';
  return suggestion === undefined ? what : `${what}: ${word} ${suggestion}`;
}
