import type { FactsBuilder } from '../../builder.ts';
import { lineOf, type SyntaxTree } from '../../tree.ts';
import type { Walk } from './walk.ts';

/** How many directives of a sort the file has by now. */
type Counts = Record<'import' | 'prefixed' | 'named' | 'handed' | 'part', number>;

/**
 * Imports, exports and parts. A part sees what its library imports: the library exports that under names that nobody can
 * write (`import 0`, `shown X`, `prefix p`, `part 0`), and a part the library as `library`. Extensions are looked for
 * behind prefixes, too (`prefixed 0`), and among what imports and exports show (`named 0`, `handed 0`); a file has those
 * that it declares as `extends X`, and what they add as `extension member`; what those add that have no name, which only
 * their library sees, as `own extension member`. What an import hides is `hides X`, beside
 * `hides`.
 */
export function bindDirectives(walk: Walk): void {
  const { tree } = walk;
  const counts: Counts = { import: 0, prefixed: 0, named: 0, handed: 0, part: 0 };
  for (const node of tree.namedChildren(0)) {
    switch (tree.kind(node)) {
      case 'import_or_export':
        for (const specifier of urisOf(tree, node).slice(1)) {
          const line = lineOf(tree, node);
          walk.facts.addImport({ specifier, name: '', local: '', wildcard: false, typeOnly: false, line });
        }
        if (tree.childOfKind(node, 'library_export') >= 0) exported(walk, node, counts);
        else imported(walk, node, counts);
        break;
      case 'part_directive': {
        const part = whole(walk, node, '');
        walk.facts.addExport(`part ${counts.part++}`, part);
        walk.facts.addExport('*', part);
        break;
      }
      case 'part_of_directive':
        if (uriOf(tree, node) !== '') walk.facts.addExport('library', whole(walk, node, ''));
        break;
      default:
    }
  }
}

/** All that others see of the file: what stands at its top, and what its extensions add to values. */
export function exportAll(facts: FactsBuilder, extensions: ReadonlySet<number>): void {
  const isUnnamed = (slot: number): boolean => facts.definition(slot).name.includes(' ');
  facts.definitions.forEach(({ name, container, kind }, slot) => {
    if (extensions.has(slot) && isUnnamed(slot)) return;
    if (extensions.has(slot)) facts.addExport(`extends ${name}`, facts.slot(slot));
    if (container < 0) facts.addExport(name, facts.slot(slot));
    else if (extensions.has(container) && kind !== 'constructor')
      facts.addExport(`${isUnnamed(container) ? 'own extension' : 'extension'} ${name}`, facts.slot(slot));
  });
}

function exported(walk: Walk, node: number, counts: Counts): void {
  const { tree, facts } = walk;
  const list = combined(tree, tree.childOfKind(node, 'library_export'), 'show');
  if (list.length === 0) exportWhole(walk, node);
  for (const name of list) {
    const value = one(walk, node, name, '');
    facts.addExport(tree.text(name), value);
    facts.addExport(`handed ${counts.handed++}`, value);
  }
}

function exportWhole(walk: Walk, node: number): void {
  const { tree, facts } = walk;
  const module = whole(walk, node, '');
  facts.addExport('*', module);
  for (const name of combined(tree, tree.childOfKind(node, 'library_export'), 'hide'))
    facts.refer(name, 'import', facts.member(module, tree.text(name)));
}

function imported(walk: Walk, node: number, counts: Counts): void {
  const { tree, facts, scopes } = walk;
  const specification = tree.childOfKind(tree.childOfKind(node, 'library_import'), 'import_specification');
  const prefix = tree.text(tree.childOfKind(specification, 'identifier'));
  const list = combined(tree, specification, 'show');
  if (prefix === '' && list.length === 0) importWhole(walk, node, counts, combined(tree, specification, 'hide'));
  if (prefix === '') {
    for (const name of list) {
      const value = one(walk, node, name, tree.text(name));
      facts.addExport(`shown ${tree.text(name)}`, value);
      facts.addExport(`named ${counts.named++}`, value);
    }
    return;
  }
  const module = whole(walk, node, prefix);
  const all = facts.either(scopes.resolve(prefix)?.expression ?? -1, module);
  scopes.declare(prefix, all, 'global');
  facts.addExport(`prefix ${prefix}`, all);
  if (list.length === 0) facts.addExport(`prefixed ${counts.prefixed++}`, module);
  for (const name of list) {
    const value = facts.member(module, tree.text(name));
    facts.refer(name, 'import', value);
    facts.addExport(`named ${counts.named++}`, value);
  }
}

function importWhole(walk: Walk, node: number, counts: Counts, hidden: readonly number[]): void {
  const { tree, facts } = walk;
  const module = whole(walk, node, '');
  facts.addExport(`import ${counts.import++}`, module);
  if (hidden.length > 0) facts.addExport('hides', module);
  for (const name of hidden) {
    facts.refer(name, 'import', facts.member(module, tree.text(name)));
    facts.addExport(`hides ${tree.text(name)}`, module);
  }
}

/** The file that a directive names. */
function whole({ tree, facts }: Walk, node: number, local: string): number {
  const specifier = uriOf(tree, node);
  const isImport = tree.childOfKind(node, 'library_import') >= 0;
  const name = isImport ? '*' : '';
  return facts.imported(
    facts.addImport({
      specifier,
      name,
      local,
      wildcard: isImport && local === '',
      typeOnly: false,
      line: lineOf(tree, node),
    }),
  );
}

function one({ tree, facts }: Walk, node: number, nameNode: number, local: string): number {
  const specifier = uriOf(tree, node);
  const name = tree.text(nameNode);
  const index = facts.addImport({ specifier, name, local, wildcard: false, typeOnly: false, line: lineOf(tree, node) });
  facts.refer(nameNode, 'import', facts.imported(index));
  return facts.imported(index);
}

/** Names behind `show` or `hide`. */
function combined(tree: SyntaxTree, holder: number, word: 'show' | 'hide'): readonly number[] {
  return tree
    .namedChildren(holder)
    .filter(part => tree.kind(part) === 'combinator' && tree.text(part).startsWith(word))
    .flatMap(part => tree.namedChildren(part).filter(name => tree.kind(name) === 'identifier'));
}

/** An annotation above a directive may have texts, too. */
function uriOf(tree: SyntaxTree, directive: number): string {
  return urisOf(tree, directive)[0] ?? '';
}

/** The one that a directive names, then those in its place under conditions: `if (dart.library.html) 'b.dart'`. */
function urisOf(tree: SyntaxTree, directive: number): readonly string[] {
  const found: string[] = [];
  for (let node = directive; node < tree.after[directive]!; node++) {
    if (tree.kind(node) === 'uri') found.push(/['"]([^'"]*)['"]/.exec(tree.text(node))?.[1] ?? '');
  }
  return found;
}
