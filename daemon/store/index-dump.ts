import { hashesOf } from './asked.ts';
import { openForReading, translated } from './connection.ts';
import { type DocumentView, type DocumentViews, documentViews } from './document-view.ts';
import { type Holds, occurrencesIn, referenceAt, targetsIn, unresolvedIn } from './effective-links.ts';
import { noneChecked } from './fact-table.ts';
import { importsOf } from './imports-of.ts';
import { indexFile } from './index-file.ts';
import { elsewhere } from './link-format.ts';
import { askedFor, currentLink } from './link-table.ts';
import { manifestOf } from './manifest-table.ts';
import { preciseRow } from './precise-table.ts';
import { referencePage } from './reference-rows.ts';
import { firstDocument, hintTables, lastDocument, type Prepare, preparer } from './rows.ts';
import { latestSnapshot, repoRow } from './snapshot-table.ts';
import { definitionSites } from './symbol-rows.ts';

/**
 * Everything that the newest snapshot of a repository says, as sorted lines of text that name no row, sequence or time:
 * two files that hold the same snapshot give the same lines, whatever history each has. Covers what readers go by, the
 * hints that lead them to a document and what is counted by these included.
 */
export function dumpIndex(file: string, key: string): readonly string[] {
  const connection = openForReading(
    file,
    indexFile(() => ''),
  );
  try {
    return translated(() => connection.transaction(() => linesOf(key, preparer(connection))).deferred());
  } finally {
    connection.close();
  }
}

function linesOf(key: string, prepare: Prepare): readonly string[] {
  const repo = repoRow(key, prepare);
  const snapshot = repo === undefined ? undefined : latestSnapshot(repo, prepare);
  if (repo === undefined || snapshot === undefined) return [];
  const lines = [
    `snapshot\t${snapshot.snapshotId}\t${snapshot.evidenceId}`,
    `counts\t${canonical(snapshot.counts)}`,
    ...manifestLines(key, prepare),
  ];
  const views = documentViews(prepare, 64 * 1024 * 1024, noneChecked());
  const names = namesBy(prepare);
  for (const id of documentsOf(repo, prepare)) {
    const view = views.at(id, snapshot.seq);
    if (view === undefined) continue;
    lines.push(
      ...documentLines(view, views.holding(repo, snapshot.seq), names),
      ...importLines(view, names),
      ...preciseLines(view, prepare),
      ...hintLines(view, names, prepare),
      askedLine(view, prepare),
    );
    lines.push(...answerLines(view, { repo, seq: snapshot.seq }, views, names, prepare));
  }
  return lines.sort();
}

function* manifestLines(key: string, prepare: Prepare): Iterable<string> {
  for (const { entry, version, scope } of manifestOf(key, prepare)) {
    yield ['entry', entry.path, entry.hash, entry.dialect, version, scope, entry.skip].join('\t');
  }
}

function* documentLines(view: DocumentView, holds: Holds, names: Names): Iterable<string> {
  const { links, path } = view;
  const facts = view.facts();
  yield ['document', path, view.language, view.scope, view.isTest].join('\t');
  for (let slot = 0; slot < facts.definitionCount; slot++) {
    const { name, kind, nameRange, signature, visibility, exported } = facts.definition(slot);
    const symbol = names.symbol(links.symbolOfSlot(slot));
    yield ['definition', path, slot, symbol, name, kind, canonical(nameRange), visibility, exported, signature].join(
      '\t',
    );
  }
  for (const symbol of targetsIn(view)) {
    for (const packed of holds(symbol) ? occurrencesIn(view, symbol, holds) : []) {
      const { kind, line, column } = referenceAt(view, view.facts, packed >>> 7);
      yield ['reference', path, line, column, kind, names.symbol(symbol), packed & 127].join('\t');
    }
  }
  for (const name of links.unresolvedNames()) {
    for (const packed of unresolvedIn(view, name, holds)) {
      const { kind, line, column } = facts.reference(packed >>> 3);
      const use = (packed & 7) === elsewhere ? `${kind} elsewhere` : kind;
      yield ['candidate', path, line, column, use, names.name(name)].join('\t');
    }
  }
}

/** Where its imports lead. */
function* importLines(view: DocumentView, names: Names): Iterable<string> {
  for (const { index, line, typeOnly, to } of importsOf(view)) {
    const { specifier, name } = view.facts().import(index);
    const target = to === undefined ? 'unresolved' : `${to.kind} ${names.symbol(to.symbol)}`;
    yield ['import', view.path, line, specifier, name, typeOnly, target].join('\t');
  }
}

/** What an indexer says of the document, whether it holds or not. */
function* preciseLines({ document, path }: DocumentView, prepare: Prepare): Iterable<string> {
  const { evidence } = currentLink(document, prepare)!;
  if (evidence === 0) return;
  const { indexer, content, context } = preciseRow(evidence, prepare);
  yield ['precise', path, indexer, content.toString('hex'), context].join('\t');
}

/** The hints that lead to this version of the document; those of versions that are kept a while are left out. */
function* hintLines(view: DocumentView, names: Names, prepare: Prepare): Iterable<string> {
  const { links, path, document } = view;
  const wanted = {
    definition: links.symbols(),
    post: links.pointsAt(),
    bearer: links.names(),
    candidate: links.unresolvedNames(),
  };
  for (const table of hintTables) {
    const find = prepare<[number, number]>(`SELECT 1 FROM ${table} WHERE key = ? AND document = ?`);
    for (const key of wanted[table]) {
      if (find.get(key, document) === undefined) continue;
      const isName = table === 'bearer' || table === 'candidate';
      yield ['hint', table, path, isName ? names.name(key) : names.symbol(key)].join('\t');
    }
  }
}

/** What is counted for the document's symbols, which hangs on hints of other documents. */
function* answerLines(
  { links }: DocumentView,
  { repo, seq }: { readonly repo: number; readonly seq: number },
  views: DocumentViews,
  names: Names,
  prepare: Prepare,
): Iterable<string> {
  const query = { includeTests: true, includeDefinition: false, merge: 'prefer-first', offset: 0, limit: 0 } as const;
  for (const symbol of links.symbols()) {
    const sites = definitionSites(symbol, repo, seq, views, prepare);
    const { total, unresolvedCandidates, syntaxOnly } = referencePage(
      { symbol, repo, seq, sites },
      query,
      views,
      prepare,
    );
    yield ['answer', names.symbol(symbol), total, unresolvedCandidates, syntaxOnly].join('\t');
  }
}

function askedLine(view: DocumentView, prepare: Prepare): string {
  const asked = askedFor(currentLink(view.document, prepare)!.body, prepare);
  const find = prepare<[number, number]>('SELECT 1 FROM question WHERE key = ? AND document = ?');
  const held = [...hashesOf(asked)].filter(key => find.get(key, view.document) !== undefined);
  return ['asked', view.path, ...held].join('\t');
}

function documentsOf(repo: number, prepare: Prepare): readonly number[] {
  return prepare<[number, number], { id: number }>('SELECT id FROM document WHERE id BETWEEN ? AND ?')
    .all(firstDocument(repo), lastDocument(repo))
    .map(row => row.id);
}

interface Names {
  symbol(row: number): string;
  name(row: number): string;
}

function namesBy(prepare: Prepare): Names {
  const symbol = prepare<[number], { hash: Buffer }>('SELECT hash FROM symbol WHERE id = ?');
  const external = prepare<[number], { manager: string; package: string; name: string }>(
    'SELECT manager, package, name FROM external WHERE symbol = ?',
  );
  const name = prepare<[number], { text: string }>('SELECT text FROM name WHERE id = ?');
  return {
    symbol: row => {
      const outside = external.get(row);
      const hash = symbol.get(row)?.hash.toString('hex') ?? '?';
      return outside === undefined ? hash : `${hash} ${outside.manager}:${outside.package}:${outside.name}`;
    },
    name: row => name.get(row)?.text ?? '?',
  };
}

/** JSON with sorted keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
