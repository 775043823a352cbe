import { atTop, type GraphDocument, type GraphSite, kindOfDefinition } from '../../model/graph.ts';
import { baseName, directoryOf } from '../../model/paths.ts';
import type { WiredDocument } from '../../model/wiring.ts';
import type { PackageModel } from './audience.ts';
import { isExported } from './standing.ts';

/** Files of Rust by their paths. */
export interface Crates {
  /** Those that a crate's root leads to by `mod`. */
  readonly compiled: ReadonlySet<string>;
  /** Those to which a library leads by `pub mod`: what they export, its users may name. */
  readonly open: ReadonlySet<string>;
}

/** Follows `mod name;` from the roots of crates: to `name.rs` or `name/mod.rs`, beside a root or a `mod.rs`, else below the file's name. */
export function cratesOf(
  documents: readonly WiredDocument[],
  { entrypoints }: PackageModel,
  nameOf: (site: GraphSite) => string,
): Crates {
  const files = new Map<string, GraphDocument>();
  for (const { graph } of documents) if (graph.language === 'rust') files.set(graph.path, graph);
  const compiled = new Set<string>();
  const open = new Set<string>();
  const follow = (path: string, isRoot: boolean, isOpen: boolean): void => {
    const graph = files.get(path);
    const known = isOpen ? open : compiled;
    if (graph === undefined || known.has(path)) return;
    compiled.add(path);
    if (isOpen) open.add(path);
    for (const { name, isShown } of modulesIn(graph, nameOf)) {
      const folder = isRoot || baseName(path) === 'mod.rs' ? directoryOf(path) : path.replace(/\.rs$/, '');
      const place = folder === '' ? name : `${folder}/${name}`;
      for (const file of [`${place}.rs`, `${place}/mod.rs`]) follow(file, false, isOpen && isShown);
    }
  };
  for (const { path, kind } of entrypoints) if (kind === 'library') follow(path, true, true);
  for (const { path } of entrypoints) follow(path, true, false);
  return { compiled, open };
}

function modulesIn(graph: GraphDocument, nameOf: (site: GraphSite) => string) {
  const found: { readonly name: string; readonly isShown: boolean }[] = [];
  graph.symbols.forEach((_, at) => {
    if (kindOfDefinition(graph, at) !== 'module' || graph.containers[at] !== atTop) return;
    found.push({ name: nameOf({ in: graph, at }), isShown: isExported(graph, at) });
  });
  return found;
}
