import { startNames } from '../model/module.ts';
import { isToolConfiguration } from '../model/tool-configurations.ts';
import type { DocumentViews } from './document-view.ts';
import { firstDocument, lastDocument, type Prepare } from './rows.ts';
import { snapshotDigest } from './snapshot-table.ts';
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

/** Of each repository what its newest snapshot tells, brought along from publication to publication. */
export interface ToldSnapshots {
  /** The same value for as long as no document tells anything else: edits of bodies leave it what it is. */
  at(repo: number, seq: number): ToldDocuments;
}

interface Kept {
  readonly seq: number;
  readonly documents: ToldDocuments;
}

const repositoriesKept = 4;

/** Over one connection. */
export function toldSnapshots(views: DocumentViews, prepare: Prepare): ToldSnapshots {
  const kept = new Map<number, Kept>();
  return {
    at: (repo, seq) => {
      const known = kept.get(repo);
      if (known?.seq === seq) return known.documents;
      const documents = (known && later(known, repo, seq, views, prepare)) ?? allTold(repo, seq, views, prepare);
      // A question may come late, of a snapshot that another publication overtook.
      if (known !== undefined && seq < known.seq) return documents;
      kept.delete(repo);
      kept.set(repo, { seq, documents });
      if (kept.size > repositoriesKept) for (const oldest of [...kept.keys()].slice(0, 1)) kept.delete(oldest);
      return documents;
    },
  };
}

function allTold(repo: number, seq: number, views: DocumentViews, prepare: Prepare): ToldDocuments {
  const linked = prepare<[number, number, number, number], { document: number }>(
    'SELECT document FROM link WHERE document BETWEEN ? AND ? AND from_seq <= ? AND to_seq > ?',
  ).all(firstDocument(repo), lastDocument(repo), seq, seq);
  const defining = documentsDefining(repo, prepare);
  const told = new Map<number, ToldDocument>();
  for (const { document } of linked) {
    const one = toldBy(document, seq, defining, views);
    if (one !== undefined) told.set(document, one);
  }
  return told;
}

/** What a later snapshot tells; undefined where what changed since is not known any more. */
function later(
  { seq: before, documents }: Kept,
  repo: number,
  seq: number,
  views: DocumentViews,
  prepare: Prepare,
): ToldDocuments | undefined {
  if (seq < before || snapshotDigest(repo, before, prepare) === undefined) return undefined;
  const changed = prepare<[number, number, number], { document: number }>(
    'SELECT DISTINCT document FROM changed WHERE repo = ? AND seq > ? AND seq <= ?',
  ).all(repo, before, seq);
  const defining = documentsDefining(repo, prepare);
  let next: Map<number, ToldDocument> | undefined;
  for (const { document } of changed) {
    const one = toldBy(document, seq, defining, views);
    if (isSame(one, documents.get(document))) continue;
    next ??= new Map(documents);
    if (one === undefined) next.delete(document);
    else next.set(document, one);
  }
  return next ?? documents;
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

function isSame(one: ToldDocument | undefined, other: ToldDocument | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
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
