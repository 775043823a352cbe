import type {
  NumberRange,
  SchemaEnumValue,
  SchemaImport,
  SchemaOneof,
  SchemaOption,
  SchemaService,
} from '../../../model/proto-schema.ts';

/**
 * A file while it is read. What options say of the elements around them is known at their ends alone: `finish.ts` makes the
 * schema of it.
 */
export interface FileDraft {
  syntax: string;
  syntaxLine: number;
  package: string;
  packageLine: number;
  readonly imports: SchemaImport[];
  readonly options: SchemaOption[];
  readonly services: SchemaService[];
  readonly messages: MessageDraft[];
  readonly enums: EnumDraft[];
  readonly extensions: ExtensionDraft[];
}

export interface MessageDraft {
  readonly name: string;
  readonly line: number;
  readonly parent: MessageDraft | undefined;
  readonly isGroup: boolean;
  readonly fields: FieldDraft[];
  readonly oneofs: OneofDraft[];
  readonly reserved: ReservedDraft;
  readonly extensionRanges: NumberRange[];
  readonly options: SchemaOption[];
}

export interface OneofDraft extends SchemaOneof {
  readonly options: SchemaOption[];
}

export interface FieldDraft {
  readonly name: string;
  readonly number: number;
  readonly line: number;
  readonly type: string;
  readonly mapKey?: string;
  readonly label: '' | 'optional' | 'required' | 'repeated';
  readonly oneof: OneofDraft | undefined;
  readonly isGroup: boolean;
  readonly options: readonly SchemaOption[];
}

export interface ExtensionDraft {
  readonly extendee: string;
  readonly scope: MessageDraft | undefined;
  readonly field: FieldDraft;
}

export interface EnumDraft {
  readonly name: string;
  readonly line: number;
  readonly parent: MessageDraft | undefined;
  readonly values: SchemaEnumValue[];
  readonly reserved: ReservedDraft;
  readonly options: SchemaOption[];
}

export interface ReservedDraft {
  readonly ranges: NumberRange[];
  readonly names: { readonly name: string; readonly line: number }[];
}

export function emptyFile(): FileDraft {
  return {
    syntax: 'proto2',
    syntaxLine: 1,
    package: '',
    packageLine: 1,
    imports: [],
    options: [],
    services: [],
    messages: [],
    enums: [],
    extensions: [],
  };
}

export function emptyReserved(): ReservedDraft {
  return { ranges: [], names: [] };
}

/** The name of what a message declares, or the file where there is none. */
export function nestedName(parent: MessageDraft | undefined, name: string): string {
  return parent === undefined ? name : `${parent.name}.${name}`;
}
