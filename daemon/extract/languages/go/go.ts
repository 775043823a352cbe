import type { FactsBuilder } from '../../builder.ts';
import { goComplexity } from '../../complexity/go.ts';
import type { Language } from '../../language.ts';
import { Scopes } from '../../scopes.ts';
import type { SyntaxTree } from '../../tree.ts';
import { defineFile } from './definitions.ts';
import { visit } from './visit.ts';
import type { Walk } from './walk.ts';

/** A package's files share one scope: what this file doesn't bind is left as a free name of the package. */
export const go: Language = {
  name: 'go',
  grammar: '@repomix/tree-sitter-wasms/out/tree-sitter-go.wasm',
  complexity: goComplexity,
  walk(tree, facts) {
    const walk = createWalk(tree, facts);
    const clause = tree.childOfKind(0, 'package_clause');
    const name = tree.text(tree.namedChildren(clause)[0] ?? -1);
    facts.setPackageName(name);
    if (name === 'main' && isLeftOut(tree, clause)) facts.markStandalone();
    bindImports(walk);
    defineFile(walk);
    visit(walk, 0);
  },
};

function createWalk(tree: SyntaxTree, facts: FactsBuilder): Walk {
  const names = { packages: new Set<string>(), typeParameters: new Set<string>() };
  const noneYet = { slots: new Map(), sites: new Set<number>(), constraints: new Map() };
  return { tree, facts, scopes: new Scopes(), ...noneYet, ...names };
}

/**
 * Whether no build takes the file in, so that it is run by its name: by custom such programs lie several in a folder. Any
 * other constraint says where a file belongs to its package, of which each build has one that says `main`.
 */
function isLeftOut(tree: SyntaxTree, clause: number): boolean {
  const above = tree.namedChildren(0).filter(child => child < clause && tree.kind(child) === 'comment');
  return above.some(comment => /^\/\/(?:go:build|\s*\+build)\s+ignore\s*$/.test(tree.text(comment)));
}

function bindImports({ tree, facts, scopes, packages }: Walk): void {
  for (let node = 0; node < tree.size; node++) {
    if (tree.kind(node) !== 'import_spec') continue;
    const specifier = tree.text(tree.child(node, 'path')).slice(1, -1);
    const alias = tree.text(tree.child(node, 'name'));
    const wildcard = alias === '.';
    const isBound = alias !== '_' && !wildcard;
    const local = isBound ? alias || packageNameOf(specifier) : '';
    const line = facts.range(node).startLine;
    const index = facts.addImport({
      specifier,
      name: isBound || wildcard ? '*' : '',
      local,
      wildcard,
      typeOnly: false,
      line,
    });
    if (local === '') continue;
    packages.add(local);
    scopes.declare(local, facts.imported(index), 'global');
  }
}

/**
 * The name that an import without alias binds, as well as the path tells: the clause inside may say otherwise, by custom
 * only about versions (`yaml.v3`, `redis/v9`) and a `go-` in front.
 */
function packageNameOf(specifier: string): string {
  const parts = specifier.split('/');
  const last = parts.at(-1) ?? '';
  const name = /^v\d{1,4}$/.test(last) && parts.length > 1 ? parts.at(-2)! : last;
  return name
    .replace(/\.v\d{1,4}$/, '')
    .replace(/^go-/, '')
    .replace(/[.-]go$/, '')
    .replaceAll('-', '_');
}
