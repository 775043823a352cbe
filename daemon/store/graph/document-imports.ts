import type { ScopeKey } from '../../model/document.ts';
import type { ImportFact } from '../../model/facts.ts';
import type { FactsView } from '../../model/facts-codec.ts';
import { familyOf, isCode } from '../../model/families.ts';
import type { ImportedSymbol } from '../../model/imported-symbol.ts';
import type { SymbolKind } from '../../model/symbol.ts';
import type { DocumentView } from '../document-view.ts';
import { type Holds, occurrencesIn, preciseMark, referenceAt, targetsIn } from '../effective-links.ts';
import { importsOf } from '../imports-of.ts';
import { unpackTraits } from '../link-format.ts';

/** What one document has to do with the imports of a snapshot: a pure function of its version. */
export interface DocumentImports {
  readonly document: number;
  readonly path: string;
  readonly language: string;
  readonly isTest: boolean;
  readonly loc: number;
  readonly symbolCount: number;
  readonly scope: ScopeKey;
  readonly imports: readonly WrittenImport[];
  /** Where files see each other without imports: what it defines, and what of others it surely uses. */
  readonly defines: Uint32Array;
  /** Of these what code elsewhere names by itself; anything else is a member, and found by way of a value. */
  readonly names: Uint32Array;
  /** Namespaces that it puts something into, as others may. */
  readonly opens: Uint32Array;
  /** In the order of the text. */
  readonly uses: readonly SureUse[];
}

export interface SureUse {
  readonly symbol: number;
  /** 1-based, of the first. */
  readonly line: number;
  /** Test code alone does. */
  readonly isTest: boolean;
}

/** All that a document takes from one place. */
export interface WrittenImport {
  readonly specifier: string;
  /** 1-based, of the first. */
  readonly line: number;
  readonly typeOnly: boolean;
  readonly isTest: boolean;
  /** What it leads to, as far as that is known. */
  readonly targets: readonly ImportedSymbol[];
}

/** In hundredths: what is less sure may be another of the name. */
const leastConfidence = 70;

/** Undefined for a file of configuration. `isSourceless`: the index was made without it, and knows of no import that it writes. */
export function documentImports(view: DocumentView, holds: Holds, isSourceless: boolean): DocumentImports | undefined {
  const { document, path, language, isTest, links, scope } = view;
  if (!isCode(language)) return undefined;
  const facts = view.facts();
  const isOpen = isSourceless || seesWithoutImports(language);
  return {
    ...{ document, path, scope, language, isTest },
    loc: facts.lineCount,
    symbolCount: links.definitionCount,
    imports: writtenImports(view),
    ...(isOpen ? definedIn(view, isSourceless) : { defines: nothing, names: nothing, opens: nothing }),
    uses: isOpen ? sureUses(view, holds) : [],
  };
}

/**
 * Whether files of a language name what others define without an import: those of one package or namespace, or what is loaded
 * by its name. Everywhere else a use says where it is from.
 */
function seesWithoutImports(language: string): boolean {
  return open.has(familyOf(language));
}

const open: ReadonlySet<string> = new Set(['jvm', 'go', 'csharp', 'php', 'ruby', 'rust']);
/** Each name there is a statement of its own. */
const byName: ReadonlySet<string> = new Set(['jvm', 'csharp', 'php']);

function writtenImports(view: DocumentView): readonly WrittenImport[] {
  const facts = view.facts();
  const isByName = byName.has(familyOf(view.language));
  const found = new Map<string, Gathered>();
  let onTheWay: ImportedSymbol[] = [];
  const all = importsOf(view);
  const own = view.language === 'dart' ? libraryImport(facts) : -1;
  for (const [at, { index, line, typeOnly, to }] of all.entries()) {
    if (index === own) continue;
    const { specifier, name } = facts.import(index);
    // `import a.b` of Python is two facts, of which the second is what is imported.
    const next = all[at + 1]?.line === line ? facts.import(all[at + 1]!.index) : undefined;
    if (view.language === 'python' && next?.name === '' && next.specifier.startsWith(`${specifier}.`)) continue;
    if (isOnTheWay(view, facts.import(index), next)) {
      if (to !== undefined) onTheWay.push(to);
      continue;
    }
    const isTest = view.isOfTests(line);
    const key = `${isByName ? `${specifier}\0${name}` : specifier}${isTest ? '\0' : ''}`;
    const known = found.get(key) ?? { specifier, line: line + 1, typeOnly, isTest, targets: [] };
    found.set(key, known);
    known.typeOnly &&= typeOnly;
    known.line = Math.min(known.line, line + 1);
    for (const one of to === undefined ? onTheWay : [...onTheWay, to])
      if (!leadsTo(known, one)) known.targets.push(one);
    onTheWay = [];
  }
  const isNew = ([key, one]: readonly [string, Gathered]): boolean => {
    const besides = one.isTest ? found.get(key.slice(0, -1)) : undefined;
    return besides === undefined || one.targets.some(target => !leadsTo(besides, target));
  };
  return [...found]
    .filter(isNew)
    .map(([, one]) => one)
    .sort((a, b) => a.line - b.line);
}

/** `import static a.U.x` of Java is two facts as well: what it imports is of a class, which stands before it. */
function isOnTheWay(view: DocumentView, one: ImportFact, next: ImportFact | undefined): boolean {
  const isBound = one.local !== '' || one.wildcard;
  return familyOf(view.language) === 'jvm' && !isBound && next?.specifier === `${one.specifier}.${one.name}`;
}

/** By which a part of Dart says what it is part of, which takes it in: they are one library. -1 of any other file. */
function libraryImport(facts: FactsView): number {
  for (let index = 0; index < facts.exportCount; index++) {
    const { name, of } = facts.export(index);
    const one = facts.expression(of);
    if (name === 'library' && one.op === 'import') return one.import;
  }
  return -1;
}

/** What a document writes of one specifier: in test code, or elsewhere. */
type Gathered = { -readonly [F in keyof WrittenImport]: WrittenImport[F] } & { targets: ImportedSymbol[] };

function leadsTo({ targets }: Gathered, to: ImportedSymbol): boolean {
  return targets.some(one => one.symbol === to.symbol && one.kind === to.kind);
}

function definedIn(view: DocumentView, isSourceless: boolean): Pick<DocumentImports, 'defines' | 'names' | 'opens'> {
  const { links, facts } = view;
  const extending = extensionsIn(view);
  const defines: number[] = [];
  const names: number[] = [];
  const opens: number[] = [];
  links.symbols().forEach((symbol, at) => {
    const { kind } = unpackTraits(links.traitsAt(at));
    // An indexer has a file stand for itself, and says so where somebody imports it.
    if (namespaces.has(kind) && !(isSourceless && kind === 'module')) {
      opens.push(symbol);
      return;
    }
    defines.push(symbol);
    const container = facts().definitionContainer(links.primarySlotAt(at));
    const isOutermost = container < 0 || namespaces.has(facts().definitionTraits(container).kind);
    if (isOutermost || types.has(kind) || extending.has(links.primarySlotAt(at))) names.push(symbol);
  });
  return { defines: Uint32Array.from(defines), names: Uint32Array.from(names), opens: Uint32Array.from(opens) };
}

/** Slots of methods of C# that extend a type: their namespace is what is used, not a value of what they stand in. */
function extensionsIn({ language, facts }: DocumentView): ReadonlySet<number> {
  const found = new Set<number>();
  if (language !== 'csharp') return found;
  for (let index = 0; index < facts().exportCount; index++) {
    const one = facts().expression(facts().export(index).of);
    if (one.op === 'slot' && facts().definitionTraits(one.slot).kind === 'method') found.add(one.slot);
  }
  return found;
}

const namespaces: ReadonlySet<SymbolKind> = new Set(['namespace', 'package', 'module']);
const types: ReadonlySet<SymbolKind> = new Set(['class', 'interface', 'struct', 'enum', 'trait', 'type', 'object']);

function sureUses(view: DocumentView, holds: Holds): readonly SureUse[] {
  const uses: { readonly use: SureUse; readonly reference: number }[] = [];
  for (const symbol of targetsIn(view)) {
    if (view.links.indexOfSymbol(symbol) >= 0) continue;
    const sure = occurrencesIn(view, symbol, holds).filter(packed => isSure(packed & 127));
    if (sure.length === 0) continue;
    const references = sure.map(packed => packed >>> 7);
    const lines = references.map(reference => referenceAt(view, view.facts, reference).line);
    const use = { symbol, line: Math.min(...lines) + 1, isTest: lines.every(view.isOfTests) };
    uses.push({ use, reference: Math.min(...references) });
  }
  return uses.sort((a, b) => a.reference - b.reference).map(({ use }) => use);
}

function isSure(hundredths: number): boolean {
  return hundredths === preciseMark || hundredths >= leastConfidence;
}

const nothing = new Uint32Array(0);
