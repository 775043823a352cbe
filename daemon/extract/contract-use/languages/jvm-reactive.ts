import { perSource } from '../text/per-source.ts';
import type { Source } from '../text/source.ts';

/**
 * The service behind a name of reactive-grpc, which puts the library before it: `CartService` of `ReactorCartServiceGrpc`,
 * `RxCartServiceGrpc`, `Rx3CartServiceGrpc`. A name stays as it is where nothing of that library is in the file.
 */
export function withoutReactive(service: string, source: Source): string {
  const [, library, rest] = /^(Reactor|Rx)3?([A-Z]\w{0,150})$/.exec(service) ?? [];
  if (library === undefined || rest === 'Service') return service;
  const { isReactor, isRx } = librariesOf(source);
  return (library === 'Reactor' ? isReactor : isRx) ? rest! : service;
}

const librariesOf = perSource(({ code }) => ({
  isReactor: /\bnewReactorStub\b|\breactor\.core\b|\bsalesforce\.(?:reactor\w{0,10}|grpc)\b/.test(code),
  isRx: /\bnewRxStub\b|\bio\.reactivex\b|\bsalesforce\.(?:rx\w{0,10}|grpc)\b/.test(code),
}));
