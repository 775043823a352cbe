import type { DeltaFile, DeltaLists, DeltaSymbol } from '../../../client/protocol/delta.ts';
import { inverse, type ManifestDelta } from '../../model/delta.ts';
import type { MountedDocument } from '../../model/document.ts';
import { FactsView } from '../../model/facts-codec.ts';
import { symbolHash, symbolId } from '../../model/identity.ts';
import type { TreeManifest } from '../../model/manifest.ts';
import { scopeOfTail } from '../../model/mount.ts';
import { baseName, type RepoPath } from '../../model/paths.ts';
import { compareSites, type SiteTraits } from '../../model/primary-site.ts';
import type { QuestionKey } from '../../model/question.ts';
import type { ReferenceGroups } from '../../model/reference-groups.ts';
import type { IndexWriter } from '../../store/index-db.ts';
import { type FinishedBatch, growingBatch } from '../../store/link-batch.ts';
import { LinkBody } from '../../store/link-body.ts';
import type { LinkedDocument } from '../../store/publication.ts';
import type { ReferenceTargets } from '../../store/stored-targets.ts';
import { rowOfSlot } from '../../store/symbol-rows.ts';
import { documentLinker } from '../document-linker.ts';
import type { FactDesk } from '../fact-desk.ts';
import { factKeyOf } from '../fact-key.ts';
import { inSlices } from '../in-slices.ts';
import { questionsTouched, touchedBy, wholly } from '../touched-documents.ts';
import { rowChanges } from './references.ts';

export interface DeltaWorld {
  /** The repository's key in the index file. */
  readonly key: string;
  /** As it is indexed; it stands elsewhere while rows are made, and is as it was afterwards. */
  readonly tree: TreeManifest;
  readonly desk: FactDesk;
  readonly writer: Pick<IndexWriter, 'askersOf' | 'groupsThatAsked' | 'definersOf' | 'targetsOf'>;
  readonly signal: AbortSignal;
}

/** What changes in an index server's lists, and what was linked to find out. */
export interface FoundDelta {
  readonly lists: DeltaLists;
  /** Of the new tree: the changed documents and whoever asked about them at the base. */
  readonly linked: FinishedBatch;
}

/**
 * What changes in an index server's lists when a tree moves from a base to another: a function of the two trees and their
 * facts. `toBase` leads from the indexed tree to the base, `delta` on from there. Rows are those that syntax gives; what
 * precise indexes say of the same places is evidence beside the tree. `repo` is the repository as symbol ids name it.
 */
export async function findDelta(
  world: DeltaWorld,
  toBase: ManifestDelta,
  delta: ManifestDelta,
  repo: string,
): Promise<FoundDelta> {
  const { tree, writer, key } = world;
  const undo: ManifestDelta[] = [];
  const move = (by: ManifestDelta): void => {
    tree.apply(by);
    undo.unshift(inverse(by));
  };
  try {
    const strangers = await touchedBy(toBase, touchable(world));
    move(toBase);
    const base = await linkAtBase(strangers, world);
    const groups = await groupsToCompare(base, delta, world);
    const paths = [...groups.keys()].sort();
    const before = new Map([
      ...writer.targetsOf(
        key,
        paths.filter(path => !strangers.has(path)),
      ),
      ...base.targets,
    ]);
    const rows = rowChanges(repo);
    for (const path of [...delta.keys()].sort()) rows.before(documentAt(path, world), before.get(path));
    const symbols = definedIn(delta, world);
    const around = [...new Set([...writer.definersOf(key, symbols), ...toBase.keys(), ...delta.keys()])];
    const symbolsBefore = symbolRows(around, symbols, world, repo);
    const files = filesOf(delta, world);
    move(delta);
    const { targets: after, linked } = await linkAll(groups, world);
    for (const path of paths) {
      const { document, targets, again } = after.get(path) ?? {};
      if (delta.has(path)) rows.after(document, targets);
      else rows.between(document, before.get(path), targets, again);
    }
    const symbolsAfter = symbolRows(around, symbols, world, repo);
    const lists = { files, symbols: symbolChanges(symbolsBefore, symbolsAfter), ...rows.result() };
    return { lists, linked };
  } finally {
    for (const back of undo) tree.apply(back);
  }
}

function documentAt(path: RepoPath, { tree, desk }: Pick<DeltaWorld, 'tree' | 'desk'>): MountedDocument | undefined {
  const line = tree.get(path);
  return line === undefined ? undefined : desk.shelf.document(line);
}

/** As the module of what is touched wants it. */
function touchable({ tree, desk, signal, ...world }: DeltaWorld) {
  return { ...world, tree, document: desk.shelf.document, check: () => signal.throwIfAborted() };
}

/** What is stored is of the indexed tree alone: strangers are those that may ask otherwise at the base, and which groups of theirs. */
interface AtBase {
  readonly strangers: ReadonlyMap<RepoPath, ReferenceGroups>;
  /** Of the strangers. */
  readonly targets: ReadonlyMap<RepoPath, ReferenceTargets>;
  /** By what their groups asked. */
  readonly asked: ReadonlyMap<QuestionKey, ReadonlyMap<RepoPath, ReferenceGroups>>;
}

/** Links the strangers. The tree stands at the base. */
async function linkAtBase(strangers: AtBase['strangers'], world: DeltaWorld): Promise<AtBase> {
  const asked = new Map<QuestionKey, Map<RepoPath, ReferenceGroups>>();
  const linked = await linkAll(strangers, world, ({ links, document }) => {
    for (const { question, groups } of links.questions) {
      const askers = asked.get(question.key) ?? new Map<RepoPath, ReferenceGroups>();
      asked.set(question.key, askers.set(document.path, groups));
    }
  });
  const stored = world.writer.targetsOf(world.key, strangers.keys());
  const targets = new Map<RepoPath, ReferenceTargets>();
  for (const [path, { targets: anew, again }] of linked.targets) {
    const before = stored.get(path);
    if (again === undefined || before === undefined) targets.set(path, anew);
    else {
      const isAnew = new Set(again);
      const length = Math.max(before.length, anew.length);
      targets.set(path, { length, at: index => (isAnew.has(index) ? anew : before).at(index) });
    }
  }
  return { strangers, targets, asked };
}

/** What the step from the base touches: the changed documents, and whoever asked about them there: the groups that did. */
async function groupsToCompare(
  { strangers, asked }: AtBase,
  delta: ManifestDelta,
  world: DeltaWorld,
): Promise<ReadonlyMap<RepoPath, ReferenceGroups>> {
  const groupsThatAsked = (questions: Iterable<QuestionKey>): ReadonlyMap<RepoPath, ReferenceGroups> => {
    const found = new Map<RepoPath, ReferenceGroups>();
    const add = (path: RepoPath, groups: ReferenceGroups): void => {
      if (groups !== 0) found.set(path, groups | (found.get(path) ?? 0));
    };
    for (const [path, groups] of world.writer.groupsThatAsked(world.key, questions)) {
      add(path, groups & ~(strangers.get(path) ?? 0));
    }
    for (const question of questions) for (const [path, groups] of asked.get(question) ?? []) add(path, groups);
    return found;
  };
  const askersOf = (questions: Iterable<QuestionKey>) => groupsThatAsked(questions).keys();
  const questions = await questionsTouched(delta, askersOf, touchable(world));
  return new Map([...groupsThatAsked(questions), ...wholly(delta)]);
}

interface Linked {
  readonly targets: ReadonlyMap<RepoPath, LinkedTargets>;
  readonly linked: FinishedBatch;
}

interface LinkedTargets {
  readonly document: MountedDocument;
  readonly targets: ReferenceTargets;
  /** Of which references, where not of all. */
  readonly again: readonly number[] | undefined;
}

/** Links some groups of documents of the tree as it stands. */
async function linkAll(
  groups: ReadonlyMap<RepoPath, ReferenceGroups>,
  { tree, desk, signal }: DeltaWorld,
  onLinked: (linked: LinkedDocument) => void = () => {},
): Promise<Linked> {
  const batch = growingBatch();
  const targets = new Map<RepoPath, LinkedTargets>();
  const link = documentLinker(tree, desk.shelf);
  const check = (): void => signal.throwIfAborted();
  await inSlices([...groups.keys()].sort(), check, path => {
    const linked = link(path, groups.get(path));
    if (linked === undefined) return;
    const { body, again } = batch.add(linked);
    const { document } = linked;
    targets.set(path, { document, targets: new LinkBody(body).targetsByReference(batch.hashOf), again });
    onLinked(linked);
  });
  return { targets, linked: batch.done() };
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
