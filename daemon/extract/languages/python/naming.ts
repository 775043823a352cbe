import type { SymbolKind, Visibility } from '../../../model/symbol.ts';
import type { SyntaxTree } from '../../tree.ts';

/** `__x__` is public by convention, `__x` is mangled, `_x` is a matter of manners. */
export function accessOf(name: string): { visibility: Visibility; exported: boolean } {
  if (!name.startsWith('_') || (name.startsWith('__') && name.endsWith('__'))) {
    return { visibility: 'public', exported: true };
  }
  return { visibility: name.startsWith('__') ? 'private' : 'internal', exported: false };
}

export function functionKind(tree: SyntaxTree, node: number, isInClass: boolean): SymbolKind {
  if (!isInClass) return 'function';
  if (decoratorsOf(tree, node).some(name => /(?:property|\.(?:setter|getter|deleter))$/.test(name))) return 'property';
  return tree.text(tree.child(node, 'name')) === '__init__' ? 'constructor' : 'method';
}

export function variableKind(tree: SyntaxTree, name: string, annotation: number, classNode: number): SymbolKind {
  const type = tree.text(annotation);
  if (/\bTypeAlias$/.test(type)) return 'type';
  if (classNode >= 0 && annotation < 0 && !name.startsWith('_') && isEnum(tree, classNode)) return 'enum-member';
  if (/^_{0,2}[A-Z][A-Z0-9_]*$/.test(name) || /\bFinal\b/.test(type)) return 'constant';
  return classNode >= 0 ? 'field' : 'variable';
}

function isEnum(tree: SyntaxTree, classNode: number): boolean {
  const bases = tree.child(classNode, 'superclasses');
  return tree.namedChildren(bases).some(base => /(?:Enum|Flag)$/.test(tree.text(base)));
}

/** Names of decorators without their arguments: `property`, `app.route`. */
export function decoratorsOf(tree: SyntaxTree, definition: number): readonly string[] {
  const holder = tree.parent[definition]!;
  if (tree.kind(holder) !== 'decorated_definition') return [];
  return tree
    .children(holder)
    .filter(child => tree.kind(child) === 'decorator')
    .map(child =>
      tree
        .text(child)
        .slice(1)
        .split(/[(#\n]/, 1)[0]!
        .trim(),
    );
}

/** The string that a body starts with, without its quotes and common indentation. */
export function docstringOf(tree: SyntaxTree, body: number): string {
  const first = tree.namedChildren(body).find(child => tree.kind(child) !== 'comment') ?? -1;
  return stringStatement(tree, first);
}

/** A variable is documented by `#:` comments above or beside it, or by a string below it (PEP 224, Sphinx). */
export function variableDocumentation(tree: SyntaxTree, assignment: number): string {
  const statement = tree.parent[assignment]!;
  if (tree.kind(statement) !== 'expression_statement') return '';
  return stringStatement(tree, tree.nextSibling(statement)) || markedComments(tree, statement);
}

function markedComments(tree: SyntaxTree, statement: number): string {
  const lines: string[] = [];
  let end = tree.source.lastIndexOf('\n', tree.start[statement]!);
  while (end > 0 && lines.length < 100) {
    const start = tree.source.lastIndexOf('\n', end - 1) + 1;
    const line = tree.source.slice(start, end).trim();
    if (!line.startsWith('#:')) break;
    lines.unshift(line.slice(2).trim());
    end = start - 1;
  }
  return lines.join('\n');
}

function stringStatement(tree: SyntaxTree, statement: number): string {
  if (tree.kind(statement) !== 'expression_statement') return '';
  const text = tree.firstChild(statement);
  return tree.kind(text) === 'string' ? dedent(stringText(tree, text)) : '';
}

/** What stands between a string's quotes, escapes untouched; '' where it interpolates. */
export function stringText(tree: SyntaxTree, node: number): string {
  const parts = tree.namedChildren(node);
  if (parts.some(part => tree.kind(part) === 'interpolation')) return '';
  const start = tree.end[tree.childOfKind(node, 'string_start')] ?? 0;
  const end = tree.start[tree.childOfKind(node, 'string_end')] ?? 0;
  return tree.source.slice(start, end);
}

function dedent(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const indents = rest.filter(line => line.trim() !== '').map(line => line.length - line.trimStart().length);
  const common = indents.length === 0 ? 0 : Math.min(...indents);
  return [first.trim(), ...rest.map(line => line.slice(common).trimEnd())].join('\n').trim();
}

/** Named children without the comments that may stand among them. */
export function partsOf(tree: SyntaxTree, node: number): readonly number[] {
  return tree.namedChildren(node).filter(child => tree.kind(child) !== 'comment');
}

/** From the keyword to the colon before the body. */
export function headOf(tree: SyntaxTree, definition: number): string {
  const body = tree.child(definition, 'body');
  const end = body < 0 ? tree.end[definition]! : tree.start[body]!;
  return tree.source.slice(tree.start[definition]!, end).replace(/:\s*(?:#[^\n]*\s*)*$/, '');
}
