import type { ContentHash, Dialect } from '../model/document.ts';
import { hasFacts, type ManifestLine } from '../model/manifest.ts';
import type { FactKey } from '../store/publication.ts';

/** Under what the facts of a line are stored; undefined where it has none. */
export function factKeyOf(line: ManifestLine): FactKey | undefined {
  if (!hasFacts(line)) return undefined;
  return { hash: line.entry.hash as ContentHash, dialect: line.entry.dialect as Dialect, version: line.version };
}

/** Equal for equal keys. */
export function factKeyText({ hash, dialect, version }: FactKey): string {
  return `${hash} ${dialect} ${version}`;
}
