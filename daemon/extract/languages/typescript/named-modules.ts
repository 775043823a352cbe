import { literalText, type Walk } from './context.ts';
import { importedModule, isRequire } from './required-modules.ts';

/**
 * Notes the module of a path that code names for something else to load: `new URL('./m.js', import.meta.url)`,
 * `require.resolve('./m')`, `import.meta.resolve('./m.js')`. A worker of it is code by itself of which nothing is taken;
 * what becomes of it elsewhere can't be seen.
 */
export function noteNamedModule(walk: Walk, node: number, callee: number): void {
  const { tree, facts } = walk;
  const list = tree.child(node, 'arguments');
  if (list < 0) return;
  const [path = -1, base = -1] = tree.namedChildren(list).filter(one => tree.kind(one) !== 'comment');
  const specifier = literalText(walk, path);
  if (specifier === undefined || !/^\.\.?\//.test(specifier)) return;
  const isUrl = tree.kind(node) === 'new_expression';
  if (isUrl ? !isUrlOfModule(walk, callee, base) : !isResolution(walk, callee)) return;
  if (!(isUrl ? /\.[cm]?[jt]sx?$/ : /\.[cm]?[jt]sx?$|\/[^./]+$/).test(specifier)) return;
  if (isOfWorker(walk, node)) {
    const { startLine: line } = facts.range(node);
    facts.addImport({ specifier, name: '', local: '', wildcard: false, typeOnly: false, line });
  } else facts.letEscape(facts.imported(importedModule(walk, specifier, node)));
}

function isUrlOfModule({ tree, scopes }: Walk, callee: number, base: number): boolean {
  const isUrl = tree.text(callee) === 'URL' && scopes.resolve('URL') === undefined;
  return isUrl && base >= 0 && tree.text(base).replace(/\s/g, '') === 'import.meta.url';
}

function isResolution(walk: Walk, callee: number): boolean {
  const { tree } = walk;
  if (tree.kind(callee) !== 'member_expression' || tree.text(tree.child(callee, 'property')) !== 'resolve')
    return false;
  return tree.text(callee) === 'import.meta.resolve' || isRequire(walk, tree.child(callee, 'object'));
}

/** Whether what `node` makes is the first argument of a constructor of workers. */
function isOfWorker({ tree }: Walk, node: number): boolean {
  const list = tree.parent[node]!;
  const made = tree.kind(list) === 'arguments' ? tree.parent[list]! : -1;
  if (made < 0 || tree.kind(made) !== 'new_expression' || tree.namedChildren(list)[0] !== node) return false;
  return /^(?:Shared)?Worker$/.test(tree.text(tree.child(made, 'constructor')));
}
