import type { SchemaMethod, SchemaOption, SchemaService } from '../../../model/proto-schema.ts';
import type { FileDraft } from './drafts.ts';
import { expect, expectName, expectPath, following, isName, passes, sees, unexpected } from './expect.ts';
import { routesIn } from './http-routes.ts';
import { readOption } from './option.ts';
import { advance, type Tokens } from './tokens.ts';

/** `service Name { … }`, its first word passed over. */
export function readService(tokens: Tokens, file: FileDraft, line: number): void {
  const methods: SchemaMethod[] = [];
  const options: SchemaOption[] = [];
  const service: SchemaService = { name: expectName(tokens, 'a service'), line, methods, options };
  file.services.push(service);
  expect(tokens, '{', 'a service');
  while (!passes(tokens, '}')) {
    const { line: memberLine } = tokens;
    if (passes(tokens, ';')) continue;
    if (passes(tokens, 'option')) options.push(readOption(tokens));
    else if (passes(tokens, 'rpc')) readMethod(tokens, methods, memberLine);
    else throw unexpected(tokens, 'rpc or option', 'a service');
  }
}

/** It counts as soon as its types are read. */
function readMethod(tokens: Tokens, methods: SchemaMethod[], line: number): void {
  const name = expectName(tokens, 'an rpc');
  const request = readEnd(tokens);
  expect(tokens, 'returns', 'an rpc');
  const response = readEnd(tokens);
  const at = methods.length;
  const told = {
    name,
    line,
    request: request.type,
    response: response.type,
    streamsRequest: request.streams,
    streamsResponse: response.streams,
  };
  methods.push({ ...told, routes: [], options: [] });
  const options = readMethodOptions(tokens);
  methods[at] = { ...told, routes: routesIn(options), options };
}

/** `(stream a.B)`. A message may be called `stream`. */
function readEnd(tokens: Tokens): { readonly type: string; readonly streams: boolean } {
  expect(tokens, '(', 'an rpc');
  const next = sees(tokens, 'stream') ? following(tokens) : '';
  const streams = isName(next) || (next === '.' && isSpaced(tokens));
  if (streams) advance(tokens);
  const type = expectPath(tokens, 'an rpc');
  expect(tokens, ')', 'an rpc');
  return { type, streams };
}

/** `stream .a.B` against `stream.B`. */
function isSpaced({ source, at }: Tokens): boolean {
  return source.charCodeAt(at) <= 0x20;
}

function readMethodOptions(tokens: Tokens): readonly SchemaOption[] {
  const options: SchemaOption[] = [];
  if (passes(tokens, ';')) return options;
  expect(tokens, '{', 'an rpc');
  while (!passes(tokens, '}')) {
    if (passes(tokens, ';')) continue;
    expect(tokens, 'option', 'the body of an rpc');
    options.push(readOption(tokens));
  }
  return options;
}
