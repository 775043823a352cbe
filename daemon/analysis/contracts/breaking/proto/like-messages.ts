import type { SchemaField, SchemaMessage } from '../../../../model/proto-schema.ts';
import { type Comparison, isSameType, type Likeness } from './comparison.ts';
import { likenessOfEnums } from './like-enums.ts';
import { type KnownType, meantBy } from './types.ts';

const unlike: Likeness = { inBytes: false, inJson: false };

/** Of one question, and of a comparison over all. What needs more is taken for unlike. */
const mostPairs = 1_000;
const mostFields = 200_000;

/**
 * Whether a message is another field for field: numbers, types and labels in bytes, in JSON names, too; also what is in them.
 * A pair that is asked about while it is looked at counts as alike: nothing else in it may tell that it is not.
 */
export function likenessOfMessages(comparison: Comparison, old: KnownType, now: KnownType): Likeness {
  const { known } = comparison.likenesses;
  const key = keyOf({ old, now });
  const told = known.get(key);
  if (told !== undefined) return told;
  const pairs = new Map([[key, { old, now }]]);
  const found = likenessOfAll(comparison, pairs);
  // All that is in what is alike is alike; of what is not nothing is known.
  if (found.inBytes && found.inJson) for (const one of pairs.keys()) known.set(one, found);
  else known.set(key, found);
  return found;
}

interface Pair {
  readonly old: KnownType;
  readonly now: KnownType;
}

function keyOf({ old, now }: Pair): string {
  return `${old.fullName} ${now.fullName}`;
}

/** Pairs are added while they are looked at. */
function likenessOfAll(comparison: Comparison, pairs: Map<string, Pair>): Likeness {
  const { likenesses } = comparison;
  let inJson = true;
  for (const pair of pairs.values()) {
    const [old, now] = [pair.old.message!, pair.now.message!];
    likenesses.fields += 1 + old.fields.length;
    if (pairs.size > mostPairs || likenesses.fields > mostFields || !haveSameShape(old, now)) return unlike;
    inJson &&= !isWellKnown(pair.old) && !isWellKnown(pair.now);
    const byNumber = new Map(now.fields.map(field => [field.number, field]));
    if (byNumber.size < now.fields.length) return unlike;
    for (const field of old.fields) {
      const other = byNumber.get(field.number);
      const like = other === undefined ? unlike : likenessOfFields(comparison, pair, field, other, pairs);
      if (!like.inBytes) return unlike;
      inJson &&= like.inJson;
    }
  }
  return { inBytes: true, inJson };
}

/** What stands for an extension is not known: where some may be, messages are taken for unlike. */
function haveSameShape(old: SchemaMessage, now: SchemaMessage): boolean {
  return (
    old.fields.length === now.fields.length &&
    old.extensionRanges.length + now.extensionRanges.length === 0 &&
    haveSameOneofs(old, now)
  );
}

/** Which of the fields clear each other, whatever their oneofs are called. */
function haveSameOneofs(old: SchemaMessage, now: SchemaMessage): boolean {
  const [were, are] = [old, now].map(oneofsOf);
  return were === are;
}

function oneofsOf({ fields }: SchemaMessage): string {
  const inOrder = fields.filter(({ oneof }) => oneof !== undefined).sort((a, b) => a.number - b.number);
  const firsts = new Map<string, number>();
  return inOrder
    .map(({ oneof, number }) => {
      const first = firsts.get(oneof!) ?? number;
      firsts.set(oneof!, first);
      return `${number} ${first}`;
    })
    .join();
}

function likenessOfFields(
  comparison: Comparison,
  { old, now }: Pair,
  was: SchemaField,
  is: SchemaField,
  pairs: Map<string, Pair>,
): Likeness {
  const isSameKind =
    was.cardinality === is.cardinality &&
    was.mapKey === is.mapKey &&
    was.isDelimited === is.isDelimited &&
    was.checksUtf8 === is.checksUtf8;
  if (!isSameKind) return unlike;
  const { before, after, likenesses } = comparison;
  const [from, to] = [meantBy(before, old.fullName, was.type), meantBy(after, now.fullName, is.type)];
  const isSameName = was.jsonName === is.jsonName;
  const next = { old: before.types.get(from.name), now: after.types.get(to.name) };
  if (isSameType(comparison, from, to)) return { inBytes: true, inJson: isSameName };
  if (next.old?.enum !== undefined && next.now?.enum !== undefined) {
    const like = likenessOfEnums(next.old.enum, next.now.enum);
    return { inBytes: like.inBytes, inJson: like.inJson && isSameName };
  }
  if (next.old?.message === undefined || next.now?.message === undefined) return unlike;
  const pair = { old: next.old, now: next.now };
  const told = likenesses.known.get(keyOf(pair));
  if (told === undefined) pairs.set(keyOf(pair), pair);
  return { inBytes: told?.inBytes ?? true, inJson: isSameName && (told?.inJson ?? true) };
}

/** Such messages have a JSON of their own: a time is a string. */
function isWellKnown({ schema }: KnownType): boolean {
  return schema.package === 'google.protobuf';
}
