import type { ProtoSchema } from '../../../model/proto-schema.ts';
import { emptyFile, type FileDraft } from './drafts.ts';
import { readEnum } from './enum-body.ts';
import { expect, expectPath, expectString, passes, sees, unexpected } from './expect.ts';
import { finished } from './finish.ts';
import { readExtend, readMessage } from './message-body.ts';
import { readOption } from './option.ts';
import { readService } from './service-body.ts';
import { advance, Mistake, type Tokens, tokensOf } from './tokens.ts';

/** Of a file that is no protobuf what stands before the mistake is told, and where the mistake is. */
export interface ParsedProto {
  readonly schema: ProtoSchema;
  readonly problem?: { readonly line: number; readonly message: string };
}

/**
 * A `.proto` file of any syntax: proto2, proto3, editions. An own parser, since the ones that are to be had tell no lines,
 * and nothing at all of a file with a mistake in it. Names are not looked up, numbers not checked against each other.
 *
 * Takes time and memory in the length of the text. Never throws.
 */
export function parseProto(source: string): ParsedProto {
  const file = emptyFile();
  let problem: ParsedProto['problem'];
  try {
    const tokens = tokensOf(source);
    while (tokens.kind !== 'end') readStatement(tokens, file);
  } catch (mistake) {
    if (!(mistake instanceof Mistake)) throw mistake;
    problem = { line: mistake.line, message: mistake.message };
  }
  const schema = finished(file, source.split(/\r?\n/));
  return problem === undefined ? { schema } : { schema, problem };
}

function readStatement(tokens: Tokens, file: FileDraft): void {
  if (passes(tokens, ';')) return;
  if (tokens.kind !== 'word') throw unexpected(tokens, 'a declaration', 'the file');
  const { text: keyword, line } = tokens;
  advance(tokens);
  if (keyword === 'syntax' || keyword === 'edition') readSyntax(tokens, file, keyword, line);
  else if (keyword === 'package') readPackage(tokens, file, line);
  else if (keyword === 'import') readImport(tokens, file, line);
  else if (keyword === 'option') file.options.push(readOption(tokens));
  else if (keyword === 'message') readMessage(tokens, file, undefined, line);
  else if (keyword === 'enum') readEnum(tokens, file, undefined, line);
  else if (keyword === 'extend') readExtend(tokens, file, undefined);
  else if (keyword === 'service') readService(tokens, file, line);
  else if (keyword === 'export' || keyword === 'local') expectMarked(tokens, keyword);
  else throw unknownWord(tokens, keyword, line);
}

/** What edition 2024 marks is read as the statement behind the mark. */
function expectMarked(tokens: Tokens, mark: string): void {
  if (sees(tokens, 'message') || sees(tokens, 'enum') || sees(tokens, 'service')) return;
  throw unexpected(tokens, 'message or enum', `a declaration marked "${mark}"`);
}

function unknownWord(tokens: Tokens, word: string, line: number): Mistake {
  const remedy = /^(?:optional|required|repeated|oneof|map|reserved|extensions|rpc|group)$/.test(word)
    ? 'write it within a message or a service'
    : sees(tokens, '=')
      ? 'an option begins with "option", a field stands within a message'
      : 'messages, enums, services, options and imports do';
  return new Mistake(line, `"${word.slice(0, 40)}" begins no declaration of a file: ${remedy}`);
}

function readPackage(tokens: Tokens, file: FileDraft, line: number): void {
  file.package = expectPath(tokens, 'the package');
  file.packageLine = line;
  expect(tokens, ';', 'the end of the package');
}

function readSyntax(tokens: Tokens, file: FileDraft, keyword: string, line: number): void {
  expect(tokens, '=', `the ${keyword}`);
  const syntax = expectString(tokens, `the ${keyword}`);
  if (keyword === 'syntax' && syntax !== 'proto2' && syntax !== 'proto3')
    throw new Mistake(line, `the syntax "${syntax.slice(0, 40)}" is not known: write proto2 or proto3, or an edition`);
  file.syntax = syntax;
  file.syntaxLine = line;
  expect(tokens, ';', `the end of the ${keyword}`);
}

function readImport(tokens: Tokens, file: FileDraft, line: number): void {
  const kind = (['public', 'weak', 'option'] as const).find(word => passes(tokens, word)) ?? 'plain';
  const path = expectString(tokens, 'an import');
  file.imports.push({ path, kind, line });
  expect(tokens, ';', 'the end of an import');
}
