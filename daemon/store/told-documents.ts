import { startNames } from '../model/module.ts';
import { isToolConfiguration } from '../model/tool-configurations.ts';
import { type DocumentSummaries, documentSummaries } from './document-summaries.ts';
import type { DocumentViews } from './document-view.ts';
import { firstDocument, lastDocument, type Prepare } from './rows.ts';
import { bearsTests } from './test-marks.ts';

/** What a document tells of the parts of its repository. */
export interface ToldDocument {
  readonly path: string;
  readonly language: string;
  readonly isTest: boolean;
  readonly scope: string;
  /** See `DocumentFacts`: '' where it says nothing of how something is built or run. */
  readonly configuration: string;
  /** Tails of what it defines under the name `main` or `Main`, sorted. */
  readonly mains: readonly string[];
  /** A function in it bears a mark by which runners of its language find tests: see `bearsTests`. */
  readonly bearsTests: boolean;
}

/** By document number. */
export type ToldDocuments = ReadonlyMap<number, ToldDocument>;

/**
 * Of each repository what its newest snapshot tells: the same value for as long as no document tells anything else, so that
 * edits of bodies leave it what it is. Over one connection.
 */
export function toldSnapshots(views: DocumentViews, prepare: Prepare): DocumentSummaries<ToldDocument> {
  return documentSummaries({
    summariser: repo => {
      const defining = documentsDefining(repo, prepare);
      return (document, seq) => toldBy(document, seq, defining, views);
    },
    isSame,
    prepare,
  });
}

/** Documents that define something under one of those names in some version that is kept. */
function documentsDefining(repo: number, prepare: Prepare): ReadonlySet<number> {
  const find = prepare<[string, number, number], { document: number }>(
    'SELECT document FROM bearer WHERE key = (SELECT id FROM name WHERE text = ?) AND document BETWEEN ? AND ?',
  );
  const rows = startNames.flatMap(name => find.all(name, firstDocument(repo), lastDocument(repo)));
  return new Set(rows.map(({ document }) => document));
}

function toldBy(
  document: number,
  seq: number,
  defining: ReadonlySet<number>,
  views: DocumentViews,
): ToldDocument | undefined {
  const view = views.at(document, seq);
  if (view === undefined) return undefined;
  const { path, language, isTest, scope } = view;
  const configuration = configurationTold({ path, language, isTest }, () => view.facts().configuration);
  const mains = defining.has(document) ? mainsOf(view) : [];
  return { path, language, isTest, scope, configuration, bearsTests: bearsTests(language, view.facts), mains };
}

/** '' of files that say nothing of how something is built, run or loaded. */
function configurationTold(
  { path, language, isTest }: Pick<ToldDocument, 'path' | 'language' | 'isTest'>,
  written: () => string,
): string {
  if (language === 'typescript' || language === 'javascript') {
    // Settings are those of tools' configurations; what is loaded or built, and a first line for being run, may stand anywhere.
    const configuration = written();
    return isToolConfiguration(path) || /"(?:globs|loads|builds|runs)":/.test(configuration) ? configuration : '';
  }
  // What texts of tests name, tests load.
  if (isTest && /^(?:python|java|php)$/.test(language) && !/(?:^|\/)(?:setup|conf)\.py$/.test(path)) return '';
  return /^(?:configuration|python|ruby|java|kotlin|csharp|dart|php)$/.test(language) ? written() : '';
}

function mainsOf(view: NonNullable<ReturnType<DocumentViews['at']>>): readonly string[] {
  const facts = view.facts();
  const tails = new Set<string>();
  for (let slot = 0; slot < facts.definitionCount; slot++) {
    if (startNames.includes(facts.definitionName(slot))) tails.add(facts.definitionTail(slot));
  }
  return [...tails].sort();
}

function isSame(one: ToldDocument, other: ToldDocument): boolean {
  return (
    one.path === other.path &&
    one.language === other.language &&
    one.isTest === other.isTest &&
    one.scope === other.scope &&
    one.configuration === other.configuration &&
    one.bearsTests === other.bearsTests &&
    one.mains.join('\n') === other.mains.join('\n')
  );
}
