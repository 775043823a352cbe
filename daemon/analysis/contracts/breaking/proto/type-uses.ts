import type { ProtoSchema } from '../../../../model/proto-schema.ts';
import { meantBy, qualified, type TypeTable } from './types.ts';

/** A place that has a type of the contract or another: what a method takes or gives, a field, an extension. */
export interface TypeUse {
  /** The full name of a message or of a service, or where extensions are declared. */
  readonly owner: string;
  /** What tells the place from others of its owner, the surest first. */
  readonly slots: readonly string[];
  /** The name within the contract; undefined where another file declares the type, or none. */
  readonly type: string | undefined;
}

/** All places of a revision that have a type. `nameOf` gives the contract's own names the package that they are compared in. */
export function* typeUses(table: TypeTable, nameOf: (name: string) => string): Iterable<TypeUse> {
  const { side, contract } = table;
  const named = (schema: ProtoSchema, name: string): string =>
    schema === contract ? nameOf(name) : qualified(schema.package, name);
  for (const { schema, fullName, message } of table.types.values()) {
    if (message === undefined) continue;
    const owner = named(schema, message.name);
    for (const { name, number, type } of message.fields)
      yield { owner, slots: [name, `#${number}`], type: ownType(table, fullName, type) };
  }
  const others = [...side.files.keys()].filter(path => path !== side.path).sort();
  for (const path of [side.path, ...others]) {
    const schema = side.files.get(path)!;
    for (const service of schema.services) {
      const owner = named(schema, service.name);
      for (const method of service.methods) {
        for (const end of ['request', 'response'] as const)
          yield { owner, slots: [`${method.name} ${end}`], type: ownType(table, schema.package, method[end]) };
      }
    }
    for (const { name, scope, type, extendee } of schema.extensions) {
      const around = scope === '' ? schema.package : qualified(schema.package, scope);
      const owner = `extensions in ${named(schema, scope)}`;
      yield { owner, slots: [name], type: ownType(table, around, type) };
      yield { owner, slots: [`${name} extends`], type: ownType(table, around, extendee) };
    }
  }
}

function ownType(table: TypeTable, scope: string, written: string): string | undefined {
  const type = table.types.get(meantBy(table, scope, written).name);
  return type?.path === table.side.path ? (type.message ?? type.enum)?.name : undefined;
}
