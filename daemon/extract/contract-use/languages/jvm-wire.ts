import { isTechnology } from '../service-names.ts';
import { chainBefore, type Found, inCode, type Source } from '../text/source.ts';
import { packageOf, scopeOf } from './jvm-names.ts';

/** Wire: `grpcClient.create(CartServiceClient::class)`, and not `retrofit.create(CartClient::class.java)`. */
export function* wireClients(source: Source): Iterable<Found> {
  const isOfWire = /\bcom\.squareup\.wire\b/.test(source.code);
  const scope = scopeOf(source);
  for (const match of inCode(
    source,
    /\.\s{0,5}create(?:\(\s{0,40}((?:[a-z]\w{0,80}\.){0,12})([A-Z]\w{0,150})Client\s{0,5}::\s{0,5}class(?![.\w])|<((?:[a-z]\w{0,80}\.){0,12})([A-Z]\w{0,150})Client>\(\))/g,
  )) {
    const [whole, called, ofCalled, typed, ofTyped] = match;
    const service = (ofCalled ?? ofTyped)!;
    const holder = /\w*$/.exec(chainBefore(source.code, match.index))![0];
    if (/retrofit/i.test(holder) || !(isOfWire || /grpc/i.test(holder)) || isTechnology(service)) continue;
    yield {
      kind: 'client',
      at: match.index + whole.indexOf(`${service}Client`),
      service,
      ...packageOf(scope, called ?? typed ?? '', `${service}Client`),
    };
  }
}
