import { lastOf } from './service-names.ts';
import { type Found, inStrings, type Source } from './text/source.ts';

/**
 * Full paths of methods in strings, `/shop.v1.CartService/GetCart`: of a client where something is called with them, else
 * (tables of permissions, of metrics) no more than a mention.
 */
export function* methodPaths(source: Source): Iterable<Found> {
  const { readable } = source;
  for (const match of inStrings(source, pattern)) {
    const fullName = match.groups!['name']!;
    const before = readable.slice(Math.max(0, match.index - 160), match.index);
    const statement = before.slice(
      Math.max(before.lastIndexOf(';'), before.lastIndexOf('{'), before.lastIndexOf('}')) + 1,
    );
    const kind = calling.test(statement) ? 'client' : 'stub-import';
    yield { kind, at: match.index + 1, service: lastOf(fullName), fullName };
  }
}

const pattern =
  /["'`/]\/?(?:twirp\/)?(?<name>(?:[a-z_]\w{0,100}\.){1,12}[A-Z]\w{0,150})\/(?:[A-Z]\w{0,150}|[a-z]+[A-Z]\w{0,150})(?=["'`\s])/g;

const calling =
  /\b(?:Invoke|invoke|NewStream|unary_unary|unary_stream|stream_unary|stream_stream|_simpleRequest|_clientStreamRequest|_serverStreamRequest|_bidiRequest|makeUnaryRequest|makeServerStreamRequest|makeClientStreamRequest|makeBidiStreamRequest|rpcCall|unaryCall|newCall|fetch|post|Post|request|unary|serverStreaming|ClientMethod|NewClient|NewRequest\w{0,20})\s{0,4}(?:<[^<>]{0,100}>|\[[^\][]{0,150}\])?\([^;{}]{0,140}$|\b(?:grpcurl|curl|http\.Post)\b[^;{}\n]{0,140}$/;
