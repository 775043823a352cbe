import type { ScopeKey } from '../../model/document.ts';
import type { RepoPath } from '../../model/paths.ts';
import { type ChainColumns, EnclosingChains, untold } from '../enclosing.ts';
import { aliasesTold, type ExportAlias, exportingLanguages } from '../export-aliases.ts';
import { NumberReader, NumberWriter } from '../packed-numbers.ts';
import { type Catalogue, type CatalogueDocument, catalogueOf } from './columns.ts';

/** A catalogue with the rows of its names. */
export interface NamedCatalogue {
  readonly catalogue: Catalogue;
  readonly nameRows: readonly number[];
}

export const sections = [
  'documents',
  'paths',
  'scopes',
  'names',
  'definitions',
  'groups',
  'chains',
  'aliases',
] as const;
export type Section = (typeof sections)[number];
export type Sections = Readonly<Record<Section, Uint8Array>>;

/**
 * A catalogue in bytes, a section at each step, for all together take half a second for a million definitions. Names that
 * nothing bears stay behind, and the others come in the order in which searches want them.
 */
export function* encodedCatalogue({ catalogue: given, nameRows }: NamedCatalogue): Generator<[Section, Uint8Array]> {
  const { names, changed, seq } = given;
  const catalogue = changed.size === 0 ? given : catalogueOf({ seq, names }, [], given);
  yield ['documents', encodedDocuments(catalogue)];
  yield ['paths', encodedTexts(catalogue.documents.map(({ path }) => path))];
  yield [
    'scopes',
    encodedTexts(catalogue.documents.map(({ path, scope }) => (scope === (path as string) ? '' : scope))),
  ];
  const order = namesInOrder(catalogue);
  yield ['definitions', encodedDefinitions(catalogue)];
  yield ['names', encodedTexts(Array.from(order, name => names[name]!))];
  yield ['groups', encodedGroups(catalogue, order, nameRows)];
  yield ['chains', encodedChains(catalogue.chains.columns())];
  yield ['aliases', encodedAliases(catalogue)];
}

/** The catalogue of a snapshot, as it was encoded; a section or two at each step. */
export function* decodedCatalogue(
  from: Sections,
  seq: number,
): Generator<void, NamedCatalogue & { readonly catalogue: Catalogue }> {
  const names = decodedTexts(from.names);
  yield;
  const { documents, firsts } = decodedDocuments(from);
  const size = firsts.at(-1)!;
  const documentOf = new Uint32Array(size);
  for (let document = 0; document < documents.length; document++) {
    documentOf.fill(document, firsts[document]!, firsts[document + 1]!);
  }
  tellAliases(documents, from.aliases);
  yield;
  const columns = { documentOf, ...decodedDefinitions(from.definitions, size) };
  yield;
  const { nameRows, ...groups } = decodedGroups(from.groups, names.length, columns.symbolOf);
  yield;
  const catalogue = {
    ...{ seq, names, documents, firsts, changed: new Map<never, never>(), built: size, size, touched: [] },
    ...columns,
    ...groups,
    chains: new EnclosingChains(decodedChains(from.chains)),
  };
  return { catalogue, nameRows };
}

function encodedDocuments({ documents, firsts }: Catalogue): Uint8Array {
  const languages = [...new Set(documents.map(({ language }) => language))];
  const numbers = new NumberWriter();
  numbers.putText(JSON.stringify(languages));
  numbers.put(documents.length);
  let last: Pick<CatalogueDocument, 'document' | 'fact'> = { document: 0, fact: 0 };
  documents.forEach((one, index) => {
    numbers.putStep(one.document - last.document);
    numbers.putStep(one.fact - last.fact);
    numbers.put(languages.indexOf(one.language) * 2 + (one.isTest ? 1 : 0));
    numbers.put(firsts[index + 1]! - firsts[index]!);
    last = one;
  });
  return numbers.taken();
}

function decodedDocuments(from: Sections): Pick<Catalogue, 'documents' | 'firsts'> {
  const paths = decodedTexts(from.paths) as RepoPath[];
  const scopes = decodedTexts(from.scopes) as ScopeKey[];
  const numbers = new NumberReader(from.documents);
  const languages = JSON.parse(numbers.takeText()) as string[];
  const documents: CatalogueDocument[] = [];
  const firsts = new Uint32Array(numbers.take() + 1);
  for (let index = 0, document = 0, fact = 0; index < firsts.length - 1; index++) {
    document += numbers.takeStep();
    fact += numbers.takeStep();
    const traits = numbers.take();
    const path = paths[index]!;
    const scope = scopes[index] === '' ? (path as string as ScopeKey) : scopes[index]!;
    documents.push({ document, path, isTest: traits % 2 === 1, language: languages[traits >>> 1]!, scope, fact });
    firsts[index + 1] = firsts[index]! + numbers.take();
  }
  return { documents, firsts };
}

function encodedDefinitions({ built, symbolOf, slots, traits, enclosing }: Catalogue): Uint8Array {
  const numbers = new NumberWriter();
  const last = { symbol: 0, slot: 0, chain: 0 };
  for (let definition = 0; definition < built; definition++) {
    numbers.putStep(symbolOf[definition]! - last.symbol);
    numbers.putStep(slots[definition]! - last.slot);
    numbers.put(traits[definition]!);
    numbers.putStep(enclosing[definition]! - last.chain);
    last.symbol = symbolOf[definition]!;
    last.slot = slots[definition]!;
    last.chain = enclosing[definition]!;
  }
  return numbers.taken();
}

function decodedDefinitions(
  bytes: Uint8Array,
  count: number,
): Pick<Catalogue, 'symbolOf' | 'slots' | 'traits' | 'enclosing'> {
  const numbers = new NumberReader(bytes);
  const symbolOf = new Uint32Array(count);
  const slots = new Uint32Array(count);
  const traits = new Uint16Array(count);
  const enclosing = new Uint32Array(count);
  for (let definition = 0, symbol = 0, slot = 0, chain = 0; definition < count; definition++) {
    symbolOf[definition] = symbol += numbers.takeStep();
    slots[definition] = slot += numbers.takeStep();
    traits[definition] = numbers.take();
    enclosing[definition] = chain += numbers.takeStep();
  }
  return { symbolOf, slots, traits, enclosing };
}

/** Those that something bears, by their lower-case text. */
function namesInOrder({ names, starts, ends }: Catalogue): Uint32Array {
  const lower = names.map(name => name.toLowerCase());
  const compare = (a: number, b: number): number => (lower[a]! < lower[b]! ? -1 : lower[a] === lower[b] ? 0 : 1);
  return Uint32Array.from(
    lower
      .map((_, name) => name)
      .filter(name => ends[name]! > starts[name]!)
      .sort(compare),
  );
}

function encodedGroups({ starts, ends, order }: Catalogue, names: Uint32Array, nameRows: readonly number[]) {
  const numbers = new NumberWriter();
  for (const name of names) {
    numbers.put(nameRows[name]!);
    numbers.put(ends[name]! - starts[name]!);
    let last = 0;
    for (let at = starts[name]!; at < ends[name]!; at++) {
      numbers.putStep(order[at]! - last);
      last = order[at]!;
    }
  }
  return numbers.taken();
}

function decodedGroups(bytes: Uint8Array, nameCount: number, symbolOf: Uint32Array) {
  const numbers = new NumberReader(bytes);
  const order = new Uint32Array(symbolOf.length);
  const nameOf = new Uint32Array(symbolOf.length);
  const starts = new Uint32Array(nameCount);
  const ends = new Uint32Array(nameCount);
  const symbolCounts = new Uint32Array(nameCount);
  const nameRows: number[] = [];
  for (let name = 0, at = 0; name < nameCount; name++) {
    nameRows.push(numbers.take());
    starts[name] = at;
    ends[name] = at + numbers.take();
    let symbol = -1;
    for (let definition = 0; at < ends[name]!; at++) {
      order[at] = definition += numbers.takeStep();
      nameOf[definition] = name;
      if (symbolOf[definition] !== symbol) symbolCounts[name]!++;
      symbol = symbolOf[definition]!;
    }
  }
  return { nameRows, order, nameOf, starts, ends, symbolCounts };
}

function encodedChains({ around, texts, names }: ChainColumns): Uint8Array {
  const numbers = new NumberWriter();
  numbers.putText(JSON.stringify(names));
  numbers.put(around.length);
  for (let chain = untold + 1; chain < around.length; chain++) {
    numbers.put(around[chain]!);
    numbers.put(texts[chain]!);
  }
  return numbers.taken();
}

function decodedChains(bytes: Uint8Array): ChainColumns {
  const numbers = new NumberReader(bytes);
  const names = JSON.parse(numbers.takeText()) as string[];
  const count = numbers.take();
  const around = [untold];
  const texts = [0];
  for (let chain = untold + 1; chain < count; chain++) {
    around.push(numbers.take());
    texts.push(numbers.take());
  }
  return { around, texts, names };
}

/** Of documents that export under other names what they do so, and null of those that nobody has looked into. */
type Aliases = readonly (readonly [document: number, aliases: readonly ExportAlias[] | null])[];

function encodedAliases({ documents }: Catalogue): Uint8Array {
  const told = documents.map((one, at) => [at, aliasesTold.get(one) ?? null] as const);
  const some: Aliases = told.filter(
    ([at, aliases]) => exportingLanguages.has(documents[at]!.language) && aliases?.length !== 0,
  );
  return Buffer.from(JSON.stringify(some));
}

function tellAliases(documents: Catalogue['documents'], bytes: Uint8Array): void {
  const some = new Map(JSON.parse(Buffer.from(bytes).toString()) as Aliases);
  documents.forEach((one, at) => {
    const aliases = some.get(at);
    if (aliases !== null && exportingLanguages.has(one.language)) aliasesTold.set(one, aliases ?? none);
  });
}

const none: readonly ExportAlias[] = [];

function encodedTexts(texts: readonly string[]): Uint8Array {
  return Buffer.from(JSON.stringify(texts));
}

function decodedTexts(bytes: Uint8Array): string[] {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString()) as string[];
}
