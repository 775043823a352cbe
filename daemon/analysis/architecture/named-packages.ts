import type { FileGraph, FileImport } from '../../model/file-graph.ts';

/**
 * Without uses of another package's that Rust's files make by way of a third: code names a crate for all that it takes from
 * there, whatever that hands on of others. `packageOf`: of a file, by its index.
 */
export function withoutUnnamed(graph: FileGraph, packageOf: (file: number) => string): FileGraph {
  const { files, imports } = graph;
  if (!files.some(({ language }) => language === 'rust')) return graph;
  const [named, namedByCode] = [new Set<string>(), new Set<string>()];
  for (const { from, target, implicit, isTest } of imports) {
    if (implicit || target.kind !== 'files' || files[from]!.language !== 'rust') continue;
    for (const file of target.files) {
      named.add(`${from} ${packageOf(file)}`);
      if (!isTest) namedByCode.add(`${from} ${packageOf(file)}`);
    }
  }
  const isNamed = ({ from, target, implicit, isTest }: FileImport): boolean => {
    if (!implicit || target.kind !== 'files' || files[from]!.language !== 'rust') return true;
    const [own, those] = [packageOf(from), isTest ? named : namedByCode];
    return target.files.every(file => packageOf(file) === own || those.has(`${from} ${packageOf(file)}`));
  };
  return { files, imports: imports.filter(isNamed) };
}
