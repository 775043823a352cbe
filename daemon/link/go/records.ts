import { either, first, optionsOf } from '../options.ts';
import type { Value } from '../values.ts';

/**
 * Struct and interface types of Go that are written out where no definition has their members: applied types, which name
 * their fields (`struct{Host *Base}`, with a `*` what is embedded) and have what these hold as arguments.
 */
interface Record {
  readonly kind: 'struct' | 'interface';
  readonly fields: readonly string[];
  readonly held: readonly (Value | undefined)[];
}

const written = /^(struct|interface)\{(.*)\}$/;

/** Whether extraction wrote down such a type under that name. */
export function isRecordName(name: string): boolean {
  return written.test(name);
}

/** What the field of a record holds; undefined where that is not known, or nothing of that name is a field of its own. */
export function heldByField(value: Value, name: string): Value | undefined {
  const record = recordOf(value);
  return record === undefined ? undefined : record.held[positionOf(record, name)];
}

/**
 * Which kind of such a type has a member of that name itself. A struct's fields are nobody else's; the methods of an
 * interface are those of whatever has them.
 */
export function recordHaving(value: Value | undefined, name: string): 'struct' | 'interface' | undefined {
  return first(optionsOf(value), one => {
    const record = recordOf(one);
    return record !== undefined && positionOf(record, name) >= 0 ? record.kind : undefined;
  });
}

/** What a record embeds, whose members it has besides. */
export function embeddedByRecord(value: Value): Value | undefined {
  const record = recordOf(value);
  return record === undefined ? undefined : either(record.held.filter((_, at) => record.fields[at]!.startsWith('*')));
}

function positionOf({ fields }: Record, name: string): number {
  return fields.findIndex(field => field === name || field === `*${name}`);
}

function recordOf(value: Value): Record | undefined {
  const type = value.kind === 'instance' ? value.of : value;
  if (type.kind !== 'applied' || type.of.kind !== 'external' || type.of.package !== 'go') return undefined;
  const [, kind, fields] = written.exec(type.of.name) ?? [];
  if (fields === undefined) return undefined;
  return { kind: kind === 'struct' ? 'struct' : 'interface', fields: fields.split(' '), held: type.arguments };
}
