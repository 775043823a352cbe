import { meantBy, qualified, type TypeTable } from './types.ts';

/** Which methods of the contract's services have a type in what they take or give, however deep. */
export interface Reach {
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

/** Steps from type to type; where a contract needs more, all of its methods are said to reach the rest. */
const mostSteps = 4_000_000;

/**
 * Over both revisions, since what comes with a change hits whoever sees it. `earlier` has the names that the later one's
 * types and services had before.
 */
export function reachOver(before: TypeTable, after: TypeTable, earlier: ReadonlyMap<string, string>): Reach {
  const users = new Map<string, Set<string>>();
  const all = new Set<string>();
  for (const table of [before, after]) {
    const nameIn = (name: string): string => (table === after ? (earlier.get(name) ?? name) : name);
    for (const { user, method, type } of usesIn(table)) {
      const name = method === undefined ? nameIn(user) : `${nameIn(user)}/${method}`;
      const known = users.get(nameIn(type));
      if (known === undefined) users.set(nameIn(type), new Set([name]));
      else known.add(name);
    }
    for (const { name, methods } of table.contract.services) {
      const service = nameIn(qualified(table.contract.package, name));
      if (methods.length === 0) all.add(service);
      for (const method of methods) all.add(`${service}/${method.name}`);
    }
  }
  return reachIn(users, callers(all));
}

function reachIn(users: ReadonlyMap<string, ReadonlySet<string>>, all: Callers): Reach {
  const known = new Map<string, Callers>();
  let steps = 0;
  const of = (type: string): Callers => {
    const told = known.get(type);
    if (told !== undefined) return told;
    if (steps > mostSteps) return all;
    const seen = new Set([type]);
    for (const at of seen) {
      for (const user of users.get(at) ?? []) seen.add(user);
      steps += 1 + (users.get(at)?.size ?? 0);
    }
    const found = callers([...seen].filter(one => one.includes('/')));
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

/** Who uses which type: a method what it takes and gives, a message those of its fields. */
function* usesIn(table: TypeTable): Iterable<TypeUse> {
  const { contract } = table;
  for (const { name, methods } of contract.services) {
    const user = qualified(contract.package, name);
    for (const method of methods) {
      for (const written of [method.request, method.response])
        yield { user, method: method.name, type: meantBy(table, user, written).name };
    }
  }
  for (const { fullName, message } of table.types.values()) {
    for (const { type } of message?.fields ?? []) {
      const meant = meantBy(table, fullName, type);
      if (meant.kind !== 'scalar') yield { user: fullName, type: meant.name };
    }
  }
}

/** Full names of the types that the contract declares or that are in them or in its methods, however deep. */
export function reachedFrom(table: TypeTable): ReadonlySet<string> {
  const { contract } = table;
  const reached = new Set<string>();
  for (const { name } of [...contract.messages, ...contract.enums]) reached.add(qualified(contract.package, name));
  const used = new Map<string, string[]>();
  for (const { user, method, type } of usesIn(table)) {
    if (method === undefined) appendTo(used, user, type);
    else reached.add(type);
  }
  for (const extension of contract.extensions)
    reached.add(meantBy(table, qualified(contract.package, extension.scope), extension.type).name);
  for (const type of reached) for (const next of used.get(type) ?? []) reached.add(next);
  return reached;
}

function appendTo(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
