import type { FactsBuilder } from '../../builder.ts';
import { pythonComplexity } from '../../complexity/python.ts';
import type { Language } from '../../language.ts';
import type { SyntaxTree } from '../../tree.ts';
import { collect } from './bindings.ts';
import { openScope, type Scope } from './scopes.ts';
import { createValues } from './values.ts';
import { visit } from './visit.ts';
import type { Walk } from './walk.ts';

export const python: Language = {
  name: 'python',
  grammar: '@repomix/tree-sitter-wasms/out/tree-sitter-python.wasm',
  complexity: pythonComplexity,
  walk(tree, facts) {
    const walk = createWalk(tree, facts);
    const module = openScope('module', 0, undefined, -1);
    walk.scopes.set(0, module);
    collect(walk, module);
    visit(walk, 0, module);
    exportNames(walk, module);
    joinSites(walk);
  },
};

function createWalk(tree: SyntaxTree, facts: FactsBuilder): Walk {
  const scopes = new Map<number, Scope>();
  const slots = new Map<number, number>();
  return {
    tree,
    facts,
    values: createValues(tree, facts, scopes),
    scopes,
    slots,
    sites: new Set(),
    pending: [],
    all: undefined,
  };
}

/** A module's attributes are all names that it binds, imported ones too; but for those that only a run as a script binds. */
function exportNames({ tree, facts, all }: Walk, module: Scope): void {
  const script = scriptBlock(tree);
  for (const [name, bindings] of module.names) {
    for (const binding of bindings) {
      if (binding.kind === 'local' || binding.kind === 'narrowing') continue;
      if (binding.node >= script && binding.node < (tree.after[script] ?? 0)) continue;
      facts.addExport(name, typeof binding.value === 'number' ? binding.value : binding.value());
    }
    if (all !== undefined) for (const slot of facts.slotsNamed(-1, name)) facts.setExported(slot, all.has(name));
  }
}

/** The block of `if __name__ == "__main__":`, -1 where there is none. */
function scriptBlock(tree: SyntaxTree): number {
  const isScript = (node: number): boolean =>
    tree.kind(node) === 'if_statement' &&
    /^__name__\s*==\s*(["'])__main__\1$/.test(tree.text(tree.child(node, 'condition')));
  return tree.child(tree.namedChildren(0).findLast(isScript) ?? -1, 'consequence');
}

/** Overloads and conditional definitions are one symbol: its first site knows what any of them gives. */
function joinSites({ facts, slots }: Walk): void {
  for (const slot of slots.values()) {
    const { container, name, tail } = facts.definition(slot);
    const [first = slot] = facts.slotsNamed(container, name).filter(other => facts.definition(other).tail === tail);
    if (first !== slot) facts.setType(first, facts.definition(slot).type);
  }
}
