import type { SchemaEnumValue } from '../../../model/proto-schema.ts';
import { type EnumDraft, emptyReserved, type FileDraft, type MessageDraft, nestedName } from './drafts.ts';
import { expect, expectName, expectNumber, passes } from './expect.ts';
import { optionText, readBracketOptions, readOption } from './option.ts';
import { readReserved } from './ranges.ts';
import type { Tokens } from './tokens.ts';

/** `enum Name { … }`, its first word passed over. */
export function readEnum(tokens: Tokens, file: FileDraft, parent: MessageDraft | undefined, line: number): void {
  const name = nestedName(parent, expectName(tokens, 'an enum'));
  const draft: EnumDraft = { name, line, parent, values: [], reserved: emptyReserved(), options: [] };
  file.enums.push(draft);
  expect(tokens, '{', 'an enum');
  while (!passes(tokens, '}')) readMember(tokens, draft);
}

function readMember(tokens: Tokens, draft: EnumDraft): void {
  const { line } = tokens;
  if (passes(tokens, ';')) return;
  const name = expectName(tokens, 'an enum');
  // Values may be called like what else stands in an enum.
  if (name === 'option' && tokens.text !== '=') draft.options.push(readOption(tokens));
  else if (name === 'reserved' && tokens.text !== '=') readReserved(tokens, draft.reserved, 'enum');
  else draft.values.push(readValue(tokens, name, line));
}

function readValue(tokens: Tokens, name: string, line: number): SchemaEnumValue {
  expect(tokens, '=', 'a value of an enum');
  const number = expectNumber(tokens, 'a value of an enum');
  const options = readBracketOptions(tokens);
  expect(tokens, ';', 'the end of a value of an enum');
  return { name, number, line, isDeprecated: optionText(options, 'deprecated') === 'true', options };
}
