import type { SyntaxTree } from '../../tree.ts';
import { partsOf, stringText } from './naming.ts';
import type { Walk } from './walk.ts';

/**
 * Notes of the modules that a name or a dotted path at `node` may denote that code hands them on (`register(m)`,
 * `getattr(m, name)`), unless names alone are taken out of them there: `m.a`, `getattr(m, "a")`. Of what an import takes by
 * name it is noted as well: whether that is a module the file doesn't tell.
 */
export function noteModuleValue({ tree, facts }: Walk, node: number, expression: number): void {
  if (tree.kind(node) === 'attribute') {
    // `a.b` of `import a.b` is one where the path says it whole.
    if (isHandedOn(tree, node)) facts.letPathEscape(tree.text(node));
    return;
  }
  const imports = facts.importsIn(expression);
  if (imports.length > 0 && isHandedOn(tree, node)) for (const one of imports) facts.letEscape(one);
}

function isHandedOn(tree: SyntaxTree, node: number): boolean {
  const holder = tree.parent[node]!;
  switch (tree.kind(holder)) {
    case 'attribute':
      return tree.field(node) === 'object' && tree.text(tree.child(holder, 'attribute')) === '__dict__';
    // What is called, inherited or annotated with is no module.
    case 'call':
    case 'decorator':
    case 'type':
    case 'expression_statement':
    case 'delete_statement':
      return false;
    case 'argument_list': {
      const call = tree.parent[holder]!;
      return tree.kind(call) !== 'class_definition' && askedMember(tree, call)?.of !== node;
    }
    default:
      return true;
  }
}

/** The literal name that a call asks a value's attribute by, and the value: `getattr(m, "a")`. */
export interface AskedMember {
  readonly of: number;
  /** Node of the name in the text. */
  readonly nameNode: number;
}

/** `hasattr` only asks, but whoever asks uses what is there. */
export function askedMember(tree: SyntaxTree, call: number): AskedMember | undefined {
  if (!/^(?:get|set|has|del)attr$/.test(tree.text(tree.child(call, 'function')))) return undefined;
  const [of = -1, name = -1] = partsOf(tree, tree.child(call, 'arguments'));
  const nameNode = tree.childOfKind(name, 'string_content');
  const isPlain = tree.kind(name) === 'string' && /^[A-Za-z_]\w*$/.test(stringText(tree, name));
  return isPlain && nameNode >= 0 ? { of, nameNode } : undefined;
}
