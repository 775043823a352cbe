import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defaultParseSteps } from '../../daemon/extract/budget.ts';
import { dialectOfFile } from '../../daemon/extract/dialect.ts';
import { ExtractionSkipped, extract } from '../../daemon/extract/syntax.ts';
import type { Manifest } from '../../daemon/link/manifest.ts';
import type { MountedDocument } from '../../daemon/model/document.ts';
import type { DocumentFacts } from '../../daemon/model/facts.ts';
import type { Target } from '../../daemon/model/links.ts';
import { mount, packageOfScope } from '../../daemon/model/mount.ts';
import { baseName, directoryOf, type RepoPath } from '../../daemon/model/paths.ts';

const limits = { parseSteps: defaultParseSteps };

/** A file extracted and mounted; undefined where nothing reads it. */
export async function mountFile(path: string, content: string | Uint8Array): Promise<MountedDocument | undefined> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const dialect = dialectOfFile(path, bytes);
  if (dialect === '') return undefined;
  try {
    return mount(path as RepoPath, await extract(bytes, dialect, limits));
  } catch (error) {
    if (error instanceof ExtractionSkipped) return undefined;
    throw error;
  }
}

export interface ReadTree extends Manifest {
  readonly all: readonly MountedDocument[];
}

/** All files below a folder, extracted and mounted. */
export async function readTree(directory: string): Promise<ReadTree> {
  const documents: MountedDocument[] = [];
  const others: string[] = [];
  for (const file of filesBelow(directory)) {
    const path = relative(directory, file);
    const document = await mountFile(path, readFileSync(file));
    if (document === undefined) others.push(path);
    else documents.push(document);
  }
  return { ...manifestOf(documents, others), all: documents };
}

function* filesBelow(directory: string): Iterable<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory() && entry.name !== '.git' && entry.name !== 'node_modules') yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

/** `path:line:column` of a definition's name, from 0. */
export type Place = string;

/** Where the names of what a link points at stand; what is private to a file has its path as scope. */
export function placesOf(tree: Manifest, target: Extract<Target, { kind: 'symbol' }>): Place[] {
  const paths = tree.document(target.scope) === undefined ? tree.documentsOf(target.scope) : [target.scope];
  return paths.flatMap(path =>
    tree
      .document(path)!
      .facts.definitions.filter(one => one.tail === target.tail)
      .map(({ nameRange }) => `${path}:${nameRange.startLine}:${nameRange.startColumn}`),
  );
}

const contents = new WeakMap<DocumentFacts, string>();
let lastContent = 0;

function contentOf(facts: DocumentFacts): string {
  const content = contents.get(facts) ?? `content ${++lastContent}`;
  contents.set(facts, content);
  return content;
}

/** The manifest of documents held in memory; `otherPaths` are files that nobody parsed. */
export function manifestOf(
  documents: Iterable<MountedDocument>,
  otherPaths: Iterable<string> = [],
  { barrels, places }: Pick<Manifest, 'barrels' | 'places'> = { barrels: new Map(), places: new Map() },
): Manifest {
  const byPath = new Map<string, MountedDocument>();
  const byScope = new Map<string, RepoPath[]>();
  const byDirectory = new Map<string, RepoPath[]>();
  const byName = new Map<string, RepoPath[]>();
  const paths = new Set<string>(otherPaths);
  for (const document of [...documents].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    byPath.set(document.path, document);
    paths.add(document.path);
    for (const scope of [document.scope, packageOfScope(document.scope)]) listed(byScope, scope).push(document.path);
  }
  for (const path of [...paths].sort()) {
    listed(byDirectory, directoryOf(path)).push(path as RepoPath);
    listed(byName, baseName(path)).push(path as RepoPath);
  }
  return {
    has: path => paths.has(path),
    filesIn: directory => byDirectory.get(directory) ?? [],
    filesNamed: name => byName.get(name) ?? [],
    documentsOf: scope => byScope.get(scope) ?? [],
    document: path => byPath.get(path),
    exportedNames: path => byPath.get(path)?.facts.exports.map(one => one.name) ?? [],
    exports: (path, name) => byPath.get(path)?.facts.exports.some(one => one.name === name) ?? false,
    contentOf: path => (byPath.has(path) ? contentOf(byPath.get(path)!.facts) : ''),
    barrels,
    places,
  };
}

function listed<T>(lists: Map<string, T[]>, key: string): T[] {
  let list = lists.get(key);
  if (list === undefined) {
    list = [];
    lists.set(key, list);
  }
  return list;
}
