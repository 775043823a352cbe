import { isSent } from './sending-calls.ts';
import { lastOf } from './service-names.ts';
import { type Found, inStrings, type Source } from './text/source.ts';

/**
 * Full paths of methods in strings, `/shop.v1.CartService/GetCart`, where something is called with them: tables of permissions
 * or metrics, and what intercepts the calls of a server, have them as well and use nothing. Without the slash before it, as
 * tools of the command line take it, a path is one only behind the name of such a tool, and where k6 calls methods.
 */
export function* methodPaths(source: Source): Iterable<Found> {
  for (const match of inStrings(source, pattern)) {
    const fullName = match.groups!['name']!;
    const before = source.readable.slice(Math.max(0, match.index - 160), match.index);
    if (commands.test(before) || curl.test(before) || isSent(source, match.index))
      yield { kind: 'client', at: match.index + 1, service: lastOf(fullName), fullName };
  }
  const isOfK6 = k6.test(source.readable);
  if (!isOfK6 && !tools.test(source.readable)) return;
  for (const match of inStrings(source, bare)) {
    const fullName = match.groups!['name']!;
    if (isOfK6 || commands.test(source.readable.slice(Math.max(0, match.index - 160), match.index + 1)))
      yield { kind: 'client', at: match.index + 1, service: lastOf(fullName), fullName };
  }
}

const pattern =
  /\/(?:twirp\/)?(?<name>(?:[a-z_]\w{0,100}\.){1,12}[A-Z]\w{0,150})\/(?:[A-Z]\w{0,150}|[a-z]+[A-Z]\w{0,150})(?=["'`\s])/g;

const bare =
  /["'`\s](?<name>(?:[a-z_]\w{0,100}\.){1,12}[A-Z]\w{0,150})\/(?:[A-Z]\w{0,150}|[a-z]+[A-Z]\w{0,150})(?=["'`\s])/g;

const k6 = /["'`]k6\/(?:net|experimental)\/grpc["'`]/;

/** Of the command line, that call a method which they are given. */
export const tools = /\b(?:grpcurl|grpc_cli|grpc-client-cli|ghz|evans)\b/;

/** Such a tool and what it is given, in a line or in a list that goes on over lines. */
const commands = /\b(?:grpcurl|grpc_cli|grpc-client-cli|ghz|evans)\b(?:[^;\n]|(?<=[,\\][ \t]{0,3}\r?)\n){0,140}$/;

const curl = /\bcurl\b[^;{}\n]{0,140}$/;
