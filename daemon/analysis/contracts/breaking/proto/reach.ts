import { appendTo } from '../../../../model/append-to.ts';
import type { ProtoSchema } from '../../../../model/proto-schema.ts';
import { meantBy, qualified, type TypeTable } from './types.ts';

/**
 * Which methods have a type in what they take or give, however deep: those of the contract, and those of the files that
 * import it, directly or through others.
 */
export interface Reach {
  /** The contract's own methods, and those of others that reach a type that it declares. */
  readonly all: Callers;
  of(type: string): Callers;
}

/** In order. Names are of the earlier revision where that has them. */
export interface Callers {
  readonly services: readonly string[];
  /** `shop.v1.CartService/GetCart`. */
  readonly methods: readonly string[];
}

/** Methods with their services; a service that stands alone has none. */
export function callers(names: Iterable<string>): Callers {
  const services = new Set<string>();
  const methods = new Set<string>();
  for (const name of names) {
    const slash = name.indexOf('/');
    services.add(slash < 0 ? name : name.slice(0, slash));
    if (slash >= 0) methods.add(name);
  }
  return { services: [...services].sort(), methods: [...methods].sort() };
}

const nobody = callers([]);

/** Steps from type to type; where a contract needs more, all of those that reach it are said to reach the rest. */
const mostSteps = 4_000_000;

/**
 * Over both revisions, since what comes with a change hits whoever sees it. `earlier` has the names that the later one's
 * types and services had before.
 */
export function reachOver(before: TypeTable, after: TypeTable, earlier: ReadonlyMap<string, string>): Reach {
  const users = new Map<string, Set<string>>();
  let hasMethods = false;
  const own = new Set<string>();
  const declared = new Set<string>();
  for (const table of before === after ? [before] : [before, after]) {
    const nameIn = (name: string): string => (table === after ? (earlier.get(name) ?? name) : name);
    for (const { user, method, type } of usesIn(table, [table.contract, ...importersOf(table)])) {
      hasMethods ||= method !== undefined;
      const name = method === undefined ? nameIn(user) : `${nameIn(user)}/${method}`;
      const known = users.get(nameIn(type));
      if (known === undefined) users.set(nameIn(type), new Set([name]));
      else known.add(name);
    }
    const { package: around, services, messages, enums } = table.contract;
    for (const { name } of [...messages, ...enums]) declared.add(nameIn(qualified(around, name)));
    for (const { name, methods } of services) {
      const service = nameIn(qualified(around, name));
      if (methods.length === 0) own.add(service);
      for (const method of methods) own.add(`${service}/${method.name}`);
    }
  }
  if (!hasMethods) return { all: callers(own), of: () => nobody };
  return reachIn(users, callers([...own, ...methodsAbove(users, declared).methods]));
}

/** The files that import the contract, directly or through others, in the order of their paths; each once. */
function importersOf({ side, contract }: TypeTable): readonly ProtoSchema[] {
  const importers = new Map<string, string[]>();
  for (const [path, { imports }] of side.files) {
    for (const { path: written } of imports) appendTo(importers, written, path);
  }
  const met = new Set([side.path]);
  // An import is the end of a path: it may be written from a folder within the repository.
  for (const path of met) {
    for (let from = 0; ; from = path.indexOf('/', from) + 1) {
      for (const importer of importers.get(path.slice(from)) ?? []) met.add(importer);
      if (path.indexOf('/', from) < 0) break;
    }
  }
  return [...met].sort().flatMap(path => {
    const schema = side.files.get(path);
    return schema === undefined || schema === contract ? [] : [schema];
  });
}

interface Above {
  readonly methods: readonly string[];
  readonly steps: number;
}

/** Methods that have one of the types in them. */
function methodsAbove(users: ReadonlyMap<string, ReadonlySet<string>>, types: Iterable<string>): Above {
  const seen = new Set(types);
  let steps = 0;
  for (const at of seen) {
    const above = users.get(at);
    for (const user of above ?? []) seen.add(user);
    steps += 1 + (above?.size ?? 0);
  }
  return { methods: [...seen].filter(one => one.includes('/')), steps };
}

function reachIn(users: ReadonlyMap<string, ReadonlySet<string>>, all: Callers): Reach {
  const known = new Map<string, Callers>();
  let steps = 0;
  const of = (type: string): Callers => {
    const told = known.get(type);
    if (told !== undefined) return told;
    if (steps > mostSteps) return all;
    const above = methodsAbove(users, [type]);
    steps += above.steps;
    const found = callers(above.methods);
    known.set(type, found);
    return found;
  };
  return { all, of };
}

interface TypeUse {
  /** The full name of a message, or of a service. */
  readonly user: string;
  readonly method?: string;
  readonly type: string;
}

/** Who uses which type: a method of these files what it takes and gives, a message of any file those of its fields. */
function* usesIn(table: TypeTable, callable: readonly ProtoSchema[]): Iterable<TypeUse> {
  for (const { package: around, services } of callable) {
    for (const { name, methods } of services) {
      const user = qualified(around, name);
      for (const method of methods) {
        for (const written of [method.request, method.response])
          yield { user, method: method.name, type: meantBy(table, user, written).name };
      }
    }
  }
  for (const { fullName, message } of table.types.values()) {
    for (const { type } of message?.fields ?? []) {
      const meant = meantBy(table, fullName, type);
      if (meant.kind !== 'scalar') yield { user: fullName, type: meant.name };
    }
  }
}

/** By the full name of a message: the types of its fields, in any of these revisions. */
export function typesWithin(tables: readonly TypeTable[]): ReadonlyMap<string, readonly string[]> {
  const within = new Map<string, Set<string>>();
  for (const table of tables) {
    for (const { user, type } of usesIn(table, [])) within.set(user, (within.get(user) ?? new Set()).add(type));
  }
  return new Map([...within].map(([user, types]) => [user, [...types]]));
}

/** Full names of the types that the contract declares or that are in them or in its methods, however deep. */
export function reachedFrom(table: TypeTable): ReadonlySet<string> {
  const { contract } = table;
  const reached = new Set<string>();
  for (const { name } of [...contract.messages, ...contract.enums]) reached.add(qualified(contract.package, name));
  const used = new Map<string, string[]>();
  for (const { user, method, type } of usesIn(table, [contract])) {
    if (method === undefined) appendTo(used, user, type);
    else reached.add(type);
  }
  for (const extension of contract.extensions)
    reached.add(meantBy(table, qualified(contract.package, extension.scope), extension.type).name);
  for (const type of reached) for (const next of used.get(type) ?? []) reached.add(next);
  return reached;
}
