import { directoryOf, join } from '../../../model/paths.ts';
import { at, type DocumentNode, type MapEntry, mapOf, textOf } from '../document/nodes.ts';
import { partOf } from './references.ts';

/** The files of the repository that a text's references name, each once; a search for the word alone, whatever surrounds it. */
export function referencedFiles(path: string, bytes: Uint8Array): readonly string[] {
  const text = new TextDecoder().decode(bytes);
  const found = new Set<string>();
  for (const [, written = ''] of text.matchAll(/\$ref["']?[ \t]*:[ \t]*["']?([^"'#\s,}]{1,1000})/g)) {
    const target = fileAt(path, written);
    if (target !== undefined && target !== path && /\.(?:ya?ml|json)$/i.test(target)) found.add(target);
  }
  return [...found];
}

/** Relative paths alone: what has a host, or leads out of the repository, is none of its files. */
function fileAt(from: string, written: string): string | undefined {
  if (written.startsWith('/') || /^[a-z][a-z\d+.-]*:/i.test(written)) return undefined;
  return join(directoryOf(from), written);
}

/** A document among the other files of its repository. */
export interface DocumentPlace {
  readonly path: string;
  /** The root of a file's document; undefined where it is not known, or can't be read. */
  readonly rootOf: (path: string) => DocumentNode | undefined;
}

interface Taking extends DocumentPlace {
  readonly prefix: string;
  readonly roots: Map<string, DocumentNode | undefined>;
  readonly taken: Map<string, MapEntry>;
  /** By file and node: aliases and references lead to one often. */
  readonly copies: Map<string, Map<DocumentNode, DocumentNode>>;
  readonly open: Target[];
}

interface Target {
  readonly name: string;
  readonly path: string;
  readonly node: DocumentNode;
  readonly line: number;
}

/**
 * A document with what its references name in other files taken in among its shapes, under the file and the place there.
 * It stands on the line of the first reference that led to its file. References that lead nowhere stay as they are.
 */
export function withOtherFiles(root: DocumentNode, version: string, place: DocumentPlace): DocumentNode {
  const keys = version === '2.0' ? ['definitions'] : ['components', 'schemas'];
  const taking: Taking = {
    ...place,
    prefix: `#/${keys.join('/')}/`,
    roots: new Map(),
    taken: new Map(),
    copies: new Map(),
    open: [],
  };
  const own = copied(taking, place.path, root, undefined);
  for (let next = taking.open.pop(); next !== undefined; next = taking.open.pop()) {
    const { name, path, node, line } = next;
    taking.taken.set(name, { line, value: copied(taking, path, node, line) });
  }
  return taking.taken.size === 0 ? root : withEntries(own, keys, taking.taken);
}

function withEntries(
  node: DocumentNode | undefined,
  keys: readonly string[],
  added: ReadonlyMap<string, MapEntry>,
): DocumentNode {
  const { entries } = mapOf(node);
  const line = node?.line ?? 1;
  const [key, ...inner] = keys;
  if (key === undefined) return { kind: 'map', line, entries: new Map([...added, ...entries]) };
  const value = withEntries(at(node, key), inner, added);
  return { kind: 'map', line, entries: new Map([...entries, [key, { line: entries.get(key)?.line ?? line, value }]]) };
}

/** With references written as the document has them that they are taken into; on one line where that is given. */
function copied(taking: Taking, path: string, node: DocumentNode, line: number | undefined): DocumentNode {
  const copies = taking.copies.get(path) ?? new Map<DocumentNode, DocumentNode>();
  taking.copies.set(path, copies);
  const known = copies.get(node);
  if (known !== undefined) return known;
  const made = copyOf(taking, path, node, line);
  copies.set(node, made);
  return made;
}

function copyOf(taking: Taking, path: string, node: DocumentNode, line: number | undefined): DocumentNode {
  const at = line ?? node.line;
  if (node.kind === 'scalar') return { ...node, line: at };
  if (node.kind === 'list')
    return { kind: 'list', line: at, items: node.items.map(item => copied(taking, path, item, line)) };
  const entries = new Map<string, MapEntry>();
  for (const [name, entry] of node.entries) {
    const written = name === '$ref' ? textOf(entry.value) : undefined;
    const value: DocumentNode =
      written === undefined
        ? copied(taking, path, entry.value, line)
        : { kind: 'scalar', line: at, value: referenceFor(taking, path, written, at) };
    entries.set(name, { line: line ?? entry.line, value });
  }
  return { kind: 'map', line: at, entries };
}

function referenceFor(taking: Taking, path: string, written: string, line: number): string {
  const hash = written.indexOf('#');
  const [file, pointer] = hash < 0 ? [written, ''] : [written.slice(0, hash), written.slice(hash + 1)];
  const target = file === '' ? path : fileAt(path, file);
  if (target === undefined || (pointer !== '' && !pointer.startsWith('/'))) return written;
  if (target === taking.path) return pointer === '' ? written : `#${pointer}`;
  const name = pointer === '' ? target : `${target}#${pointer}`;
  if (!taking.taken.has(name)) {
    const node = pointedAt(rootOf(taking, target), pointer);
    if (node === undefined) return written;
    taking.taken.set(name, { line, value: node });
    taking.open.push({ name, path: target, node, line });
  }
  return taking.prefix + name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('%', '%25');
}

function rootOf({ roots, rootOf: read }: Taking, path: string): DocumentNode | undefined {
  if (!roots.has(path)) roots.set(path, read(path));
  return roots.get(path);
}

function pointedAt(root: DocumentNode | undefined, pointer: string): DocumentNode | undefined {
  let found = root;
  for (const part of pointer.split('/').slice(1)) {
    const name = partOf(part);
    found = found?.kind === 'list' ? found.items[Number(name)] : at(found, name);
  }
  return found;
}
