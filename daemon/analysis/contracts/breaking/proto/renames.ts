import type { SchemaEnum, SchemaMessage, SchemaService } from '../../../../model/proto-schema.ts';

/** Names that went, by those that came in their stead, as what bears them tells: the same parts, of which nothing else is made. */
export function renamed<Declared extends { readonly name: string }>(
  before: readonly Declared[],
  after: readonly Declared[],
  signatureOf: (declared: Declared) => string,
): ReadonlyMap<string, string> {
  const old = new Set(before.map(({ name }) => name));
  const now = new Set(after.map(({ name }) => name));
  const gone = bySignature(
    before.filter(({ name }) => !now.has(name)),
    signatureOf,
  );
  const come = bySignature(
    after.filter(({ name }) => !old.has(name)),
    signatureOf,
  );
  const names = new Map<string, string>();
  for (const [signature, [name, ...others]] of gone) {
    const [other, ...further] = come.get(signature) ?? [];
    if (signature !== '' && name !== undefined && other !== undefined && others.length + further.length === 0)
      names.set(name, other);
  }
  return names;
}

function bySignature<Declared extends { readonly name: string }>(
  declared: readonly Declared[],
  signatureOf: (declared: Declared) => string,
): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const one of declared) {
    const signature = signatureOf(one);
    const group = groups.get(signature);
    if (group === undefined) groups.set(signature, [one.name]);
    else group.push(one.name);
  }
  return groups;
}

export function signatureOfMessage({ fields }: SchemaMessage): string {
  return fields
    .map(({ number, name, cardinality }) => `${number} ${name} ${cardinality}`)
    .sort()
    .join(', ');
}

export function signatureOfEnum({ values }: SchemaEnum): string {
  return values
    .map(({ number, name }) => `${number} ${name}`)
    .sort()
    .join(', ');
}

export function signatureOfService({ methods }: SchemaService): string {
  return methods
    .map(({ name, streamsRequest, streamsResponse }) => `${name} ${streamsRequest} ${streamsResponse}`)
    .sort()
    .join(', ');
}
