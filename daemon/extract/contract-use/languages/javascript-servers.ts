import { protoOfModule } from '../generated-names.ts';
import { type Found, inCode, type Source } from '../text/source.ts';
import { importsIn } from './javascript-imports.ts';

/**
 * Services that are handed to a server as generated code names them: `addService(CartServiceService, …)`,
 * `server.add(CartServiceDefinition, …)`, `router.service(CartService, …)`, `adaptService(CartService, …)`.
 */
export function* registered(source: Source): Iterable<Found> {
  const isOfRpc = /[gG]rpc|connectrpc|@bufbuild|twirp/.test(source.readable);
  if (!isOfRpc) return;
  const names = new Map(importsIn(source).map(one => [one.name, one]));
  const pattern =
    /(?<![\w$])(?:addService|addUntypedService|add|service|rpc|adaptService|implementService)\s{0,5}\(\s{0,40}((?:[\w$]{1,100}\.){0,4})([A-Z][\w$]{0,150})(\.service\b|\.method\b[\w.]{0,100}|\[)?(?=\s{0,20}[,)'"])/g;
  for (const match of inCode(source, pattern)) {
    const [whole, chain, name, rest] = match;
    const known = names.get(chain === '' ? name! : chain!.slice(0, chain!.indexOf('.')));
    const form = /^\w+/.exec(whole)![0];
    if ((form === 'add' || form === 'service' || form === 'rpc') && known === undefined && !/Definition$/.test(name!))
      continue;
    if (form === 'add' && !/(?:Definition|Service)$/.test(name!)) continue;
    if (name === 'Client') continue;
    const isOfGrpcTools = form.startsWith('addS') || /_grpc_pb(?:\.js)?$/.test(known?.module ?? '');
    const service = serviceOf(
      rest === '.service' ? name!.replace(/Client$/, '') : name!,
      isOfGrpcTools && rest === undefined,
    );
    const file = known === undefined ? undefined : protoOfModule(known.module);
    yield {
      kind: 'server',
      at: match.index,
      service,
      ...(known === undefined ? {} : { from: known.module }),
      ...(file === undefined ? {} : { file }),
    };
  }
}

/** grpc-tools and ts-proto call the definition of `CartService` `CartServiceService`, nice-grpc `CartServiceDefinition`. */
function serviceOf(name: string, isOfGrpcTools: boolean): string {
  if (name.endsWith('Definition')) return name.slice(0, -10);
  return isOfGrpcTools ? name.replace(/(?<=.)Service$/, '') : name;
}

/** NestJS: `client.getService<CartServiceClient>('CartService')`, `@GrpcMethod('CartService', …)`, and what ts-proto makes for it. */
export function* nestUses(source: Source): Iterable<Found> {
  if (!/nestjs|getService|Grpc(?:Stream)?Method|ControllerMethods/.test(source.readable)) return;
  const strings = constantNames(source);
  for (const match of inCode(
    source,
    /\.(?:getService|getClientByServiceName)\s{0,5}(?:<\s{0,10}([\w.]{1,200})\s{0,10}>)?\(\s{0,20}(?:["'`]([\w.]{1,200})["'`]|([\w.$]{1,200}))\s{0,20},?\s{0,20}\)/g,
  )) {
    const [, type, literal, constant] = match;
    const service = literal ?? strings.get(constant ?? '') ?? ofType(type) ?? ofConstant(constant);
    if (service !== undefined) yield { kind: 'client', at: match.index + 1, service: service.replace(/^.*\./, '') };
  }
  for (const match of inCode(
    source,
    /@(?:GrpcMethod|GrpcStreamMethod|GrpcStreamCall)\(\s{0,20}(?:["'`](\w{1,200})["'`]|([\w.$]{1,200}))/g,
  )) {
    const service = match[1] ?? strings.get(match[2]!) ?? ofConstant(match[2]);
    if (service !== undefined) yield { kind: 'server', at: match.index, service };
  }
  // Without a name it is the class's.
  for (const match of inCode(source, /@Grpc(?:Stream)?Method\(\s{0,20}\)/g)) {
    const before = source.code.slice(Math.max(0, match.index - 10_000), match.index);
    const from = before.lastIndexOf('class ');
    const [, service] = /^class\s{1,10}([A-Z]\w{0,150})/.exec(from < 0 ? '' : before.slice(from, from + 200)) ?? [];
    if (service !== undefined) yield { kind: 'server', at: match.index, service };
  }
  for (const match of inCode(source, /@([A-Z]\w{0,150})ControllerMethods\(/g))
    yield { kind: 'server', at: match.index, service: match[1]! };
}

function ofType(type: string | undefined): string | undefined {
  const [, service] = /^(?:\w{1,100}\.)?([A-Z]\w{0,150}?)(?:Client|Interface)?$/.exec(type ?? '') ?? [];
  return service === 'any' ? undefined : service;
}

/** ts-proto's constants: `CART_SERVICE_NAME` of `CartService`. */
function ofConstant(constant: string | undefined): string | undefined {
  const [, words] =
    /(?:^|\.)([A-Z][A-Z\d]*(?:_[A-Z\d]+)*?)_(?:SERVICE_)?NAME$/.exec(constant?.slice(0, 200) ?? '') ?? [];
  if (words === undefined) return undefined;
  const isNamedService = /SERVICE_NAME$/.test(constant!);
  const name = words
    .split('_')
    .map(word => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');
  return isNamedService ? `${name}Service` : name;
}

function constantNames(source: Source): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const match of inCode(source, /(?<![\w$])([A-Z][A-Z\d_]{1,100})\s{0,5}=\s{0,5}["'`](\w{1,200})["'`]/g))
    if (found.size < 200) found.set(match[1]!, match[2]!);
  return found;
}
