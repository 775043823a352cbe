import { type ProtoSchema, type SchemaEnum, type SchemaMessage, scalars } from '../../../../model/proto-schema.ts';

/** One revision: the files that are known of it, the contract among them. */
export interface ProtoSide {
  readonly path: string;
  /** By their paths; those that the contract imports, as far as they are known. */
  readonly files: ReadonlyMap<string, ProtoSchema>;
  /** Files that are there and have a mistake in them, as far as the other revision has other bytes of them. */
  readonly unread?: ReadonlyMap<string, { readonly line: number; readonly message: string }>;
  /** All `.proto` files that the revision has, where it has more than these. */
  readonly paths?: readonly string[];
}

/** Of all files of a revision, read or not. */
export function pathsOf({ files, unread, paths }: ProtoSide): readonly string[] {
  return paths ?? [...files.keys(), ...(unread?.keys() ?? [])];
}

/** A message or an enum of a revision. */
export interface KnownType {
  readonly path: string;
  readonly schema: ProtoSchema;
  readonly fullName: string;
  readonly message?: SchemaMessage;
  readonly enum?: SchemaEnum;
}

/** The types of a revision by their full names. */
export interface TypeTable {
  readonly side: ProtoSide;
  readonly contract: ProtoSchema;
  readonly types: ReadonlyMap<string, KnownType>;
}

/** The contract's own before those of other files, of these the first by path: copies of a file declare the same names. */
export function typeTable(side: ProtoSide): TypeTable | undefined {
  const contract = side.files.get(side.path);
  if (contract === undefined) return undefined;
  const types = new Map<string, KnownType>();
  const others = [...side.files.keys()].filter(path => path !== side.path).sort();
  for (const path of [side.path, ...others]) {
    const schema = side.files.get(path)!;
    const put = (fullName: string, type: Pick<KnownType, 'message' | 'enum'>): void => {
      if (!types.has(fullName)) types.set(fullName, { path, schema, fullName, ...type });
    };
    for (const message of schema.messages) put(qualified(schema.package, message.name), { message });
    for (const one of schema.enums) put(qualified(schema.package, one.name), { enum: one });
  }
  return { side, contract, types };
}

export function qualified(around: string, name: string): string {
  return around === '' ? name : `${around}.${name}`;
}

/** What a name lies in: a message or a package; '' at the top. */
export function containerOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')));
}

/** What the name of a type means. */
export interface MeantType {
  readonly kind: 'scalar' | 'message' | 'enum' | 'unknown';
  /** The scalar, or the full name; of what no file declares the name as written. */
  readonly name: string;
}

/** A type's name looked up from a scope outwards, as protobuf does: the innermost scope that has its first part decides. */
export function meantBy({ types }: TypeTable, scope: string, written: string): MeantType {
  if (scalars.has(written)) return { kind: 'scalar', name: written };
  if (written.startsWith('.')) return found(types.get(written.slice(1)), written.slice(1));
  for (let around = scope; ; around = around.slice(0, Math.max(0, around.lastIndexOf('.')))) {
    const type = types.get(qualified(around, written));
    if (type !== undefined) return found(type, written);
    if (around === '') return { kind: 'unknown', name: written };
  }
}

function found(type: KnownType | undefined, written: string): MeantType {
  if (type === undefined) return { kind: 'unknown', name: written };
  return { kind: type.message === undefined ? 'enum' : 'message', name: type.fullName };
}
