import { appendTo } from '../../../../model/append-to.ts';
import type { ProtoSchema } from '../../../../model/proto-schema.ts';
import { signatureOfEnum, signatureOfMessage } from './renames.ts';
import { type TypeUse, typeUses } from './type-uses.ts';
import { containerOf, qualified, type TypeTable } from './types.ts';

/**
 * Messages and enums of a contract that have another name now, another container included, by their earlier names. The same
 * parts alone don't tell: many messages have nothing but an `id`. What does is that the new one stands where the old one
 * stood, in methods and in fields; that the name stayed and only the container is another; or, of what nothing uses, that
 * two parts or more are the same and no other has them.
 */
export function renamedTypes(
  before: TypeTable,
  after: TypeTable,
  services: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const [were, are] = [declaredIn(before.contract), declaredIn(after.contract)];
  const gone = new Map([...were].filter(([name]) => !are.has(name)));
  const come = new Map([...are].filter(([name]) => !were.has(name)));
  if (gone.size === 0 || come.size === 0) return new Map();
  const search = searchIn(before, after, services, { were, are, gone, come });
  for (const owner of search.oldUses.keys()) visit(search, owner, owner);
  pairByUse(search);
  pairAlike(search);
  pairByUse(search);
  return search.later;
}

interface Declared {
  readonly name: string;
  readonly kind: 'message' | 'enum';
  readonly signature: string;
  /** How many fields, or values. */
  readonly parts: number;
}

/** By names within the contract. */
type Declarations = ReadonlyMap<string, Declared>;

function declaredIn({ messages, enums }: ProtoSchema): Declarations {
  const declared = new Map<string, Declared>();
  for (const one of messages) {
    const { name, fields } = one;
    declared.set(name, { name, kind: 'message', signature: signatureOfMessage(one), parts: fields.length });
  }
  for (const one of enums) {
    const { name, values } = one;
    declared.set(name, { name, kind: 'enum', signature: signatureOfEnum(one), parts: values.length });
  }
  return declared;
}

interface Names {
  readonly were: Declarations;
  readonly are: Declarations;
  readonly gone: Declarations;
  readonly come: Declarations;
}

interface Search extends Names {
  /** A name of the contract as its uses have it, of both revisions in the earlier package. */
  readonly nameOf: (name: string) => string;
  readonly oldUses: ReadonlyMap<string, readonly TypeUse[]>;
  readonly nowUses: ReadonlyMap<string, ReadonlyMap<string, TypeUse>>;
  /** Of both revisions: what is used from outside of itself. */
  readonly used: ReadonlySet<string>;
  /** What went, by what lay right in it. */
  readonly children: ReadonlyMap<string, readonly string[]>;
  /** What stands now where something that went stood, and the other way round. */
  readonly successors: Map<string, Set<string>>;
  readonly forerunners: Map<string, Set<string>>;
  /** What went and has something in its place that was there before, or came to the place of what stayed. */
  readonly replaced: Set<string>;
  /** What went and has found successors that were not looked at. */
  asked: Set<string>;
  readonly later: Map<string, string>;
  readonly earlier: Map<string, string>;
}

function searchIn(before: TypeTable, after: TypeTable, services: ReadonlyMap<string, string>, names: Names): Search {
  const nameOf = (name: string): string => qualified(before.contract.package, name);
  const earlierServices = new Map([...services].map(([old, now]) => [now, old]));
  const oldUses = new Map<string, TypeUse[]>();
  const nowUses = new Map<string, Map<string, TypeUse>>();
  const used = new Set<string>();
  const note = ({ owner, type }: TypeUse): void => {
    if (type !== undefined && !`${owner}.`.startsWith(`${nameOf(type)}.`)) used.add(type);
  };
  for (const use of typeUses(before, nameOf)) {
    note(use);
    appendTo(oldUses, use.owner, use);
  }
  for (const use of typeUses(after, name => nameOf(earlierServices.get(name) ?? name))) {
    note(use);
    const slots = nowUses.get(use.owner) ?? new Map<string, TypeUse>();
    nowUses.set(use.owner, slots);
    for (const slot of use.slots) if (!slots.has(slot)) slots.set(slot, use);
  }
  const children = new Map<string, string[]>();
  for (const name of names.gone.keys()) appendTo(children, containerOf(name), name);
  return {
    ...names,
    nameOf,
    oldUses,
    nowUses,
    used,
    children,
    successors: new Map(),
    forerunners: new Map(),
    replaced: new Set(),
    asked: new Set(),
    later: new Map(),
    earlier: new Map(),
  };
}

/** Looks at the places of an owner that is in both revisions. */
function visit(search: Search, oldOwner: string, nowOwner: string): void {
  const { oldUses, nowUses, gone, come, successors, forerunners, replaced, asked } = search;
  const now = nowUses.get(nowOwner);
  if (now === undefined) return;
  for (const { slots, type: was } of oldUses.get(oldOwner) ?? []) {
    const slot = slots.find(one => now.has(one));
    if (slot === undefined) continue;
    const is = now.get(slot)!.type;
    const [old, other] = [gone.get(was ?? '')?.name, come.get(is ?? '')?.name];
    if (old !== undefined && other !== undefined) {
      addTo(successors, old, other);
      addTo(forerunners, other, old);
      asked.add(old);
    } else if ((old ?? other) !== undefined) replaced.add((old ?? other)!);
  }
}

/** What stands in the one place of another and looks like it, or is called like it. Each that is found may tell of others. */
function pairByUse(search: Search): void {
  while (search.asked.size > 0) {
    const asked = [...search.asked].sort();
    search.asked = new Set();
    const found = asked.flatMap(name => {
      const [other, ...others] = search.successors.get(name) ?? [];
      if (other === undefined || others.length > 0 || search.forerunners.get(other)!.size > 1) return [];
      const [old, now] = [search.gone.get(name)!, search.come.get(other)!];
      const isLike = old.signature === now.signature || shortName(name) === shortName(other);
      return old.kind === now.kind && isLike ? [[name, other] as const] : [];
    });
    for (const [name, other] of found) pair(search, name, other);
  }
}

/** What lies in a message that has another name has its name from it. */
function pair(search: Search, name: string, other: string): void {
  const { gone, come, later, earlier, children, nameOf } = search;
  if (later.has(name) || earlier.has(other)) return;
  later.set(name, other);
  earlier.set(other, name);
  visit(search, nameOf(name), nameOf(other));
  for (const child of children.get(name) ?? []) {
    const same = `${other}.${shortName(child)}`;
    if (come.get(same)?.kind === gone.get(child)!.kind) pair(search, child, same);
  }
}

/** Of what no place tells: it is called the same and lies elsewhere, or nothing uses it and it has parts enough. */
function pairAlike(search: Search): void {
  const { gone, come, later, earlier, used } = search;
  const olds = bySignature([...gone.values()].filter(({ name }) => !later.has(name)));
  const nows = bySignature([...come.values()].filter(({ name }) => !earlier.has(name)));
  const found: (readonly [string, string])[] = [];
  for (const [signature, old] of olds) {
    const now = nows.get(signature) ?? [];
    const same = sameShortName(old, now).filter(([one, other]) => isMove(search, one, other));
    found.push(...same);
    const [one, other] = [old[0]!, now[0]];
    if (same.length > 0 || old.length > 1 || now.length > 1 || other === undefined || one.parts < 2) continue;
    if (!used.has(one.name) && !used.has(other.name)) found.push([one.name, other.name]);
  }
  for (const [name, other] of found.sort(([a], [b]) => (a < b ? -1 : 1))) pair(search, name, other);
}

function bySignature(declared: readonly Declared[]): Map<string, Declared[]> {
  const groups = new Map<string, Declared[]>();
  for (const one of declared) if (one.parts > 0) appendTo(groups, `${one.kind} ${one.signature}`, one);
  return groups;
}

/** Of those that no other is called like. */
function sameShortName(old: readonly Declared[], now: readonly Declared[]): readonly (readonly [string, string])[] {
  const [olds, nows] = [old, now].map(declared => {
    const named = new Map<string, string[]>();
    for (const { name } of declared) appendTo(named, shortName(name), name);
    return named;
  });
  return [...olds!].flatMap(([short, [name, ...others]]) => {
    const [other, ...further] = nows!.get(short) ?? [];
    return other === undefined || others.length + further.length > 0 ? [] : [[name!, other] as const];
  });
}

/** What goes with its container and comes with another is no move: such names are short, and common. */
function isMove({ were, are, replaced }: Search, name: string, other: string): boolean {
  const [from, to] = [containerOf(name), containerOf(other)];
  const isKnown = from === '' || to === '' || are.has(from) || were.has(to);
  return isKnown && !replaced.has(name) && !replaced.has(other);
}

function shortName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}
