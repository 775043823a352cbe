import type { ProtoSchema, SchemaMethod, SchemaService } from '../../../../model/proto-schema.ts';
import { type Comparison, everywhere, fullName, type Told, tell } from './comparison.ts';
import { compareMethod, type Holder, tellAddedMethod } from './methods.ts';
import { movedTo } from './moved.ts';
import { callers } from './reach.ts';
import { renamed } from './renames.ts';
import type { TypeTable } from './types.ts';

/** A service where it is declared. */
interface PlacedService extends Holder {
  readonly service: SchemaService;
}

/** The services of a contract, and their methods. One that another file declares now has moved there. */
export function compareServices(comparison: Comparison): void {
  const { before, after, earlierNames } = comparison;
  const old = servicesOf(before, new Map());
  const now = servicesOf(after, earlierNames);
  for (const [name, placed] of old) {
    if (placed.schema !== before.contract) continue;
    const counterpart = now.get(name);
    if (counterpart === undefined) tellWhole(comparison, 'deleted', name, placed);
    else compareService(comparison, name, placed, counterpart);
  }
  for (const [name, placed] of now)
    if (placed.schema === after.contract && !old.has(name)) tellWhole(comparison, 'added', name, placed);
}

/** By full names as the earlier revision has them; the contract's own before those of other files. */
function servicesOf({ side, contract }: TypeTable, earlier: ReadonlyMap<string, string>): Map<string, PlacedService> {
  const services = new Map<string, PlacedService>();
  const put = (path: string, schema: ProtoSchema): void => {
    for (const service of schema.services) {
      const name = fullName(schema, service.name);
      const known = schema === contract ? (earlier.get(name) ?? name) : name;
      if (!services.has(known)) services.set(known, { path, schema, service });
    }
  };
  put(side.path, contract);
  for (const path of [...side.files.keys()].sort()) put(path, side.files.get(path)!);
  return services;
}

function methodsOf(name: string, { methods }: SchemaService): readonly string[] {
  return methods.length === 0 ? [name] : methods.map(method => `${name}/${method.name}`);
}

function tellWhole(comparison: Comparison, what: 'added' | 'deleted', name: string, placed: PlacedService): void {
  const { service, path, schema } = placed;
  const place = { path, schema, line: service.line };
  const told: Told =
    what === 'added'
      ? {
          id: 'service-added',
          severity: 'safe',
          compatibility: [],
          subject: name,
          message: `the service ${service.name} was added`,
          after: place,
        }
      : {
          id: 'service-deleted',
          severity: 'breaking',
          compatibility: everywhere,
          subject: name,
          message: `the service ${service.name} was deleted with all its methods`,
          before: place,
        };
  tell(comparison, { callers: callers(methodsOf(name, service)) }, told);
}

function compareService(comparison: Comparison, name: string, was: PlacedService, is: PlacedService): void {
  const [old, now] = [was.service, is.service];
  const changed = {
    subject: name,
    before: { path: was.path, schema: was.schema, line: old.line },
    after: { path: is.path, schema: is.schema, line: now.line },
  };
  const users = { callers: callers(methodsOf(name, old)) };
  if (old.name !== now.name) {
    const message = `the service ${old.name} is called ${now.name} now: calls go to other paths`;
    tell(comparison, users, {
      id: 'service-renamed',
      severity: 'breaking',
      compatibility: everywhere,
      ...changed,
      message,
    });
  } else if (is.schema !== comparison.after.contract) {
    tell(comparison, users, { ...changed, ...movedTo(comparison, 'service', old.name, is.path) });
  }
  const names = renamed(old.methods, now.methods, signatureOf);
  const later = new Map(now.methods.map(method => [method.name, method]));
  const met = new Set<string>();
  for (const method of old.methods) {
    const counterpart = later.get(names.get(method.name) ?? method.name);
    if (counterpart !== undefined) met.add(counterpart.name);
    compareMethod({ comparison, service: name, was, is, old: method, now: counterpart });
  }
  for (const method of now.methods) if (!met.has(method.name)) tellAddedMethod(comparison, name, is, method);
}

function signatureOf({ request, response, streamsRequest, streamsResponse }: SchemaMethod): string {
  return `${streamsRequest} ${request} ${streamsResponse} ${response}`;
}
