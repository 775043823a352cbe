import type { FieldDraft, FileDraft, MessageDraft, OneofDraft } from './drafts.ts';
import { emptyReserved, nestedName } from './drafts.ts';
import { readEnum } from './enum-body.ts';
import { expect, expectName, expectNumber, expectPath, following, isName, passes, sees } from './expect.ts';
import { readBracketOptions, readOption } from './option.ts';
import { readExtensionRanges, readReserved } from './ranges.ts';
import { advance, Mistake, type Tokens } from './tokens.ts';

/** protoc refuses messages that lie deeper than 32. */
const deepest = 32;

/** `message Name { … }`, its first word passed over. What is read belongs to the file at once, a mistake behind it or not. */
export function readMessage(tokens: Tokens, file: FileDraft, parent: MessageDraft | undefined, line: number): void {
  const name = expectName(tokens, 'a message');
  const message = begun(file, parent, name, line, false);
  readBody(tokens, file, message);
}

/** `extend Name { … }`, its first word passed over. */
export function readExtend(tokens: Tokens, file: FileDraft, scope: MessageDraft | undefined): void {
  const extendee = expectPath(tokens, 'an extension');
  expect(tokens, '{', 'an extension');
  while (!passes(tokens, '}')) {
    if (passes(tokens, ';')) continue;
    readField(tokens, file, scope, undefined, field => file.extensions.push({ extendee, scope, field }));
  }
}

function begun(
  file: FileDraft,
  parent: MessageDraft | undefined,
  name: string,
  line: number,
  isGroup: boolean,
): MessageDraft {
  const message: MessageDraft = {
    name: nestedName(parent, name),
    line,
    parent,
    isGroup,
    fields: [],
    oneofs: [],
    reserved: emptyReserved(),
    extensionRanges: [],
    options: [],
  };
  if (depthOf(message) > deepest)
    throw new Mistake(line, `messages lie more than ${deepest} deep: protoc takes no more`);
  file.messages.push(message);
  return message;
}

function depthOf(message: MessageDraft): number {
  let depth = 0;
  for (let at: MessageDraft | undefined = message; at !== undefined; at = at.parent) depth++;
  return depth;
}

function readBody(tokens: Tokens, file: FileDraft, message: MessageDraft): void {
  expect(tokens, '{', 'a message');
  while (!passes(tokens, '}')) readMember(tokens, file, message);
}

function readMember(tokens: Tokens, file: FileDraft, message: MessageDraft): void {
  const { line } = tokens;
  if (passes(tokens, ';')) return;
  if (isMarked(tokens)) advance(tokens);
  if (passes(tokens, 'message')) readMessage(tokens, file, message, line);
  else if (passes(tokens, 'enum')) readEnum(tokens, file, message, line);
  else if (passes(tokens, 'extend')) readExtend(tokens, file, message);
  else if (passes(tokens, 'extensions')) readExtensionRanges(tokens, message.extensionRanges);
  else if (passes(tokens, 'reserved')) readReserved(tokens, message.reserved, 'field');
  else if (passes(tokens, 'oneof')) readOneof(tokens, file, message, line);
  else if (passes(tokens, 'option')) message.options.push(readOption(tokens));
  else readField(tokens, file, message, undefined, field => message.fields.push(field));
}

/** `export message …`, `local enum …`: since edition 2024. Before it they are names of types as others are. */
function isMarked(tokens: Tokens): boolean {
  if (!sees(tokens, 'export') && !sees(tokens, 'local')) return false;
  const ahead: Tokens = { ...tokens };
  const next = following(ahead);
  if (next !== 'message' && next !== 'enum') return false;
  advance(ahead);
  return isName(following(ahead));
}

function readOneof(tokens: Tokens, file: FileDraft, message: MessageDraft, line: number): void {
  const oneof: OneofDraft = { name: expectName(tokens, 'a oneof'), line, options: [] };
  message.oneofs.push(oneof);
  expect(tokens, '{', 'a oneof');
  while (!passes(tokens, '}')) {
    if (passes(tokens, ';')) continue;
    if (passes(tokens, 'option')) oneof.options.push(readOption(tokens));
    else readField(tokens, file, message, oneof, field => message.fields.push(field));
  }
}

/** A field, a map or a group. `put` is called before the body of a group is read, so that fields stay in their order. */
function readField(
  tokens: Tokens,
  file: FileDraft,
  parent: MessageDraft | undefined,
  oneof: OneofDraft | undefined,
  put: (field: FieldDraft) => void,
): void {
  const { line } = tokens;
  const label = labelOf(tokens);
  if (passes(tokens, 'group')) {
    readGroup(tokens, file, parent, { line, label, oneof, put });
    return;
  }
  const { type, mapKey } = readType(tokens);
  const name = expectName(tokens, 'a field');
  expect(tokens, '=', 'a field');
  const number = expectNumber(tokens, 'a field');
  const options = readBracketOptions(tokens);
  put({ name, number, line, type, ...(mapKey === undefined ? {} : { mapKey }), label, oneof, isGroup: false, options });
  expect(tokens, ';', 'the end of a field');
}

/** A word is the label where a type stands behind it, so that a type may be called like one. */
function labelOf(tokens: Tokens): FieldDraft['label'] {
  return (['optional', 'required', 'repeated'] as const).find(label => passes(tokens, label)) ?? '';
}

function readType(tokens: Tokens): { readonly type: string; readonly mapKey?: string } {
  const type = expectPath(tokens, 'a field');
  if (type !== 'map' || !passes(tokens, '<')) return { type };
  const mapKey = expectPath(tokens, 'a map');
  expect(tokens, ',', 'a map');
  const value = expectPath(tokens, 'a map');
  expect(tokens, '>', 'a map');
  return { type: value, mapKey };
}

function readGroup(
  tokens: Tokens,
  file: FileDraft,
  parent: MessageDraft | undefined,
  group: Pick<FieldDraft, 'line' | 'label' | 'oneof'> & { readonly put: (field: FieldDraft) => void },
): void {
  const { line, label, oneof, put } = group;
  const type = expectName(tokens, 'a group');
  expect(tokens, '=', 'a group');
  const number = expectNumber(tokens, 'a group');
  const options = readBracketOptions(tokens);
  put({ name: type.toLowerCase(), number, line, type, label, oneof, isGroup: true, options });
  readBody(tokens, file, begun(file, parent, type, line, true));
}
