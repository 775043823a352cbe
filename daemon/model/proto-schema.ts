/**
 * All that a `.proto` file declares, in the order of its lines. Lines are 1-based. Names of messages and enums are those of
 * the file: with their containers, without the package (`Cart.Item`).
 */
export interface ProtoSchema {
  /** `proto2`, `proto3`, or an edition such as `2023`. */
  readonly syntax: string;
  /** Of the statement that says so; 1 where none does. */
  readonly syntaxLine: number;
  /** '' where it declares none. */
  readonly package: string;
  readonly packageLine: number;
  readonly imports: readonly SchemaImport[];
  readonly options: readonly SchemaOption[];
  readonly services: readonly SchemaService[];
  /** Nested ones, groups included, behind their containers. Entries of maps are not among them. */
  readonly messages: readonly SchemaMessage[];
  readonly enums: readonly SchemaEnum[];
  readonly extensions: readonly SchemaExtension[];
  /** The text, by which a comparison shows what stood where. */
  readonly lines: readonly string[];
}

export interface SchemaImport {
  readonly path: string;
  readonly kind: 'plain' | 'public' | 'weak' | 'option';
  readonly line: number;
}

export interface SchemaOption {
  /** As written, without blanks: `go_package`, `(google.api.http)`, `(validate.rules).string.min_len`. */
  readonly name: string;
  readonly value: OptionValue;
  readonly line: number;
}

export type OptionValue =
  /** Without quotes and escapes, parts put together. */
  | { readonly kind: 'string'; readonly text: string }
  /** A name or a number, with its sign. */
  | { readonly kind: 'word'; readonly text: string }
  | { readonly kind: 'message'; readonly entries: readonly OptionEntry[] }
  | { readonly kind: 'list'; readonly values: readonly OptionValue[] };

/** `name` of an extension, or of a type in an `Any`, is in brackets. */
export interface OptionEntry {
  readonly name: string;
  readonly value: OptionValue;
}

export interface SchemaService {
  readonly name: string;
  readonly line: number;
  readonly methods: readonly SchemaMethod[];
  readonly options: readonly SchemaOption[];
}

export interface SchemaMethod {
  readonly name: string;
  readonly line: number;
  readonly request: TypeName;
  readonly response: TypeName;
  readonly streamsRequest: boolean;
  readonly streamsResponse: boolean;
  /** As `google.api.http` has them, additional bindings too: `GET /v1/carts/{id}`. */
  readonly routes: readonly string[];
  readonly options: readonly SchemaOption[];
}

/** As written: a scalar's name, or that of a message or an enum, to be looked up from `scope` outwards. */
export type TypeName = string;

/** Types that every file has. */
export const scalars: ReadonlySet<string> = new Set([
  'double',
  'float',
  'int32',
  'int64',
  'uint32',
  'uint64',
  'sint32',
  'sint64',
  'fixed32',
  'fixed64',
  'sfixed32',
  'sfixed64',
  'bool',
  'string',
  'bytes',
]);

export interface SchemaMessage {
  readonly name: string;
  readonly line: number;
  /** Declared by a field: `optional group Item = 1 { … }`. */
  readonly isGroup: boolean;
  readonly fields: readonly SchemaField[];
  /** Those that a field marked `optional` makes are not among them. */
  readonly oneofs: readonly SchemaOneof[];
  readonly reserved: SchemaReserved;
  readonly extensionRanges: readonly NumberRange[];
  readonly features: SchemaFeatures;
  readonly options: readonly SchemaOption[];
}

export interface SchemaOneof {
  readonly name: string;
  readonly line: number;
}

export interface SchemaField {
  readonly name: string;
  readonly number: number;
  readonly line: number;
  /** Of a map the type of its values; of a group the name of its message. */
  readonly type: TypeName;
  /** The type of a map's keys. */
  readonly mapKey?: string;
  readonly cardinality: 'singular' | 'required' | 'repeated' | 'map';
  /** Whether a field without a value differs from one with the type's zero; `none` for lists and maps. Messages' own is explicit. */
  readonly presence: 'explicit' | 'implicit' | 'none';
  /** Written out: in proto3 `optional` is what gives presence. */
  readonly label: '' | 'optional' | 'required' | 'repeated';
  readonly oneof?: string;
  /** On the wire between tags instead of behind a length: groups, and `features.message_encoding = DELIMITED`. */
  readonly isDelimited: boolean;
  /** Given, or made from the name as protoc makes it. */
  readonly jsonName: string;
  /** Of lists alone; counts where the type can be packed. */
  readonly isPacked: boolean;
  /** Whether bytes that are no UTF-8 are refused; counts where the type, a map's key or its value is a string. */
  readonly checksUtf8: boolean;
  readonly isDeprecated: boolean;
  /** As written, strings with quotes. */
  readonly default?: string;
  readonly options: readonly SchemaOption[];
}

export interface SchemaExtension extends SchemaField {
  /** The message that is extended, as written. */
  readonly extendee: TypeName;
  /** The message that it is declared in; '' for the file. */
  readonly scope: string;
}

export interface SchemaEnum {
  readonly name: string;
  readonly line: number;
  readonly values: readonly SchemaEnumValue[];
  readonly allowsAlias: boolean;
  /** Unknown numbers are kept out of the field. */
  readonly isClosed: boolean;
  readonly features: SchemaFeatures;
  readonly reserved: SchemaReserved;
  readonly options: readonly SchemaOption[];
}

export interface SchemaEnumValue {
  readonly name: string;
  readonly number: number;
  readonly line: number;
  readonly isDeprecated: boolean;
  readonly options: readonly SchemaOption[];
}

export interface SchemaReserved {
  readonly ranges: readonly NumberRange[];
  readonly names: readonly { readonly name: string; readonly line: number }[];
}

/** Both ends belong to it; `max` is written out as the number that it stands for. */
export interface NumberRange {
  readonly from: number;
  readonly to: number;
  readonly line: number;
}

/** What editions call features, of each that a change is read off; the syntax gives those that nothing sets. */
export interface SchemaFeatures {
  readonly fieldPresence: 'EXPLICIT' | 'IMPLICIT' | 'LEGACY_REQUIRED';
  readonly enumType: 'OPEN' | 'CLOSED';
  readonly repeatedFieldEncoding: 'PACKED' | 'EXPANDED';
  readonly utf8Validation: 'VERIFY' | 'NONE';
  readonly messageEncoding: 'LENGTH_PREFIXED' | 'DELIMITED';
  readonly jsonFormat: 'ALLOW' | 'LEGACY_BEST_EFFORT';
}

/** The largest number of a field, and that of an enum's value. */
export const mostFieldNumber = 536_870_911;
export const mostEnumNumber = 2_147_483_647;
