import type { CodeFile, FileGraph, FileImport, ImportTarget } from '../../model/file-graph.ts';
import { keepNewest } from '../../model/keep-newest.ts';
import type { DocumentViews } from '../document-view.ts';
import { preciseDocumentsOf } from '../precise-table.ts';
import { firstDocument, lastDocument, type Prepare } from '../rows.ts';
import { identityOf, snapshotDigest } from '../snapshot-table.ts';
import { differing } from './differing.ts';
import { type DocumentImports, documentImports } from './document-imports.ts';
import { ImportMeanings, type Lead, type LedImport, ledImports } from './import-leads.ts';
import { testModules } from './test-modules.ts';

/** Graphs of files over one connection: of each repository the newest snapshot's, brought along from publication to publication. */
export interface FileGraphs {
  /** The same object for as long as the snapshot is the same. */
  at(repo: number, seq: number): FileGraph;
}

const graphsKept = 4;

export function fileGraphs(views: DocumentViews, prepare: Prepare): FileGraphs {
  const kept = new Map<number, KeptFiles>();
  return {
    at: (repo, seq) => {
      const known = kept.get(repo);
      if (known?.seq === seq) return known.graph();
      if (known !== undefined && seq < known.seq) return new KeptFiles(repo, seq, views, prepare).graph();
      const next = known?.advanceTo(seq) === true ? known : new KeptFiles(repo, seq, views, prepare);
      keepNewest(kept, repo, next, graphsKept);
      return next.graph();
    },
  };
}

class KeptFiles {
  seq: number;
  readonly #repo: number;
  readonly #views: DocumentViews;
  readonly #prepare: Prepare;
  readonly #isSourceless: boolean;
  readonly #documents = new Map<number, DocumentImports>();
  /** By document; those that may lead elsewhere now are not there. */
  readonly #led = new Map<number, readonly LedImport[]>();
  readonly #meanings: ImportMeanings;
  #numbering: Numbering | undefined;
  /** By document, under those numbers. */
  readonly #imports = new Map<number, readonly FileImport[]>();
  #graph: FileGraph | undefined;

  constructor(repo: number, seq: number, views: DocumentViews, prepare: Prepare) {
    this.#repo = repo;
    this.seq = seq;
    this.#views = views;
    this.#prepare = prepare;
    this.#isSourceless = identityOf(prepare) === 'descriptor';
    this.#meanings = new ImportMeanings(repo, seq, prepare);
    for (const document of this.#linked()) this.#read(document);
  }

  graph(): FileGraph {
    this.#graph ??= this.#assembled();
    return this.#graph;
  }

  /** Brings it to a later snapshot, at the cost of what changed; false where that is not known any more. */
  advanceTo(seq: number): boolean {
    if (snapshotDigest(this.#repo, this.seq, this.#prepare) === undefined) return false;
    const changed = this.#prepare<[number, number, number], { document: number }>(
      'SELECT DISTINCT document FROM changed WHERE repo = ? AND seq > ? AND seq <= ?',
    ).all(this.#repo, this.seq, seq);
    this.seq = seq;
    this.#graph = undefined;
    let moved = false;
    const come = new Set<number>();
    this.#meanings.advanceTo(seq, changed);
    for (const { document } of changed) {
      const [before, now] = this.#readAgain(document);
      if ((before === undefined) !== (now === undefined)) this.#numbering = undefined;
      moved = !isSamePlace(before, now) || moved;
      for (const symbol of differing(before?.defines, now?.defines)) come.add(symbol);
    }
    // What an indexer says of a symbol counts while the snapshot has it.
    const named = [...come].flatMap(symbol => [...preciseDocumentsOf(symbol, this.#repo, this.#prepare)]);
    for (const document of new Set(named)) this.#readAgain(document);
    // What others lead to may be there now, or gone, or another file's.
    if (moved) {
      this.#led.clear();
      this.#imports.clear();
    }
    return true;
  }

  #readAgain(document: number): readonly [before: DocumentImports | undefined, now: DocumentImports | undefined] {
    const before = this.#documents.get(document);
    if (before !== undefined) this.#meanings.remove(before);
    this.#documents.delete(document);
    this.#led.delete(document);
    this.#imports.delete(document);
    return [before, this.#read(document)];
  }

  #read(document: number): DocumentImports | undefined {
    const view = this.#views.at(document, this.seq);
    const read = view && documentImports(view, this.#views.holding(this.#repo, this.seq), this.#isSourceless);
    if (read === undefined) return undefined;
    this.#documents.set(document, read);
    this.#meanings.add(read);
    return read;
  }

  #linked(): readonly number[] {
    return this.#prepare<[number, number, number, number], { document: number }>(
      'SELECT document FROM link WHERE document BETWEEN ? AND ? AND from_seq <= ? AND to_seq > ?',
    )
      .all(firstDocument(this.#repo), lastDocument(this.#repo), this.seq, this.seq)
      .map(({ document }) => document);
  }

  #ledFrom(one: DocumentImports): readonly LedImport[] {
    const known = this.#led.get(one.document) ?? ledImports(one, this.#meanings);
    this.#led.set(one.document, known);
    return known;
  }

  #assembled(): FileGraph {
    const others = new Set<string>();
    for (const one of this.#documents.values()) {
      for (const { to } of this.#ledFrom(one)) if (to.kind === 'path') others.add(to.path);
    }
    const { places } = this.#numbered([...others].sort());
    const tests = this.#testModules();
    const files = places.map(({ document, path }) =>
      document === undefined ? otherFile(path) : fileOf(this.#documents.get(document)!, tests.has(document)),
    );
    const imports = places.flatMap(({ document }) => {
      const those = document === undefined ? [] : this.#importsOf(document);
      return tests.has(document ?? 0) ? those.map(one => ({ ...one, isTest: true })) : those;
    });
    return { files, imports };
  }

  #testModules(): ReadonlySet<number> {
    return testModules(this.#documents.values(), symbol => {
      const lead = this.#meanings.fileOf(symbol);
      return lead?.kind === 'documents' ? lead.documents[0] : undefined;
    });
  }

  /** The numbers of files stay as they are while none comes or goes, and with them what most documents import. */
  #numbered(others: readonly string[]): Numbering {
    const known = this.#numbering;
    if (known !== undefined && known.others.join('\0') === others.join('\0')) return known;
    const places: Place[] = [
      ...[...this.#documents.values()].map(({ document, path }) => ({ document, path })),
      ...others.map(path => ({ document: undefined, path })),
    ].sort((a, b) => (a.path < b.path ? -1 : 1));
    const ofPath = new Map(places.map(({ path }, at) => [path, at]));
    const ofDocument = new Map(places.flatMap(({ document }, at) => (document === undefined ? [] : [[document, at]])));
    this.#imports.clear();
    this.#numbering = { others, places, ofPath, ofDocument };
    return this.#numbering;
  }

  #importsOf(document: number): readonly FileImport[] {
    const known = this.#imports.get(document);
    if (known !== undefined) return known;
    const { ofPath, ofDocument } = this.#numbering!;
    const targetOf = (to: Lead): ImportTarget => {
      if (to.kind === 'documents') {
        return { kind: 'files', files: to.documents.map(one => ofDocument.get(one)!).sort((a, b) => a - b) };
      }
      return to.kind === 'path' ? { kind: 'files', files: [ofPath.get(to.path)!] } : to;
    };
    const from = ofDocument.get(document)!;
    const led = this.#ledFrom(this.#documents.get(document)!);
    const imports = led.map(({ to, ...rest }): FileImport => ({ from, target: targetOf(to), ...rest }));
    this.#imports.set(document, imports);
    return imports;
  }
}

/** A file of the graph: a document, or what is imported and is none. */
interface Place {
  readonly document: number | undefined;
  readonly path: string;
}

interface Numbering {
  /** Sorted. */
  readonly others: readonly string[];
  /** All, by path. */
  readonly places: readonly Place[];
  readonly ofPath: ReadonlyMap<string, number>;
  readonly ofDocument: ReadonlyMap<number, number>;
}

function fileOf({ path, language, loc, symbolCount, isTest }: DocumentImports, isTestModule: boolean): CodeFile {
  return { path, language, loc, symbolCount, isTest: isTest || isTestModule, isCode: true };
}

/** What code imports and is none: a style sheet, data. */
function otherFile(path: string): CodeFile {
  return { path, language: '', loc: 0, symbolCount: 0, isTest: false, isCode: false };
}

/** Whether others find at one what they find at the other. */
function isSamePlace(one: DocumentImports | undefined, other: DocumentImports | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (one.scope !== other.scope || one.isTest !== other.isTest) return false;
  const areDefined = areSame(one.defines, other.defines) && areSame(one.names, other.names);
  return areDefined && areSame(one.opens, other.opens);
}

function areSame(one: Uint32Array, other: Uint32Array): boolean {
  return one.length === other.length && one.every((symbol, at) => symbol === other[at]);
}
