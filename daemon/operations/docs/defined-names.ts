import { isShowing } from '../../analysis/beside.ts';
import type {
  DefinitionTable,
  DocumentedDefinition,
  GoneDefinition,
  NamedPackage,
} from '../../analysis/docs/definition-table.ts';
import type { GoneTable } from '../../analysis/docs/gone-mentions.ts';
import { dialectOf } from '../../extract/dialect.ts';
import { familyOf, isCode, languageOf } from '../../model/families.ts';
import { isVendored } from '../../model/foreign.ts';
import { atTop, type GraphDocument, isOfTests, kindOfDefinition, traitsOf } from '../../model/graph.ts';
import type { ModuleModel } from '../../model/module.ts';
import { isTestPath } from '../../model/mount.ts';
import { directoryOf } from '../../model/paths.ts';
import type { SymbolKind } from '../../model/symbol.ts';
import type { ExportAlias } from '../../store/export-aliases.ts';
import type { GoneDefinitionRow } from '../../store/gone-definitions.ts';
import type { ShownDefinition, SnapshotGraph } from '../../store/graph/snapshot-graph.ts';

/** The definitions of the newest snapshot that was asked about, brought along from one to the next. */
export interface DefinedNames extends DefinitionTable {
  /** Tells the snapshot; the packages are the model's. */
  bring(graph: SnapshotGraph, model: () => ModuleModel): void;
  /** All of them. */
  all(): Iterable<DocumentedDefinition>;
}

/** What can be named: nobody writes of parameters. */
const unnamed: ReadonlySet<SymbolKind> = new Set(['parameter', 'type-parameter']);
const bodies: ReadonlySet<SymbolKind> = new Set(['function', 'method', 'constructor']);

export function definedNames(): DefinedNames {
  let seq = -1;
  let packages: readonly NamedPackage[] = [];
  let families: ReturnType<typeof familiesOf> | undefined;
  const parts = new Map<GraphDocument, readonly DocumentedDefinition[]>();
  const byName = new Map<string, DocumentedDefinition[]>();
  const aliases = exportedAliases();
  const drop = (gone: readonly DocumentedDefinition[]): void => {
    const all = new Set(gone);
    for (const name of new Set(gone.map(one => one.name))) {
      const left = byName.get(name)?.filter(one => !all.has(one)) ?? [];
      if (left.length === 0) byName.delete(name);
      else byName.set(name, left);
    }
  };
  const add = (one: DocumentedDefinition): void => {
    const known = byName.get(one.name);
    if (known === undefined) byName.set(one.name, [one]);
    else known.push(one);
  };
  return {
    named: name => byName.get(name) ?? aliases.named(name, found => byName.get(found) ?? []),
    get packages() {
      return packages;
    },
    familiesIn: folder => {
      families ??= familiesOf(byName.values());
      return families.get(folder) ?? new Map();
    },
    bring: (graph, model) => {
      if (graph.seq === seq) return;
      families = undefined;
      seq = graph.seq;
      packages = packagesOf(model());
      const now = new Set(graph.documents());
      const gone = [...parts].filter(([document]) => !now.has(document));
      for (const [document] of gone) parts.delete(document);
      aliases.bring(graph, now);
      drop(gone.flatMap(([, definitions]) => definitions));
      for (const document of now) {
        if (parts.has(document)) continue;
        const definitions = definitionsIn(graph, document);
        parts.set(document, definitions);
        definitions.forEach(add);
      }
    },
    *all() {
      for (const definitions of byName.values()) yield* definitions;
    },
  };
}

/** Names under which modules export what bears another one. */
function exportedAliases() {
  const parts = new Map<GraphDocument, readonly ExportAlias[]>();
  const byAlias = new Map<string, ShownDefinition[]>();
  return {
    bring: (graph: SnapshotGraph, documents: ReadonlySet<GraphDocument>): void => {
      for (const document of parts.keys()) if (!documents.has(document)) parts.delete(document);
      for (const document of documents) {
        const isLeftOut = parts.has(document) || document.isTest || isBeside(document.path);
        if (!isLeftOut) parts.set(document, graph.exportAliasesOf(document));
      }
      byAlias.clear();
      for (const { alias, symbol } of [...parts.values()].flat()) {
        const [site] = graph.sitesOf(symbol);
        if (site !== undefined) byAlias.set(alias, [...(byAlias.get(alias) ?? []), graph.shown(site)]);
      }
    },
    /** What an alias stands for. `named`: what bears a name. */
    named: (alias: string, named: DefinitionTable['named']): readonly DocumentedDefinition[] =>
      byAlias.get(alias)?.flatMap(({ hash, name }) => named(name).filter(one => one.hash === hash)) ?? [],
  };
}

/** How many files of each family each folder has, with all below. */
function familiesOf(all: Iterable<readonly DocumentedDefinition[]>): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const found = new Map<string, Map<string, number>>();
  const seen = new Set<string>();
  for (const definitions of all) {
    for (const { path, language } of definitions) {
      if (seen.has(path) || !isCode(language)) continue;
      seen.add(path);
      const family = familyOf(language);
      for (let folder = directoryOf(path); ; folder = directoryOf(folder)) {
        const counts = found.get(folder) ?? new Map<string, number>();
        found.set(folder, counts.set(family, (counts.get(family) ?? 0) + 1));
        if (folder === '') break;
      }
    }
  }
  return found;
}

function definitionsIn(graph: SnapshotGraph, document: GraphDocument): readonly DocumentedDefinition[] {
  const { path, language, isTest, symbols } = document;
  if (isTest || isBeside(path) || symbols.length === 0) return [];
  const isAmbient = /\.d\.[cm]?ts$/.test(path);
  const found: DocumentedDefinition[] = [];
  for (let at = 0; at < symbols.length; at++) {
    const site = { in: document, at };
    const { kind, exported } = traitsOf(site);
    if (unnamed.has(kind) || isOfTests(site)) continue;
    const { hash, name, containers, nameRange } = graph.shown(site);
    const isLocal = isInBody(document, at);
    const line = nameRange.startLine + 1;
    // What a file of declarations declares is there for all, whether the file exports it or not, as is what its namespaces have.
    const outer = document.containers[at]!;
    const isThere = exported || (isAmbient && (outer === atTop || kindOfDefinition(document, outer) === 'namespace'));
    found.push({ hash, name, kind, containers, path, line, language, exported: isThere, isLocal });
  }
  return found;
}

/** Code that is there to be shown, and nobody's to be named. */
export function isBeside(path: string): boolean {
  return (
    isVendored(path) || isShowing(path) || /(?:^|\/)(?:playgrounds?|templates?|template-[\w-]{1,80})\//i.test(path)
  );
}

function isInBody(document: GraphDocument, at: number): boolean {
  for (let outer = document.containers[at]!; outer !== atTop; outer = document.containers[outer]!) {
    if (bodies.has(kindOfDefinition(document, outer))) return true;
  }
  return false;
}

function packagesOf({ packages, modules }: ModuleModel): readonly NamedPackage[] {
  const paths = new Map(modules.map(({ id, path }) => [id, path]));
  return [...packages].flatMap(([key, id]) => {
    const folder = paths.get(id);
    const space = key.indexOf(' ');
    const [manager, name] = [key.slice(0, space), key.slice(space + 1)];
    if (folder === undefined || isBeside(`${folder}/`)) return [];
    return [{ name: manager === 'npm' || name.includes('/') ? name : name.replaceAll('-', '_'), folder }];
  });
}

/** What went, by its name and by its hash; made once of the rows that tell of it. */
interface Went {
  readonly byName: ReadonlyMap<string, readonly GoneDefinition[]>;
  readonly byHash: ReadonlyMap<string, GoneDefinitionRow>;
}

const made = new WeakMap<readonly GoneDefinitionRow[], Went>();

function wentOf(rows: readonly GoneDefinitionRow[]): Went {
  const known = made.get(rows);
  if (known !== undefined) return known;
  const byName = new Map<string, GoneDefinition[]>();
  for (const row of rows) {
    if (isBeside(row.path) || isTestPath(row.path)) continue;
    const gone: GoneDefinition = { ...row, line: 1, language: languageOf(dialectOf(row.path)), isLocal: false };
    const others = byName.get(row.name);
    if (others === undefined) byName.set(row.name, [gone]);
    else others.push(gone);
  }
  const went = { byName, byHash: new Map(rows.map(row => [row.hash, row])) };
  made.set(rows, went);
  return went;
}

/** What is gone, as a table. `present`: what is here; `find`: what has a hash here. */
export function goneNames(
  rows: readonly GoneDefinitionRow[],
  { named, packages }: DefinitionTable,
  find: (hash: string) => DocumentedDefinition | undefined,
): GoneTable {
  const { byName, byHash } = wentOf(rows);
  const gone = (name: string): readonly GoneDefinition[] =>
    byName.get(name)?.filter(({ hash }) => !named(name).some(one => one.hash === hash)) ?? [];
  return {
    named: gone,
    packages,
    latest: { named: name => lastOf(gone(name)), packages },
    successorOf: ({ replacedBy }) => {
      const seen = new Set<string>();
      for (let hash = replacedBy; hash !== undefined && !seen.has(hash); hash = byHash.get(hash)?.replacedBy) {
        const found = find(hash);
        if (found !== undefined) return found;
        seen.add(hash);
      }
      return undefined;
    },
  };
}

/** Those that went last of all; several where they went together. */
function lastOf(gone: readonly GoneDefinition[]): readonly GoneDefinition[] {
  const last = gone.reduce((latest, { goneAt }) => Math.max(latest, goneAt), 0);
  return gone.filter(({ goneAt }) => goneAt === last);
}
