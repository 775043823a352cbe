import { appendTo } from '../../../../model/append-to.ts';
import { importIndex } from './imported.ts';

type Files = ReadonlyMap<string, Uint8Array>;

/**
 * Of the `.proto` files of some revisions those that a comparison of one may look at: those that import it, directly or through
 * others, those of its package, and what all of these import. Told by what looks like an import or a package, without reading
 * the files for what they say: rather one too many.
 */
export function connectedProtos(path: string, revisions: readonly Files[]): ReadonlySet<string> {
  const found = new Set<string>();
  const sides = revisions.map(headsOf);
  const packages = new Set(sides.flatMap(heads => heads.get(path)?.packages ?? []));
  // What a file declared that is gone may be found in another; without a package in one that has none.
  const isGone = sides.some(heads => !heads.has(path));
  if (isGone && sides.some(heads => heads.get(path)?.packages.length === 0)) packages.add('');
  for (const heads of sides) {
    for (const one of connectedIn(path, packages, heads)) found.add(one);
  }
  return found;
}

interface Head {
  readonly imports: readonly string[];
  readonly packages: readonly string[];
}

function connectedIn(path: string, packages: ReadonlySet<string>, heads: ReadonlyMap<string, Head>): Set<string> {
  const index = importIndex(heads.keys());
  const importers = new Map<string, string[]>();
  for (const [importer, { imports }] of heads) {
    for (const written of imports) for (const one of index.filesOf(written)) appendTo(importers, one, importer);
  }
  const found = new Set([path]);
  for (const one of found) for (const importer of importers.get(one) ?? []) found.add(importer);
  for (const [peer, head] of heads) if (isIn(packages, head)) found.add(peer);
  for (const one of found) {
    for (const written of heads.get(one)?.imports ?? []) for (const file of index.filesOf(written)) found.add(file);
  }
  return found;
}

function isIn(packages: ReadonlySet<string>, head: Head): boolean {
  return head.packages.length === 0 ? packages.has('') : head.packages.some(one => packages.has(one));
}

function headsOf(files: Files): ReadonlyMap<string, Head> {
  return new Map([...files].map(([path, bytes]) => [path, headOf(bytes)]));
}

function headOf(bytes: Uint8Array): Head {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  const said = (pattern: RegExp): readonly string[] => [...text.matchAll(pattern)].map(found => found[1]!);
  return {
    imports: said(/\bimport\b[^"';]{0,200}["']([^"'\n]{1,1000})["']/g).map(asUtf8),
    packages: said(/\bpackage\s{1,100}([\w.]{1,1000})\s{0,100};/g),
  };
}

function asUtf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8');
}
