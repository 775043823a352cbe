import type { ScipDocument } from '../../extract/scip/document.ts';
import { ExternalShelf } from '../../extract/scip/external-shelf.ts';
import { type OccurrencesInText, occurrencesInUtf16, withoutMark } from '../../extract/scip/in-utf16.ts';
import type { ScipSymbolInformation } from '../../extract/scip/information.ts';
import type { ScipMetadata } from '../../extract/scip/metadata.ts';
import { type KeptOccurrences, OccurrenceShelf } from '../../extract/scip/occurrence-shelf.ts';
import { mergeOccurrences, type ScipOccurrences, symbolRole } from '../../extract/scip/occurrences.ts';
import type { ScipVisitor } from '../../extract/scip/read-scip.ts';
import type { ScipRejections } from '../../extract/scip/report.ts';
import type { ScratchMemory } from '../../extract/scip/scratch-memory.ts';
import { parseScipSymbol } from '../../extract/scip/symbol-grammar.ts';
import type { ScipSymbols } from '../../extract/scip/symbol-table.ts';
import { nameOfScip } from '../../extract/scip/symbol-tail.ts';
import type { ManifestDelta } from '../../model/delta.ts';
import type { ScopeKey } from '../../model/document.ts';
import type { ManifestLine, TreeManifest } from '../../model/manifest.ts';
import { NumberSet } from '../../model/number-set.ts';
import type { RepoPath } from '../../model/paths.ts';
import type { FactKey } from '../../store/publication.ts';
import { factKeyOf, factKeyText } from '../fact-key.ts';
import { againstFirstLine, digestOfPlaces, placesAgainst } from './evident-content.ts';
import type { KeptDocument } from './precise-batch.ts';
import { folderOfProject } from './project-folder.ts';
import type { ScipPart } from './scip-source.ts';
import { indexedTree, lineIn, type ReadableFacts, type SeenTree } from './seen-tree.ts';

/**
 * Which tree an indexer saw: one that is known, or the one in which the names stand where it says, of the indexed tree and
 * another one, which is asked for where the former will not do.
 */
export type Seen =
  | { readonly kind: 'known'; readonly tree: SeenTree }
  | { readonly kind: 'evident'; readonly other: () => Promise<SeenTree | undefined> };

export interface IntakeRun {
  readonly root: string;
  readonly tree: TreeManifest;
  readonly seen: Seen;
}

/** A document's content in a tree, and its occurrences there. */
interface Placed {
  readonly key: FactKey;
  readonly scope: ScopeKey;
  readonly inText: OccurrencesInText;
}

interface Content extends Omit<Placed, 'inText'> {
  readonly text: string;
}

/** A content that may be what the indexer saw. */
interface Judged extends Placed {
  /** How many places speak against it. */
  readonly against: number;
}

/** What of a document can be kept once the reader has gone on. */
interface Listed extends Pick<ScipDocument, 'occurrences' | 'positionEncoding' | 'unread'> {
  /** Of the text that the index says it saw, where it says so. */
  readonly saidDigest: string | undefined;
}

/** One that the indexed tree has not, or not for sure: `isHere`. */
interface Doubtful {
  readonly path: RepoPath;
  readonly document: Omit<Listed, 'occurrences'>;
  readonly occurrences: KeptOccurrences;
  readonly isHere: boolean;
}

/** So many names of symbols are worth keeping: documents define few that others define too. */
const namesKept = 4096;

/**
 * Takes in the documents of an index one by one, and keeps those of which it is known what the indexer saw: their
 * occurrences in scratch memory, so that an index may be of any size.
 */
export class ScipIntake implements ScipVisitor {
  readonly kept = new Map<RepoPath, KeptDocument>();
  /** Symbols that some document of the index defines, whether it was kept or not. */
  readonly defined = new NumberSet();
  /** Those of them that only documents define of which nobody knows what the indexer saw. */
  readonly lost = new NumberSet();
  readonly damaged = new Set<RepoPath>();
  readonly externals: ExternalShelf;
  /** An index may tell of a path again and again. */
  readonly otherContent = new Set<RepoPath>();
  readonly notInTree = new Set<RepoPath>();
  readonly #run: IntakeRun;
  readonly #facts: ReadableFacts;
  readonly #rejections: ScipRejections;
  readonly #occurrences: OccurrenceShelf;
  readonly #doubtful: Doubtful[] = [];
  #isAllKnown = true;
  /** Of symbols that the last documents define, what they are called. */
  readonly #names = new Map<number, string>();
  #symbols: ScipSymbols | undefined;
  #folder: string | undefined;
  #folderOf: (path: string) => string = () => '';

  constructor(run: IntakeRun, facts: ReadableFacts, rejections: ScipRejections, memory: ScratchMemory) {
    this.#run = run;
    this.#facts = facts;
    this.#rejections = rejections;
    this.externals = new ExternalShelf(memory);
    this.#occurrences = new OccurrenceShelf(memory);
  }

  /** What is read from here on is this part's. */
  begin({ folder }: ScipPart): void {
    this.#folder = folder;
  }

  metadata({ projectRoot }: ScipMetadata, symbols: ScipSymbols): void {
    this.#symbols = symbols;
    const { root, tree, seen } = this.#run;
    const folder = this.#folder;
    const delta = seen.kind === 'known' ? seen.tree.delta : undefined;
    const has = (path: string): boolean => tree.get(path) !== undefined || delta?.has(path as RepoPath) === true;
    if (folder === undefined) this.#folderOf = folderOfProject(projectRoot, root, has);
    else this.#folderOf = () => (folder === '' ? '' : `${folder}/`);
  }

  external(information: ScipSymbolInformation): void {
    this.externals.put(information);
  }

  document(document: ScipDocument): void {
    noteDefinitions(document.occurrences, this.defined);
    const path = `${this.#folderOf(document.path)}${document.path}` as RepoPath;
    const { seen, tree } = this.#run;
    const listed = listedOf(document);
    if (seen.kind === 'evident') {
      const here = this.#judged(listed, tree.get(path));
      if (here?.against === 0) this.#keep(path, listed, here);
      else this.#doubtful.push(this.#doubt(path, listed, here !== undefined));
      return;
    }
    const line = lineIn(seen.tree, path, tree);
    const content = this.#contentOf(line, listed);
    // What a tree that is known has not defines nothing of its.
    if (content === undefined && line === undefined && seen.tree.isWhole) this.#compare(path, undefined);
    else if (content === undefined) this.#leaveOut(path, listed);
    else this.#keep(path, listed, { ...content, inText: this.#inTextOf(listed, content) });
  }

  /**
   * Once all documents have come: what leads to the tree that they are of, and whether that is known of each file that the
   * indexer had to read.
   */
  async settle(): Promise<{ readonly delta: ManifestDelta; readonly isKnown: boolean }> {
    const { seen } = this.#run;
    if (seen.kind === 'known') return { delta: seen.tree.delta, isKnown: true };
    const here = new Set(this.kept.keys());
    const other = this.#doubtful.length === 0 ? undefined : await seen.other();
    let isOther = false;
    for (const { path, isHere, ...doubtful } of this.#doubtful) {
      const document = { ...doubtful.document, occurrences: doubtful.occurrences.read() };
      const standing = isHere ? this.#judged(document, this.#run.tree.get(path)) : undefined;
      const there = other?.delta.has(path) ? this.#judged(document, other.delta.get(path)!.after) : undefined;
      const best = likelier(standing, there);
      if (best === undefined) this.#leaveOut(path, document);
      else this.#keep(path, document, best);
      if (best === there && there !== undefined) isOther = true;
      else if (best !== undefined) here.add(path);
    }
    if (other === undefined || !isOther) return { delta: indexedTree.delta, isKnown: this.#isAllKnown };
    const delta = new Map([...other.delta].filter(([path]) => !here.has(path)));
    return { delta, isKnown: this.#isAllKnown && delta.size === other.delta.size };
  }

  #doubt(path: RepoPath, { occurrences, ...document }: Listed, isHere: boolean): Doubtful {
    return { path, document, occurrences: this.#occurrences.put(occurrences), isHere };
  }

  #keep(path: RepoPath, document: Listed, { key, scope, inText }: Placed): void {
    const before = this.kept.get(path);
    if (before !== undefined && factKeyText(before.key) !== factKeyText(key)) {
      this.#leaveOut(path, document);
      return;
    }
    this.#rejections.addBeyond(inText, path);
    if (isDamaged(document, inText.beyond)) this.damaged.add(path);
    else this.#compare(path, key);
    const all =
      before === undefined ? inText.occurrences : mergeOccurrences(before.occurrences.read(), inText.occurrences);
    this.kept.set(path, { path, key, scope, occurrences: this.#occurrences.put(all) });
  }

  /** Nobody knows what the indexer saw there. */
  #leaveOut(path: RepoPath, document: Listed): void {
    if (this.#keyHere(path) !== undefined) {
      this.#isAllKnown = false;
      noteDefinitions(document.occurrences, this.lost);
      if (isDamaged(document, 0)) {
        this.damaged.add(path);
        return;
      }
    }
    this.#compare(path, undefined);
  }

  /** Counts a document that the indexed tree has not, or not as the indexer saw it. */
  #compare(path: RepoPath, seen: FactKey | undefined): void {
    const key = this.#keyHere(path);
    if (key === undefined) {
      this.notInTree.add(path);
    } else if (seen === undefined || factKeyText(key) !== factKeyText(seen)) {
      this.otherContent.add(path);
    }
  }

  #keyHere(path: RepoPath): FactKey | undefined {
    const line = this.#run.tree.get(path);
    return line === undefined ? undefined : factKeyOf(line);
  }

  /** Where the occurrences stand in a text that is, by what stands in it, the one that the indexer saw. */
  #judged(document: Listed, line: ManifestLine | undefined): Judged | undefined {
    const content = this.#contentOf(line, document);
    if (content === undefined) return undefined;
    const inText = this.#inTextOf(document, content);
    const against = placesAgainst(inText, content.text, this.#nameOf);
    const { key, scope } = content;
    return against === undefined ? undefined : { key, scope, inText, against };
  }

  /** Undefined also where it is not what the index says that it saw, whichever tree that was. */
  #contentOf(line: ManifestLine | undefined, { saidDigest }: Listed): Content | undefined {
    const key = line === undefined ? undefined : factKeyOf(line);
    if (key === undefined || this.#facts.facts(key) === undefined) return undefined;
    const text = this.#facts.text(key);
    if (text === undefined) return undefined;
    if (saidDigest !== undefined && saidDigest !== digestOfPlaces(text)) return undefined;
    return { key, scope: line!.scope as ScopeKey, text };
  }

  /** Indexers don't agree on whether a byte order mark takes a column: what stands in the first line tells. */
  #inTextOf({ occurrences, positionEncoding }: Listed, { key, text }: Content): OccurrencesInText {
    const plain = occurrencesInUtf16(occurrences, text, positionEncoding);
    const against = againstFirstLine(plain, text, this.#nameOf);
    if (against === 0 || !this.#facts.hasMark(key)) return plain;
    const marked = withoutMark(occurrencesInUtf16(occurrences, `\uFEFF${text}`, positionEncoding));
    return againstFirstLine(marked, text, this.#nameOf) < against ? marked : plain;
  }

  readonly #nameOf = (symbol: number): string => {
    const known = this.#names.get(symbol);
    if (known !== undefined) return known;
    const parsed = symbol < 0 ? undefined : parseScipSymbol(this.#symbols!.text(symbol));
    const name = parsed?.form === 'global' ? nameOfScip(parsed.descriptors) : '';
    if (this.#names.size === namesKept) this.#names.clear();
    this.#names.set(symbol, name);
    return name;
  };
}

function listedOf({ occurrences, positionEncoding, unread, text }: ScipDocument): Listed {
  const said = text();
  return { occurrences, positionEncoding, unread, saidDigest: said ? digestOfPlaces(said) : undefined };
}

/** The one against which less speaks, or else the former. */
function likelier(one: Judged | undefined, other: Judged | undefined): Judged | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.against < one.against ? other : one;
}

/** So large a share of a document's occurrences may lack a place, or a symbol; or so many, where as many have both. */
const tolerated = { share: 0.02, count: 8 } as const;

/** `beyond`: how many of its occurrences stand where its text has no character. */
function isDamaged({ occurrences, unread }: Listed, beyond: number): boolean {
  const all = occurrences.count + unread;
  const bad = unread + beyond;
  return bad > Math.max(all * tolerated.share, Math.min(tolerated.count, all - bad));
}

function noteDefinitions({ count, roles, symbol }: ScipOccurrences, defined: NumberSet): void {
  for (let at = 0; at < count; at++) {
    if ((roles[at]! & symbolRole.definition) !== 0 && symbol[at]! >= 0) defined.add(symbol[at]!);
  }
}

const mostExamples = 3;
const longestExample = 200;

/** The first of them, in lengths that can be told. */
export function examplesOf(paths: Iterable<string>): readonly string[] {
  const some: string[] = [];
  for (const path of paths) {
    if (some.length === mostExamples) break;
    some.push(path.length > longestExample ? `${path.slice(0, longestExample)}…` : path);
  }
  return some;
}
