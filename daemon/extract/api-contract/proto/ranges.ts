import { mostEnumNumber, mostFieldNumber, type NumberRange } from '../../../model/proto-schema.ts';
import type { ReservedDraft } from './drafts.ts';
import { expect, expectName, expectNumber, expectString, passes } from './expect.ts';
import { readBracketOptions } from './option.ts';
import type { Tokens } from './tokens.ts';

/** `reserved 1, 3 to 5;`, `reserved "a", "b";`, and `reserved a, b;` of editions, the first word passed over. */
export function readReserved(tokens: Tokens, reserved: ReservedDraft, of: 'field' | 'enum'): void {
  do {
    const { line } = tokens;
    if (tokens.kind === 'string') reserved.names.push({ name: expectString(tokens, 'a reserved name'), line });
    else if (tokens.kind === 'word') reserved.names.push({ name: expectName(tokens, 'a reserved name'), line });
    else reserved.ranges.push(readRange(tokens, of === 'field' ? mostFieldNumber : mostEnumNumber));
  } while (passes(tokens, ','));
  expect(tokens, ';', 'the end of what is reserved');
}

/** `extensions 100 to 199, 500 to max [declaration = { … }];`, the first word passed over. */
export function readExtensionRanges(tokens: Tokens, ranges: NumberRange[]): void {
  do ranges.push(readRange(tokens, mostFieldNumber));
  while (passes(tokens, ','));
  readBracketOptions(tokens);
  expect(tokens, ';', 'the end of what extensions may take');
}

function readRange(tokens: Tokens, most: number): NumberRange {
  const { line } = tokens;
  const where = 'a range of numbers';
  const from = expectNumber(tokens, where);
  if (!passes(tokens, 'to')) return { from, to: from, line };
  const to = passes(tokens, 'max') ? most : expectNumber(tokens, where);
  return { from, to, line };
}
