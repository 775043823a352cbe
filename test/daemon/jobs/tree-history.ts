import { createHash } from 'node:crypto';
import { createAliases } from '../../../daemon/jobs/aliases/aliases.ts';
import { renameEvidence } from '../../../daemon/jobs/aliases/rename-evidence.ts';
import { difference } from '../../../daemon/model/delta.ts';
import type { MountedDocument } from '../../../daemon/model/document.ts';
import { symbolHash } from '../../../daemon/model/identity.ts';
import type { ManifestLine } from '../../../daemon/model/manifest.ts';
import { scopeOfTail } from '../../../daemon/model/mount.ts';
import type { RepoPath } from '../../../daemon/model/paths.ts';
import { mountFile } from '../../support/linked-tree.ts';

/** Content by path. */
export type Files = Readonly<Record<string, string>>;

/** Which symbols a tree that is published in one state after the other leads on to which: `path tail → path tail`, sorted. */
export async function leadsOn(...states: readonly Files[]): Promise<readonly string[]> {
  const aliases = createAliases();
  const names = new Map<string, string>();
  const found: string[] = [];
  let before = await treeOf(states[0]!);
  for (const [at, files] of states.slice(1).entries()) {
    const after = await treeOf(files);
    for (const tree of [before, after]) for (const [hash, name] of tree.symbols) names.set(hash, name);
    const symbols = { gone: without(before, after), come: without(after, before) };
    const paths = new Set([...before.lines.keys(), ...after.lines.keys()]);
    const changed = new Map([...paths].map(path => [path, after.lines.get(path)]));
    const delta = difference(path => before.lines.get(path), changed);
    const known = new Map([...before.documents, ...after.documents]);
    const evidence = renameEvidence(delta, symbols, {
      document: line => known.get(line)?.document,
      text: line => known.get(line)?.text ?? '',
      bearers: name => bearersIn(after, name),
    });
    for (const [from, to] of aliases.match(evidence, at)) found.push(`${names.get(from)} → ${names.get(to)}`);
    before = after;
  }
  return found.sort();
}

interface Tree {
  readonly lines: ReadonlyMap<RepoPath, ManifestLine>;
  readonly documents: ReadonlyMap<ManifestLine, { readonly document: MountedDocument; readonly text: string }>;
  /** By hash; as `path tail`. */
  readonly symbols: ReadonlyMap<string, string>;
}

async function treeOf(files: Files): Promise<Tree> {
  const lines = new Map<RepoPath, ManifestLine>();
  const documents = new Map<ManifestLine, { readonly document: MountedDocument; readonly text: string }>();
  const symbols = new Map<string, string>();
  for (const [name, text] of Object.entries(files)) {
    const path = name as RepoPath;
    const hash = createHash('sha256').update(text).digest('hex');
    const line = { entry: { path, hash, dialect: 'any', skip: '' }, version: 1 } as unknown as ManifestLine;
    const document = (await mountFile(path, text))!;
    lines.set(path, line);
    documents.set(line, { document, text });
    for (const { tail } of document.facts.definitions) {
      symbols.set(symbolHash(scopeOfTail(document, tail), tail), `${path} ${tail}`);
    }
  }
  return { lines, documents, symbols };
}

function without(one: Tree, other: Tree): ReadonlySet<string> {
  return new Set([...one.symbols.keys()].filter(hash => !other.symbols.has(hash)));
}

function bearersIn({ documents }: Tree, name: string): readonly ManifestLine[] {
  const bearers = [...documents].filter(([, { document }]) =>
    document.facts.definitions.some(definition => definition.name === name),
  );
  return bearers.map(([line]) => line);
}
