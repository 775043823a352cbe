import type { FactsView } from '../model/facts-codec.ts';
import { type DocumentSummaries, documentSummaries } from './document-summaries.ts';
import type { DocumentViews } from './document-view.ts';
import type { Prepare } from './rows.ts';

/** How large and how complex a document is. */
export interface MeasuredDocument {
  readonly path: string;
  readonly language: string;
  readonly isTest: boolean;
  readonly lineCount: number;
  /** Of all its functions together, as `/complexity` adds them up; 0 where those of its language are not measured. */
  readonly cyclomatic: number;
}

/** Over one connection. */
export function measuredSnapshots(views: DocumentViews, prepare: Prepare): DocumentSummaries<MeasuredDocument> {
  return documentSummaries({
    summariser: () => (document, seq) => {
      const view = views.at(document, seq);
      if (view === undefined) return undefined;
      const { path, language, isTest } = view;
      const facts = view.facts();
      return { path, language, isTest, lineCount: facts.lineCount, cyclomatic: totalCyclomatic(facts) };
    },
    isSame: (one, other) =>
      one.path === other.path &&
      one.language === other.language &&
      one.isTest === other.isTest &&
      one.lineCount === other.lineCount &&
      one.cyclomatic === other.cyclomatic,
    prepare,
  });
}

function totalCyclomatic(facts: FactsView): number {
  let total = 0;
  for (let index = 0; index < facts.complexityCount; index++) total += facts.complexity(index).cyclomatic;
  return total;
}
