import { bind, type Scope } from './scopes.ts';
import type { Walk } from './walk.ts';

/** Binds what an import statement binds, and refers to the names that it takes out of modules. */
export function collectImport(walk: Walk, scope: Scope, node: number): void {
  if (walk.tree.kind(node) === 'import_statement') importModules(walk, scope, node);
  else importNames(walk, scope, node);
}

/** `import a.b` binds `a`; `import a.b as c` binds the module `a.b`. */
function importModules(walk: Walk, scope: Scope, node: number): void {
  const { tree, facts } = walk;
  const line = facts.range(node).startLine;
  const typeOnly = isTypeOnly(walk, node);
  for (const one of tree.childrenIn(node, 'name')) {
    const isAliased = tree.kind(one) === 'aliased_import';
    const path = isAliased ? tree.child(one, 'name') : one;
    const alias = isAliased ? tree.child(one, 'alias') : tree.firstChild(path);
    const whole = compact(tree.text(path));
    const specifier = isAliased ? whole : whole.split('.', 1)[0]!;
    const local = tree.text(alias);
    const index = facts.addImport({ specifier, name: '*', local, wildcard: false, typeOnly, line });
    if (specifier !== whole) {
      facts.addImport({ specifier: whole, name: '', local: '', wildcard: false, typeOnly, line });
    }
    bind(homeOf(scope, local), local, alias, 'import', facts.imported(index));
  }
}

function importNames(walk: Walk, scope: Scope, node: number): void {
  const { tree, facts } = walk;
  const line = facts.range(node).startLine;
  const specifier = compact(tree.text(tree.child(node, 'module_name')));
  const typeOnly = isTypeOnly(walk, node);
  if (tree.childOfKind(node, 'wildcard_import') >= 0) {
    const index = facts.addImport({ specifier, name: '*', local: '', wildcard: true, typeOnly, line });
    if (scope.kind === 'module') facts.addExport('*', facts.imported(index));
    return;
  }
  for (const one of tree.childrenIn(node, 'name')) {
    const isAliased = tree.kind(one) === 'aliased_import';
    const nameNode = isAliased ? tree.child(one, 'name') : one;
    const alias = isAliased ? tree.child(one, 'alias') : nameNode;
    const name = tree.text(nameNode);
    const local = tree.text(alias);
    const index = facts.addImport({ specifier, name, local, wildcard: false, typeOnly, line });
    const denoted = facts.imported(index);
    facts.refer(nameNode, 'import', denoted);
    bind(homeOf(scope, local), local, alias, 'import', denoted);
  }
}

function homeOf(scope: Scope, name: string): Scope {
  let home = scope;
  if (scope.elsewhere.get(name) === 'global') while (home.outer !== undefined) home = home.outer;
  return home;
}

function isTypeOnly({ tree }: Walk, node: number): boolean {
  const holder = tree.parent[tree.parent[node]!] ?? -1;
  return tree.kind(holder) === 'if_statement' && /\bTYPE_CHECKING$/.test(tree.text(tree.child(holder, 'condition')));
}

function compact(path: string): string {
  return path.replace(/\s+/g, '');
}
