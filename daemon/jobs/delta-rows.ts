import { setImmediate as nextTurn } from 'node:timers/promises';
import type { DeltaCallEdge, DeltaFile, DeltaLists, DeltaRef, DeltaSymbol } from '../../client/protocol/delta.ts';
import { createLinker, type Linker } from '../link/linker.ts';
import { gatherTouched } from '../link/touched.ts';
import { inverse, type ManifestDelta } from '../model/delta.ts';
import type { MountedDocument } from '../model/document.ts';
import { FactsView } from '../model/facts-codec.ts';
import { symbolHash, symbolId } from '../model/identity.ts';
import type { QuestionKey } from '../model/links.ts';
import type { ManifestLine, TreeManifest } from '../model/manifest.ts';
import { scopeOfTail } from '../model/mount.ts';
import { baseName, type RepoPath } from '../model/paths.ts';
import { compareSites, type SiteTraits } from '../model/primary-site.ts';
import type { IndexWriter } from '../store/index-db.ts';
import { rowOfSlot } from '../store/symbol-rows.ts';
import type { FactDesk } from './fact-desk.ts';
import { factKeyOf } from './fact-key.ts';
import { linkingManifest } from './linking-manifest.ts';

export interface DeltaWorld {
  /** The repository's key in the index file. */
  readonly key: string;
  /** As it is indexed; it stands elsewhere while rows are made, and is as it was afterwards. */
  readonly tree: TreeManifest;
  readonly desk: FactDesk;
  readonly writer: Pick<IndexWriter, 'askersOf' | 'definersOf'>;
  readonly signal: AbortSignal;
}

/**
 * What changes in an index server's lists when a tree moves from a base to another: a function of the two trees and their
 * facts. `toBase` leads from the indexed tree to the base, `delta` on from there. Rows are those that syntax gives; what
 * precise indexes say of the same places is evidence beside the tree. `repo` is the repository as symbol ids name it.
 */
export async function deltaLists(
  world: DeltaWorld,
  toBase: ManifestDelta,
  delta: ManifestDelta,
  repo: string,
): Promise<DeltaLists> {
  const { tree } = world;
  const undo: ManifestDelta[] = [];
  const move = (by: ManifestDelta): void => {
    tree.apply(by);
    undo.unshift(inverse(by));
  };
  try {
    const strangers = await touchedBy(toBase, world);
    move(toBase);
    const linked = await pathsToCompare(strangers, delta, world);
    const before = await rowsOf(linked, world, repo);
    const symbols = definedIn(delta, world);
    const around = [...new Set([...world.writer.definersOf(world.key, symbols), ...toBase.keys(), ...delta.keys()])];
    const symbolsBefore = symbolRows(around, symbols, world, repo);
    const files = filesOf(delta, world);
    move(delta);
    const after = await rowsOf(linked, world, repo);
    return {
      files,
      symbols: symbolChanges(symbolsBefore, symbolRows(around, symbols, world, repo)),
      refs: changes(before.refs, after.refs),
      callgraph: changes(before.edges, after.edges),
    };
  } finally {
    for (const back of undo) tree.apply(back);
  }
}

type AskersOf = (questions: Iterable<QuestionKey>) => Iterable<RepoPath>;

/** Paths whose links may differ once a tree has moved: those that changed, and whoever asked about them. */
async function touchedBy(delta: ManifestDelta, world: DeltaWorld): Promise<ReadonlySet<RepoPath>> {
  const askersOf: AskersOf = questions => world.writer.askersOf(world.key, questions);
  const questions = questionsOf(delta, world, askersOf);
  await nextTurn();
  return new Set([...delta.keys(), ...askersOf(questions)]);
}

function questionsOf(delta: ManifestDelta, world: DeltaWorld, askersOf: AskersOf): ReadonlySet<QuestionKey> {
  const { tree, desk, signal } = world;
  const documentOf = (line: ManifestLine | undefined) => (line === undefined ? undefined : desk.shelf.document(line));
  const touched = gatherTouched({ askersOf, document: path => documentOf(tree.get(path)) });
  for (const { path, before, after } of delta.values()) {
    signal.throwIfAborted();
    const cameOrWent = before === undefined || after === undefined;
    touched.add({ path, before: documentOf(before), after: documentOf(after), cameOrWent });
  }
  return touched.questions();
}

/**
 * The same for the step from the base. What documents asked is stored of the indexed tree alone; those that may have asked
 * otherwise at the base (`strangers`) are asked anew.
 */
async function pathsToCompare(
  strangers: ReadonlySet<RepoPath>,
  delta: ManifestDelta,
  world: DeltaWorld,
): Promise<readonly RepoPath[]> {
  const askedAnew = new Map<QuestionKey, RepoPath[]>();
  await linkEach([...strangers], world, (path, _, links) => {
    for (const question of links.questions) {
      const askers = askedAnew.get(question);
      if (askers === undefined) askedAnew.set(question, [path]);
      else askers.push(path);
    }
  });
  const askersOf = function* (questions: Iterable<QuestionKey>): Iterable<RepoPath> {
    yield* world.writer.askersOf(world.key, questions).filter(path => !strangers.has(path));
    for (const question of questions) yield* askedAnew.get(question) ?? [];
  };
  const questions = questionsOf(delta, world, askersOf);
  return [...new Set([...delta.keys(), ...askersOf(questions)])].sort();
}

interface Rows {
  readonly refs: readonly DeltaRef[];
  readonly edges: readonly DeltaCallEdge[];
}

async function rowsOf(paths: readonly RepoPath[], world: DeltaWorld, repo: string): Promise<Rows> {
  const refs: DeltaRef[] = [];
  const edges: DeltaCallEdge[] = [];
  await linkEach(paths, world, (path, document, { targets }) => {
    const { language, references, definitions } = document.facts;
    targets.forEach((target, index) => {
      if (target.kind !== 'symbol') return;
      const { kind, line, column, enclosing } = references[index]!;
      const to = symbolId(repo, symbolHash(target.scope, target.tail));
      refs.push({ from_file: path, to_symbol_id: to, line: line + 1, col: column + 1, kind, language });
      if (kind !== 'call' || enclosing < 0) return;
      const caller = symbolId(repo, hashOf(document, definitions[enclosing]!.tail));
      const place = { caller_file: path, call_line: line + 1, call_col: column + 1 };
      edges.push({ caller_id: caller, callee_id: to, ...place, language });
    });
  });
  return { refs, edges };
}

/** Turns of this long, so that cancellation gets through. */
const sliceMs = 10;
const mostRemembered = 40_000;

/** Links documents of the tree as it stands. */
async function linkEach(
  paths: readonly RepoPath[],
  { tree, desk, signal }: DeltaWorld,
  take: (path: RepoPath, document: MountedDocument, links: ReturnType<Linker['link']>) => void,
): Promise<void> {
  let linker = createLinker(linkingManifest(tree, desk.shelf));
  let sliceStart = performance.now();
  for (const path of paths) {
    const line = tree.get(path);
    const document = line === undefined ? undefined : desk.shelf.document(line);
    if (document !== undefined) take(path, document, linker.link(path));
    if (linker.size > mostRemembered) linker = createLinker(linkingManifest(tree, desk.shelf));
    if (performance.now() - sliceStart < sliceMs) continue;
    await nextTurn();
    signal.throwIfAborted();
    sliceStart = performance.now();
  }
}

function hashOf(document: MountedDocument, tail: string): string {
  return symbolHash(scopeOfTail(document, tail), tail);
}

/** Hashes of the symbols that the changed documents define, before or after. */
function definedIn(delta: ManifestDelta, { desk }: DeltaWorld): ReadonlySet<string> {
  const hashes = new Set<string>();
  for (const { before, after } of delta.values()) {
    for (const line of [before, after]) {
      const document = line === undefined ? undefined : desk.shelf.document(line);
      if (document === undefined) continue;
      for (const { tail } of document.facts.definitions) hashes.add(hashOf(document, tail));
    }
  }
  return hashes;
}

interface Site extends SiteTraits {
  readonly row: () => DeltaSymbol;
}

/** Some symbols of the tree as it stands, each at its primary site among the documents at these paths. */
function symbolRows(
  paths: readonly RepoPath[],
  hashes: ReadonlySet<string>,
  world: DeltaWorld,
  repo: string,
): ReadonlyMap<string, DeltaSymbol> {
  const best = new Map<string, Site>();
  for (const path of paths) {
    for (const [hash, site] of sitesIn(path, hashes, world, repo)) {
      const known = best.get(hash);
      if (known === undefined || compareSites(site, known) < 0) best.set(hash, site);
    }
  }
  return new Map([...best].map(([hash, { row }]) => [hash, row()]));
}

/** Of several sites in one document the first that has a body counts, else the first. */
function sitesIn(
  path: RepoPath,
  hashes: ReadonlySet<string>,
  { tree, desk }: DeltaWorld,
  repo: string,
): ReadonlyMap<string, Site> {
  const sites = new Map<string, Site>();
  const line = tree.get(path);
  const document = line === undefined ? undefined : desk.shelf.document(line);
  if (line === undefined || document === undefined) return sites;
  const { isTest, facts } = document;
  let view: FactsView | undefined;
  facts.definitions.forEach(({ tail, hasBody }, slot) => {
    const hash = hashOf(document, tail);
    const known = sites.get(hash);
    if (!hashes.has(hash) || (known !== undefined && (known.hasBody || !hasBody))) return;
    const row = (): DeltaSymbol => {
      view ??= new FactsView(desk.facts(factKeyOf(line)!)!);
      return symbolRow(document, view, slot, repo);
    };
    sites.set(hash, { path, isTest, hasBody, row });
  });
  return sites;
}

function symbolRow(document: MountedDocument, view: FactsView, slot: number, repo: string): DeltaSymbol {
  const { path, isTest, facts } = document;
  const row = rowOfSlot(
    {
      document: 0,
      path,
      language: facts.language,
      isTest,
      facts: () => view,
      hashOf: one => hashOf(document, view.definitionTail(one)),
    },
    slot,
  );
  return {
    id: symbolId(repo, row.hash),
    name: row.name,
    kind: row.kind,
    file_path: path,
    file_basename: baseName(path),
    line: row.nameRange.startLine + 1,
    column: row.nameRange.startColumn + 1,
    language: row.language,
    documentation: row.documentation,
    signature: row.signature,
    container: row.containers.join('.'),
  };
}

/** The files that come, go and differ; called while the tree is the base. */
function filesOf(delta: ManifestDelta, { desk }: DeltaWorld): DeltaLists['files'] {
  const files = { added: [] as DeltaFile[], modified: [] as DeltaFile[], deleted: [] as string[] };
  for (const path of [...delta.keys()].sort()) {
    const { before, after } = delta.get(path)!;
    if (after === undefined) {
      files.deleted.push(path);
      continue;
    }
    const language = desk.shelf.document(after)?.facts.language ?? '';
    (before === undefined ? files.added : files.modified).push({ path, language, hash: after.entry.hash });
  }
  return files;
}

function symbolChanges(
  before: ReadonlyMap<string, DeltaSymbol>,
  after: ReadonlyMap<string, DeltaSymbol>,
): DeltaLists['symbols'] {
  const symbols = { added: [] as DeltaSymbol[], modified: [] as DeltaSymbol[], deleted: [] as string[] };
  for (const hash of [...new Set([...before.keys(), ...after.keys()])].sort()) {
    const [was, is] = [before.get(hash), after.get(hash)];
    if (is === undefined) symbols.deleted.push(was!.id);
    else if (was === undefined) symbols.added.push(is);
    else if (JSON.stringify(was) !== JSON.stringify(is)) symbols.modified.push(is);
  }
  return symbols;
}

/** What one list has more of than the other, by what the rows say. */
function changes<Row>(before: readonly Row[], after: readonly Row[]): { added: Row[]; deleted: Row[] } {
  return { added: surplus(after, before), deleted: surplus(before, after) };
}

function surplus<Row>(of: readonly Row[], over: readonly Row[]): Row[] {
  const known = new Map<string, number>();
  for (const row of over) {
    const text = JSON.stringify(row);
    known.set(text, (known.get(text) ?? 0) + 1);
  }
  return of.filter(row => {
    const text = JSON.stringify(row);
    const count = known.get(text) ?? 0;
    if (count > 0) known.set(text, count - 1);
    return count === 0;
  });
}
