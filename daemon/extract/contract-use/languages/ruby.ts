import { protoOfModule } from '../generated-names.ts';
import { methodPaths } from '../method-paths.ts';
import type { Reader } from '../reader.ts';
import { rubyRoutes } from '../routes/ruby.ts';
import { rubyLexis } from '../text/lexis.ts';
import { literals } from '../text/literals.ts';
import { chainBefore, type Found, inCode, type Source } from '../text/source.ts';

/** gRPC of Ruby, Gruf and Twirp. */
export const rubyReader: Reader = {
  lexis: rubyLexis,
  marks: literals([
    "_pb'",
    '_pb"',
    '::Stub',
    '::Service',
    'grpc',
    'gruf',
    'Gruf',
    '_twirp',
    'Faraday',
    'HTTParty',
    'RestClient',
    'Net::HTTP',
    'HTTP.',
    'Typhoeus',
    'Excon',
    '.draw',
    'sinatra',
    'Sinatra',
    'Grape',
    'conn.',
    'client.',
  ]),
  detectors: [requires, clients, servers, methodPaths, rubyRoutes],
};

function* requires(source: Source): Iterable<Found> {
  for (const match of inCode(source, /(?<![\w.])require(?:_relative)?[\s(]{1,5}['"]([\w./-]{1,300})['"]/g)) {
    const module = match[1]!;
    const file = protoOfModule(module.replace(/\.rb$/, ''));
    if (file !== undefined && !/^google\/(?:protobuf|api)\//.test(module))
      yield { kind: 'stub-import', at: match.index, file, from: module };
  }
}

/** `Shop::V1::CartService::Stub.new(…)`, `Gruf::Client.new(service: Shop::Products)`, `CartServiceClient.new(url)` of Twirp. */
function* clients(source: Source): Iterable<Found> {
  for (const match of inCode(source, /::(?:Stub\b|rpc_stub_class\b)(\.new\b)?|\.rpc_stub_class(\.new\b)?/g)) {
    const named = serviceAt(chainBefore(source.code, match.index));
    const isMade = match[1] !== undefined || match[2] !== undefined;
    if (named !== undefined) yield { kind: isMade ? 'client' : 'stub-import', at: match.index, ...named };
  }
  for (const match of inCode(source, /\bGruf::Client\.new\(\s{0,20}service:\s{0,10}([\w:]{1,200})/g)) {
    const named = serviceAt(match[1]!);
    if (named !== undefined) yield { kind: 'client', at: match.index, ...named };
  }
  if (!/_twirp['"]|\bTwirp\b/.test(source.readable)) return;
  for (const match of inCode(source, /(?<!\w)([A-Z]\w{0,150})Client\.new\(/g)) {
    const named = serviceAt(chainBefore(source.code, match.index) + match[1]!);
    if (named !== undefined) yield { kind: 'client', at: match.index, ...named };
  }
}

/** The last name, and what stands before it: `Shop::V1`. */
function serviceAt(chain: string): Pick<Found, 'service' | 'from'> | undefined {
  const path = chain.replace(/^:+|[:.]+$/g, '');
  const [, from, service] = /^(?:([\w:]{1,300})::)?([A-Z]\w{0,150})$/.exec(path) ?? [];
  if (service === undefined || service === 'GRPC') return undefined;
  return { service, ...(from === undefined ? {} : { from }) };
}

function* servers(source: Source): Iterable<Found> {
  const pattern =
    /(?:\bclass\s{1,10}[\w:]{1,150}\s{0,10}<|(?<![\w.])bind[\s(]{1,5})\s{0,10}((?:::)?[A-Z][\w:]{0,300})::Service\b/g;
  for (const match of inCode(source, pattern)) {
    const named = serviceAt(match[1]!);
    if (named !== undefined) yield { kind: 'server', at: match.index, ...named };
  }
  if (!/_twirp['"]|\bTwirp\b/.test(source.readable)) return;
  for (const match of inCode(source, /(?<!\w)([A-Z]\w{0,150})Service\.new\(/g)) {
    const named = serviceAt(chainBefore(source.code, match.index) + match[1]!);
    if (named !== undefined) yield { kind: 'server', at: match.index, ...named };
  }
}
