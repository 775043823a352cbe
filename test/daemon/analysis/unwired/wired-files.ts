import assert from 'node:assert/strict';
import type { UnwiredQuestion } from '../../../../daemon/analysis/unwired/unwired.ts';
import type { Leads } from '../../../../daemon/analysis/unwired/wiring.ts';
import type { ScopeKey } from '../../../../daemon/model/document.ts';
import type { ReferenceKind } from '../../../../daemon/model/facts.ts';
import { familyOf } from '../../../../daemon/model/families.ts';
import {
  atTop,
  type GraphDocument,
  type GraphUses,
  importOf,
  packTraits,
  packUse,
} from '../../../../daemon/model/graph.ts';
import { packImport } from '../../../../daemon/model/imported-symbol.ts';
import { isTestPath } from '../../../../daemon/model/mount.ts';
import type { SymbolKind } from '../../../../daemon/model/symbol.ts';
import type { SpokenNames, WiredDocument, WiredExport, WiredImport } from '../../../../daemon/model/wiring.ts';
import { spokenWord } from '../../../../daemon/model/word-hash.ts';

/**
 * Files as lines, to say what is wired to what:
 *
 *   f                   defines the function f and exports it
 *   class C, type T     of another kind; `own f` is not exported
 *   C.m method          stands in C
 *   f -> b.ts:g         the code of f calls g (`top -> …`: code in no function); `f -> b.ts:g read` hands g on as a value
 *   import b.ts         loads it; `import * b.ts` takes it as a whole and hands that on; `import ? g` leads nowhere
 *   export g from b.ts  hands a name on; `export * from b.ts`; `export * as ns from b.ts`
 *   open g              a use of that name that nothing settles
 *   says g              has that name in a text
 *   start f             a program that begins with the file begins with f
 */
export type Files = Readonly<Record<string, string>>;

interface Defined {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly container: string;
  readonly isExported: boolean;
  symbol: number;
}

interface Read {
  readonly path: string;
  readonly defined: Defined[];
  readonly uses: { user: string; target: string; kind: ReferenceKind }[];
  readonly imports: (WiredImport & { readonly path: string })[];
  readonly exports: { name: string; definition: string; import: number }[];
  readonly handed: string[];
  readonly open: string[];
  readonly starts: string[];
  readonly said: string[];
}

export interface WiredFiles {
  readonly documents: readonly WiredDocument[];
  spokenIn(of: GraphDocument): SpokenNames;
  nameOf(of: GraphDocument, at: number): string;
}

/** Numbers of symbols (`path:name`) and of names, the same for as long as the object is. */
export interface Numbering {
  readonly symbols: Map<string, number>;
  readonly names: Map<string, number>;
}

export function numbering(): Numbering {
  return { symbols: new Map(), names: new Map() };
}

export function wiredFiles(files: Files, language = 'typescript', numbers = numbering()): WiredFiles {
  const read = Object.entries(files).map(([path, text]) => readFile(path, text));
  for (const one of read) {
    for (const each of one.defined) each.symbol = numberIn(numbers.symbols, `${one.path}:${each.name}`);
    one.defined.sort((a, b) => a.symbol - b.symbol);
  }
  const isDefined = (place: string): boolean => {
    const at = place.lastIndexOf(':');
    const file = read.find(one => one.path === place.slice(0, at));
    return file?.defined.some(one => one.name === place.slice(at + 1)) === true;
  };
  const symbolOf = (place: string): number => {
    assert.ok(isDefined(place), `nothing is defined at ${place}`);
    return numberIn(numbers.symbols, place);
  };
  const placeOf = (path: string): number => read.findIndex(one => one.path === path);
  const numberOf = (name: string): number => numberIn(numbers.names, name);
  const documents = read.map((one, index) => {
    // What another barrel hands on in turn is used by that one.
    const uses = usesOf(one, one.handed.filter(isDefined), symbolOf);
    const graph = graphOf(one, index, { language, numberOf, placeOf, uses: uses.columns });
    return {
      graph,
      owners: graph.containers,
      imports: one.imports.map(({ name, escapes, isMissing }) => ({ name, escapes, isMissing })),
      exports: exportsOf(one),
      takes: [],
      handsOver: uses.handsOver,
      handedOn: uses.handedOn,
      selfRun: [],
      starts:
        one.starts.length === 0 ? undefined : one.starts.map(name => one.defined.findIndex(each => each.name === name)),
      tests: new Set<number>(),
      unlisted: new Set<number>(),
      extending: new Map(),
      memberWords: new Uint32Array(),
    };
  });
  return {
    documents,
    spokenIn: of => spoken(language, read[of.document]!.said),
    nameOf: (of, at) => read[of.document]!.defined[at]!.name,
  };
}

function spoken(language: string, words: readonly string[]): SpokenNames {
  const hashes = words.map(word => spokenWord(familyOf(language), word));
  return { words: Uint32Array.from(hashes), affixes: [], isLookedInto: false, heirs: 'none' };
}

function numberIn(numbers: Map<string, number>, key: string): number {
  const known = numbers.get(key) ?? numbers.size + 1;
  numbers.set(key, known);
  return known;
}

/** What is asked of the snapshot that these documents are all of. */
export function leadsIn(documents: readonly WiredDocument[]): Leads & Pick<UnwiredQuestion, 'documents' | 'wired'> {
  const graphs = documents.map(({ graph }) => graph);
  const leadsTo = (one: GraphDocument, other: GraphDocument): boolean =>
    one.imports.targets.some((_, at) => importOf(one, at).to?.symbol === other.document);
  return {
    documents: graphs,
    wired: one => documents.find(({ graph }) => graph === one)!,
    documentsAt: ({ symbol }) => [symbol],
    documentsUsing: symbol =>
      graphs.filter(({ uses }) => uses.targets.includes(symbol)).map(({ document }) => document),
    documentsImporting: of => graphs.filter(one => leadsTo(one, of)).map(({ document }) => document),
  };
}

function exportsOf({ defined, exports }: Read): readonly WiredExport[] {
  const indexOf = (name: string): number => defined.findIndex(one => one.name === name);
  return exports.map(one => ({ name: one.name, definition: indexOf(one.definition), import: one.import }));
}

function readFile(path: string, text: string): Read {
  const one: Read = {
    path,
    defined: [],
    uses: [],
    imports: [],
    exports: [],
    handed: [],
    open: [],
    starts: [],
    said: [],
  };
  for (const line of text.split('\n').map(each => each.trim())) if (line !== '') readLine(one, line);
  return one;
}

function readLine(one: Read, line: string): void {
  const importLine = /^import (\* )?(\?)?\s*(\S+)$/.exec(line);
  const exportLine = /^export (?:(\*) as (\S+)|(\S+)) from (\S+)$/.exec(line);
  const useLine = /^(\S+) -> (\S+)(?: (\w+))?$/.exec(line);
  if (importLine !== null) {
    const [, whole, missing, path = ''] = importLine;
    const isMissing = missing !== undefined;
    one.imports.push({ path, name: isMissing ? path : '*', escapes: whole !== undefined, isMissing });
  } else if (exportLine !== null) {
    const [, , space, name = '*', path = ''] = exportLine;
    const index =
      one.imports.push({ path, name: space === undefined ? name : '*', escapes: false, isMissing: false }) - 1;
    if (space !== undefined) define(one, { name: space, kind: 'namespace', isExported: true });
    one.exports.push({ name: space ?? name, definition: space ?? '', import: index });
    if (space === undefined && name !== '*') {
      one.handed.push(`${path}:${name}`);
    }
  } else if (useLine !== null) {
    const [, user = '', target = '', kind = 'call'] = useLine;
    const place = target.includes(':') ? target : `${one.path}:${target}`;
    one.uses.push({ user, target: place, kind: kind as ReferenceKind });
  } else if (line.startsWith('open ')) one.open.push(line.slice(5));
  else if (line.startsWith('says ')) one.said.push(line.slice(5));
  else if (line.startsWith('start ')) one.starts.push(line.slice(6));
  else readDefinition(one, line);
}

function readDefinition(one: Read, line: string): void {
  const words = line.split(' ');
  const isOwn = words[0] === 'own';
  const rest = isOwn ? words.slice(1) : words;
  const [first = '', second] = rest;
  const isMember = first.includes('.');
  const name = isMember || second === undefined ? first : second;
  const kind = (isMember ? second : second === undefined ? 'function' : first) as SymbolKind;
  define(one, { name, kind, isExported: !isOwn });
  if (!isOwn && !isMember) one.exports.push({ name, definition: name, import: -1 });
}

function define(one: Read, defined: Pick<Defined, 'name' | 'kind' | 'isExported'>): void {
  const container = defined.name.includes('.') ? defined.name.slice(0, defined.name.lastIndexOf('.')) : '';
  one.defined.push({ ...defined, container, symbol: 0 });
}

interface Meanings {
  readonly numberOf: (name: string) => number;
  readonly placeOf: (path: string) => number;
}

function graphOf(
  { path, defined, imports, open }: Read,
  document: number,
  { language, numberOf, placeOf, uses }: Meanings & { readonly language: string; readonly uses: GraphUses },
): GraphDocument {
  const traits = defined.map(({ kind, isExported }) =>
    packTraits({ kind, visibility: 'public', exported: isExported, hasBody: true, isNamed: false, isTest: false }),
  );
  const names = [...new Set(open)].map(numberOf).sort((a, b) => a - b);
  return {
    ...{
      document,
      path,
      scope: path as ScopeKey,
      language,
      isTest: isTestPath(path),
      isPartial: path.includes('broken'),
      context: undefined,
      uses,
    },
    symbols: Uint32Array.from(defined, one => one.symbol),
    names: Uint32Array.from(defined, one => numberOf(one.name)),
    traits: Uint16Array.from(traits),
    slots: Uint32Array.from(defined, (_, at) => at),
    containers: Int32Array.from(defined, one => defined.findIndex(({ name }) => name === one.container)),
    imports: {
      targets: Uint32Array.from(imports, one =>
        one.isMissing ? 0 : packImport({ kind: 'file', symbol: placeOf(one.path) }),
      ),
      lines: new Uint32Array(imports.length),
    },
    openCalls: new Uint32Array(defined.length + 1),
    openNames: Uint32Array.from(names),
    openCounts: Uint32Array.from(names, name => open.filter(one => numberOf(one) === name).length),
  };
}

function usesOf({ uses, defined }: Read, handed: readonly string[], symbolOf: (place: string) => number) {
  const indexOf = (user: string): number => (user === 'top' ? atTop : defined.findIndex(({ name }) => name === user));
  const rows = [
    ...handed.map(place => ({ user: atTop, symbol: symbolOf(place), kind: 'import' as const, isHandedOn: true })),
    ...uses.map(({ user, target, kind }) => ({
      user: indexOf(user),
      symbol: symbolOf(target),
      kind,
      isHandedOn: false,
    })),
  ].sort((a, b) => a.symbol - b.symbol || a.user - b.user);
  const targets = [...new Set(rows.map(({ symbol }) => symbol))];
  const columns: GraphUses = {
    targets: Uint32Array.from(targets),
    starts: Uint32Array.from([...targets.map(one => rows.findIndex(({ symbol }) => symbol === one)), rows.length]),
    users: Int32Array.from(rows, ({ user }) => user),
    marks: Uint16Array.from(rows, ({ kind }) => packUse(kind, 95)),
    counts: new Uint32Array(rows.length).fill(1),
    references: Uint32Array.from(rows, (_, at) => at),
    byUser: Uint32Array.from([...rows.keys()].sort((a, b) => rows[a]!.user - rows[b]!.user)),
  };
  const usesThat = (are: (row: (typeof rows)[number]) => boolean): ReadonlySet<number> =>
    new Set(rows.flatMap((row, at) => (are(row) ? [at] : [])));
  return { columns, handedOn: usesThat(row => row.isHandedOn), handsOver: usesThat(row => row.kind === 'read') };
}
