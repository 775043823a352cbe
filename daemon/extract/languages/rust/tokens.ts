import { maxDepth } from '../../builder.ts';
import type { SyntaxTree } from '../../tree.ts';
import { moduleValue, parentValue, selfType } from './types.ts';
import { awaited, resultOfMethod, resultOfPath } from './values.ts';
import { type Namespace, nameCrate, nameValue, type Walk } from './walk.ts';

/** Emits the references in what is given to a macro, or in a macro's own text: tokens that no parser took apart. */
export function visitTokens(walk: Walk, list: number): void {
  const { tree } = walk;
  if (list < 0 || tree.depth[list]! > maxDepth) return;
  const tokens = tree.children(list);
  walk.module.scopes.inside('block', () => {
    for (let at = 0; at < tokens.length; ) {
      if (/string_literal$/.test(tree.kind(tokens[at]!))) referCaptures(walk, tokens[at]!);
      const next = bindParameters(walk, tokens, at) ?? bindLet(walk, tokens, at);
      at = next ?? visitChain(walk, tokens, at).next;
    }
  });
}

/** Constants that a text for `format!` and its like takes in by their names: `"{LIMIT:>4}"`. Locals leave no references. */
function referCaptures(walk: Walk, text: number): void {
  const { tree, facts, module } = walk;
  const written = tree.text(text).replaceAll('{{', '  ');
  for (const { 1: name = '', index } of written.matchAll(/\{([A-Za-z_]\w*)(?::[^{}\n]{0,40})?\}/g)) {
    const found = module.scopes.resolve(name);
    const isKnown = found?.kind === 'global' || module.items.has(name);
    if (!isKnown && (found !== undefined || !/^[A-Z][A-Z\d_]*$/.test(name))) continue;
    const start = tree.start[text]! + index + 1;
    facts.referAt(start, start + name.length, 'read', nameValue(walk, name, '()'));
  }
}

/** `|a: T, b|` in front of a closure's body; undefined where no such thing begins. */
function bindParameters(walk: Walk, tokens: readonly number[], start: number): number | undefined {
  const { tree } = walk;
  const before = tree.kind(tokens[start - 1] ?? -1);
  if (tree.kind(tokens[start]!) !== '|' || !/^[(,=]$|^move$/.test(before)) return undefined;
  const end = tokens.findIndex((token, at) => at > start && tree.kind(token) === '|');
  if (end < 0 || end - start > 40) return undefined;
  for (let at = start + 1; at < end; ) {
    const token = tokens[at]!;
    if (tree.kind(token) !== 'identifier') {
      at++;
      continue;
    }
    const isTyped = tree.kind(tokens[at + 1]!) === ':';
    const type = isTyped ? typeFrom(walk, tokens, at + 2) : { next: at + 1, value: -1 };
    declare(walk, token, type.value);
    at = type.next;
  }
  return end + 1;
}

/** `let a = …`, `let a: T = …`. */
function bindLet(walk: Walk, tokens: readonly number[], start: number): number | undefined {
  const { tree } = walk;
  if (tree.text(tokens[start]!) !== 'let') return undefined;
  const at = tree.kind(tokens[start + 1] ?? -1) === 'mutable_specifier' ? start + 2 : start + 1;
  if (tree.kind(tokens[at] ?? -1) !== 'identifier') return undefined;
  const isTyped = tree.kind(tokens[at + 1] ?? -1) === ':';
  const type = isTyped ? typeFrom(walk, tokens, at + 2) : { next: at + 1, value: -1 };
  if (tree.kind(tokens[type.next] ?? -1) !== '=') return undefined;
  const value = valueFrom(walk, tokens, type.next + 1);
  declare(walk, tokens[at]!, isTyped ? type.value : value.value);
  return value.next;
}

function declare({ tree, module }: Walk, token: number, value: number): void {
  module.scopes.declare(tree.text(token), value);
}

function typeFrom(walk: Walk, tokens: readonly number[], start: number): { next: number; value: number } {
  const { next, value } = valueFrom(walk, tokens, start);
  return { next, value: walk.facts.instance(value) };
}

/** The chain behind what borrows it. */
function valueFrom(walk: Walk, tokens: readonly number[], start: number): { next: number; value: number } {
  let at = start;
  while (at < tokens.length && /^[&*]$|^mutable_specifier$|^lifetime$/.test(walk.tree.kind(tokens[at]!))) at++;
  return at < tokens.length ? visitChain(walk, tokens, at) : { next: at, value: -1 };
}

/**
 * `a::b(…).c?[…]`; its value, and the place of the first token behind it. `among`: where a name is looked for of which its
 * place doesn't tell.
 */
export function visitChain(
  walk: Walk,
  tokens: readonly number[],
  start: number,
  among: Namespace = '',
): { next: number; value: number } {
  const { tree, facts } = walk;
  const first = tokens[start]!;
  if (isList(walk, first)) visitTokens(walk, first);
  let value = firstValue(walk, tokens, start, among);
  if (value === undefined) return { next: start + 1, value: -1 };
  let at = start + 1;
  let last: Step | undefined;
  for (; at < tokens.length; at++) {
    const kind = tree.kind(tokens[at]!);
    const next = tokens[at + 1] ?? -1;
    const behind = behindArguments(tree, tokens, at);
    if (behind > at) {
      for (let inner = at + 2; inner < behind; ) inner = visitChain(walk, tokens, inner).next;
      at = behind - 1;
    } else if (kind === '.' && tree.text(next) === 'await') {
      value = awaited(walk, value);
      at++;
    } else if ((kind === '::' || kind === '.') && /identifier$|^super$|^default$/.test(tree.kind(next))) {
      const namespace = kind === '::' ? namespaceAt(walk, tokens, at + 1) || among : '';
      last = { of: value, name: tree.text(next), isOfValue: kind === '.' };
      value = facts.member(value, tree.text(next) + namespace);
      if (tree.kind(next) !== 'super') facts.refer(next, useAt(walk, tokens, at + 1, namespace), value);
      at++;
    } else if (kind === '?') value = facts.call(facts.member(value, 'unwrap'));
    else if (isList(walk, tokens[at]!)) {
      visitTokens(walk, tokens[at]!);
      const opening = tree.source[tree.start[tokens[at]!]!];
      if (opening === '{') return { next: at + 1, value };
      value = opening === '[' ? facts.element(value) : called(walk, value, last);
    } else break;
  }
  return { next: at, value };
}

/** The last name of a chain, and what it is a member of. */
interface Step {
  readonly of: number;
  readonly name: string;
  readonly isOfValue: boolean;
}

function called(walk: Walk, value: number, last: Step | undefined): number {
  if (last === undefined) return walk.facts.call(value);
  return last.isOfValue
    ? resultOfMethod(walk, value, last.name, () => last.of)
    : resultOfPath(walk, value, last.name, () => last.of);
}

/** What the first name of a chain denotes, -1 for a local or something unknown; undefined where no chain begins. */
function firstValue(walk: Walk, tokens: readonly number[], at: number, among: Namespace): number | undefined {
  const { tree, facts, module } = walk;
  const token = tokens[at]!;
  const name = tree.text(token);
  switch (tree.kind(token)) {
    case 'self':
      return tree.kind(tokens[at + 1] ?? -1) === '::' ? moduleValue(walk) : facts.instance(selfType(walk));
    case 'super':
      return parentValue(walk);
    case 'crate':
      return facts.free('crate');
    case 'metavariable':
      return name === '$crate' ? facts.free('crate') : -1;
    case 'primitive_type':
      return facts.free(name);
    case 'identifier': {
      if (name === 'Self') return selfType(walk);
      const isMacro = tree.kind(tokens[at + 1] ?? -1) === '!' && isList(walk, tokens[at + 2] ?? -1);
      const namespace = isMacro ? '!' : namespaceAt(walk, tokens, at) || among;
      const value = nameValue(walk, name, namespace);
      if (namespace === '#') nameCrate(walk, token, name);
      if (module.scopes.resolve(name)?.kind !== 'local' && !isLabel(walk, tokens, at)) {
        facts.refer(token, useAt(walk, tokens, at, namespace), value);
      }
      return value;
    }
    default:
      return undefined;
  }
}

/** `name = …` gives an argument of a macro its name, `name: …` a field. */
function isLabel({ tree }: Walk, tokens: readonly number[], at: number): boolean {
  const next = tree.kind(tokens[at + 1] ?? -1);
  const before = tree.kind(tokens[at - 1] ?? -1);
  return (next === '=' || next === ':') && (before === ',' || before === '(' || before === '{');
}

function isList({ tree }: Walk, token: number): boolean {
  return tree.kind(token) === 'token_tree';
}

/** The place behind `::<A, B>`, or the same where there are no such arguments. */
function behindArguments(tree: SyntaxTree, tokens: readonly number[], start: number): number {
  if (tree.kind(tokens[start] ?? -1) !== '::' || tree.kind(tokens[start + 1] ?? -1) !== '<') return start;
  let open = 0;
  for (let at = start + 1; at < tokens.length; at++) {
    const kind = tree.kind(tokens[at]!);
    if (kind === '<') open++;
    else if (/^>+$/.test(kind)) open -= kind.length;
    if (open <= 0) return at + 1;
  }
  return start;
}

function useAt({ tree }: Walk, tokens: readonly number[], at: number, among: Namespace): 'call' | 'type' | 'read' {
  if (among === '!') return 'call';
  const next = tokens[behindArguments(tree, tokens, at + 1)] ?? -1;
  if (tree.kind(next) === '::') return 'type';
  return tree.kind(next) === 'token_tree' && tree.source[tree.start[next]!] === '(' ? 'call' : 'read';
}

/** A path and a call show where a name is looked for; anything else may be a type or a value to the macro. */
function namespaceAt({ tree }: Walk, tokens: readonly number[], at: number): Namespace {
  if (tree.kind(tokens[at]!) === 'super') return '';
  const next = tokens[behindArguments(tree, tokens, at + 1)] ?? -1;
  if (tree.kind(next) === '::') return '#';
  return tree.kind(next) === 'token_tree' && tree.source[tree.start[next]!] === '(' ? '()' : '';
}
