import type { DocumentImports } from './document-imports.ts';

/**
 * Documents that code of tests alone declares to be modules (`#[cfg(test)] mod helpers;` in Rust), and those that these
 * declare: numbers. `declaredBy`: of a declaration the document that it leads to.
 */
export function testModules(
  documents: Iterable<DocumentImports>,
  declaredBy: (symbol: number) => number | undefined,
): ReadonlySet<number> {
  /** By document: who declares it, but for tests. */
  const byCode = new Map<number, Set<number>>();
  const declared = new Map<number, number[]>();
  for (const { document, language, imports } of documents) {
    if (language !== 'rust') continue;
    for (const { specifier, isTest, targets } of imports) {
      if (!specifier.startsWith('mod ')) continue;
      for (const module of targets.flatMap(({ symbol }) => declaredBy(symbol) ?? [])) {
        const those = byCode.get(module) ?? new Set();
        byCode.set(module, isTest ? those : those.add(document));
        declared.set(document, [...(declared.get(document) ?? []), module]);
      }
    }
  }
  const found = new Set<number>();
  const pending = [...byCode].flatMap(([module, those]) => (those.size === 0 ? [module] : []));
  for (let module = pending.pop(); module !== undefined; module = pending.pop()) {
    if (found.has(module)) continue;
    found.add(module);
    for (const inner of declared.get(module) ?? []) {
      byCode.get(inner)!.delete(module);
      if (byCode.get(inner)!.size === 0) pending.push(inner);
    }
  }
  return found;
}
