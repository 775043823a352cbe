import type { OptionEntry, OptionValue, SchemaOption } from '../../../model/proto-schema.ts';
import { expect, expectName, expectPath, expectString, passes, sees, unexpected } from './expect.ts';
import { advance, Mistake, type Tokens } from './tokens.ts';

/** `option name = value;`, its first word passed over. */
export function readOption(tokens: Tokens): SchemaOption {
  const option = assignment(tokens);
  expect(tokens, ';', 'the end of an option');
  return option;
}

/** `[name = value, …]` where there is one. */
export function readBracketOptions(tokens: Tokens): readonly SchemaOption[] {
  const options: SchemaOption[] = [];
  if (!passes(tokens, '[')) return options;
  if (passes(tokens, ']')) return options;
  do options.push(assignment(tokens));
  while (passes(tokens, ','));
  expect(tokens, ']', 'the end of a list of options');
  return options;
}

/** The value of the last option of this name that is a string, a number or a word. */
export function optionText(options: readonly SchemaOption[], name: string): string | undefined {
  const value = options.findLast(option => option.name === name)?.value;
  return value?.kind === 'string' || value?.kind === 'word' ? value.text : undefined;
}

function assignment(tokens: Tokens): SchemaOption {
  const { line } = tokens;
  const name = optionName(tokens);
  expect(tokens, '=', 'an option');
  return { name, value: readValue(tokens, 0), line };
}

/** `a.b`, `(a.b).c`, `a.(b.c)`. */
function optionName(tokens: Tokens): string {
  let name = namePart(tokens);
  while (passes(tokens, '.')) name += `.${namePart(tokens)}`;
  return name;
}

function namePart(tokens: Tokens): string {
  const where = 'the name of an option';
  if (!passes(tokens, '(')) return expectName(tokens, where);
  const path = expectPath(tokens, where);
  expect(tokens, ')', where);
  return `(${path})`;
}

/** protoc's own bound of messages within messages. */
const deepest = 100;

function readValue(tokens: Tokens, depth: number): OptionValue {
  if (depth > deepest) throw new Mistake(tokens.line, `values lie more than ${deepest} deep: write them flatter`);
  if (tokens.kind === 'string') return { kind: 'string', text: expectString(tokens, 'an option') };
  if (passes(tokens, '{')) return { kind: 'message', entries: entriesUntil(tokens, '}', depth) };
  if (passes(tokens, '<')) return { kind: 'message', entries: entriesUntil(tokens, '>', depth) };
  if (passes(tokens, '[')) return listUntilBracket(tokens, depth);
  const sign = passes(tokens, '-') ? '-' : passes(tokens, '+') ? '+' : '';
  return { kind: 'word', text: sign + (tokens.kind === 'number' ? taken(tokens) : expectPath(tokens, 'an option')) };
}

function taken(tokens: Tokens): string {
  const { text } = tokens;
  advance(tokens);
  return text;
}

function listUntilBracket(tokens: Tokens, depth: number): OptionValue {
  const values: OptionValue[] = [];
  if (passes(tokens, ']')) return { kind: 'list', values };
  do values.push(readValue(tokens, depth + 1));
  while (passes(tokens, ','));
  expect(tokens, ']', 'the end of a list');
  return { kind: 'list', values };
}

/** The text format of messages: `name: value`, `name { … }`, `[an.extension]: value`, separated by blanks, commas or semicolons. */
function entriesUntil(tokens: Tokens, end: string, depth: number): readonly OptionEntry[] {
  const entries: OptionEntry[] = [];
  while (!passes(tokens, end)) {
    const name = entryName(tokens);
    const isBare = !passes(tokens, ':');
    if (isBare && !['{', '<', '['].some(open => sees(tokens, open)))
      throw unexpected(tokens, '":"', 'a value of a message');
    entries.push({ name, value: readValue(tokens, depth + 1) });
    if (!passes(tokens, ',')) passes(tokens, ';');
  }
  return entries;
}

function entryName(tokens: Tokens): string {
  const where = 'a message that is the value of an option';
  if (!passes(tokens, '[')) return expectName(tokens, where);
  let path = expectPath(tokens, where);
  while (passes(tokens, '/')) path += `/${expectPath(tokens, where)}`;
  expect(tokens, ']', where);
  return `[${path}]`;
}
