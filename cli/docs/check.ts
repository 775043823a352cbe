import { amount } from '../../client/protocol/amount.ts';
import type { OutputOf } from '../../client/protocol/operation.ts';
import type { Operations } from '../../client/protocol/registry.ts';
import type { Finding } from '../gate/findings.ts';
import type { Ask } from '../gate/measure.ts';
import { writeOutcome } from '../gate/report.ts';
import type { Session } from '../session.ts';
import type { CheckAsked } from './commands.ts';

/** Exit code where a gate fails. */
const failed = 1;

/** Holds documents against the code; resolves with the exit code. `path`: as the daemon has it. */
export async function checkDocs(
  session: Session,
  { failUnder, failsOnStale, exportedOnly, format }: CheckAsked,
  path: string | undefined,
  ask: Ask,
): Promise<number> {
  const stale = await ask('docs.stale', path === undefined ? {} : { path });
  const coverage = await ask('docs.coverage', { exportedOnly, topN: 3 });
  const isThin = failUnder !== undefined && coverage.totalSymbols > 0 && percentOf(coverage) < failUnder;
  const isFailed = isThin || (failsOnStale && stale.totalStale > 0);
  const findings = [
    ...staleFindings(stale),
    ...directiveFindings(stale),
    ...(isThin ? thinFindings(coverage, failUnder) : []),
  ];
  writeOutcome(
    { ...session, format: format === 'json' ? 'json' : session.format },
    format === 'github' || format === 'sarif' ? format : undefined,
    {
      failed: isFailed,
      findings,
      known: 0,
      notes: [
        `${amount(stale.totalStale, 'stale reference')} in ${amount(stale.totalDocs, 'document')}`,
        `Documents mention ${coverage.documentedSymbols} of ${amount(coverage.totalSymbols, 'public symbol')} (${percentOf(coverage)} %${failUnder === undefined ? '' : `, ${failUnder} at least`})`,
      ],
    },
  );
  return isFailed ? failed : 0;
}

type Coverage = OutputOf<Operations['docs.coverage']>;

/** Rounded down, so that no bound is met by rounding. */
function percentOf({ documentedSymbols, totalSymbols }: Coverage): number {
  return totalSymbols === 0 ? 100 : Math.floor((documentedSymbols / totalSymbols) * 100);
}

/** References to what is no more. */
export function staleFindings({ reports }: OutputOf<Operations['docs.stale']>): readonly Finding[] {
  return reports.flatMap(({ docPath, stale }) =>
    stale.map(({ line, column, endColumn, rawText, reason, suggestion }) => ({
      ...{ rule: 'docs/stale', path: docPath, line, column, endColumn, name: rawText },
      message: `${rawText}: ${wordsOf[reason]}${suggestion === undefined ? '' : `; ${reason === 'route_deleted' ? 'most like it is' : 'now'} ${suggestion}`}`,
    })),
  );
}

/** Comments that tell nothing: whoever wrote one takes it for heard. */
function directiveFindings({ directives }: OutputOf<Operations['docs.stale']>): readonly Finding[] {
  return directives.map(({ docPath, line, directive, problem }) => ({
    ...{ rule: 'docs/directive', path: docPath, line, name: directive, level: 'warning' },
    message: `${directive} ${problemsOf[problem]}`,
  }));
}

const problemsOf = {
  unknown_directive: 'is no directive: svc:module ID, svc:symbol NAME and svc:known_symbols A B are',
  unknown_module: 'names no module, and no folder',
  unknown_symbol: 'names no symbol, or several',
} as const;

const wordsOf = {
  symbol_deleted: 'is no more',
  symbol_renamed: 'was renamed',
  symbol_moved: 'was moved',
  file_deleted: 'is no more',
  file_moved: 'was moved',
  file_missing: 'is no file',
  route_deleted: 'is no route',
} as const;

/** One, at the most central of what is missing. */
function thinFindings(coverage: Coverage, failUnder: number): readonly Finding[] {
  const [first] = coverage.topUndocumented;
  if (first === undefined) return [];
  const names = coverage.topUndocumented.map(({ name }) => name).join(', ');
  const percent = percentOf(coverage);
  return [
    {
      ...{ rule: 'docs/coverage', path: first.filePath, line: first.line, name: first.name },
      message: `documents mention ${percent} % of what is public, ${failUnder} at least; most used of the rest: ${names}`,
      ...{ value: percent, limit: failUnder },
    },
  ];
}
