import type {
  ProtoSchema,
  SchemaEnum,
  SchemaFeatures,
  SchemaField,
  SchemaMessage,
  SchemaOption,
} from '../../../model/proto-schema.ts';
import type { EnumDraft, FieldDraft, FileDraft, MessageDraft } from './drafts.ts';
import { featuresOf, featuresOfSyntax } from './features.ts';
import { optionText } from './option.ts';

/** The schema of what was read: what syntax, features and options around an element say of it is told with it. */
export function finished(file: FileDraft, lines: readonly string[]): ProtoSchema {
  const ofFile = featuresOf(file.options, featuresOfSyntax(file.syntax));
  const known = new Map<MessageDraft | undefined, SchemaFeatures>([[undefined, ofFile]]);
  // Containers stand before what they contain.
  for (const message of file.messages) known.set(message, featuresOf(message.options, known.get(message.parent)!));
  const isProto3 = file.syntax === 'proto3';
  return {
    syntax: file.syntax,
    syntaxLine: file.syntaxLine,
    package: file.package,
    packageLine: file.packageLine,
    imports: file.imports,
    options: file.options,
    services: file.services,
    messages: file.messages.map(message => finishedMessage(message, known.get(message)!, isProto3)),
    enums: file.enums.map(one => finishedEnum(one, known.get(one.parent)!)),
    extensions: file.extensions.map(({ extendee, scope, field }) => ({
      ...finishedField(field, known.get(scope)!, false),
      extendee,
      scope: scope?.name ?? '',
    })),
    lines,
  };
}

function finishedMessage(message: MessageDraft, features: SchemaFeatures, isProto3: boolean): SchemaMessage {
  const { name, line, isGroup, oneofs, reserved, extensionRanges, options } = message;
  return {
    name,
    line,
    isGroup,
    fields: message.fields.map(field => finishedField(field, features, isProto3)),
    oneofs: oneofs.map(one => ({ name: one.name, line: one.line })),
    reserved,
    extensionRanges,
    features,
    options,
  };
}

function finishedField(field: FieldDraft, around: SchemaFeatures, isProto3: boolean): SchemaField {
  const { name, number, line, type, mapKey, label, oneof, options } = field;
  const features = featuresOf(options, oneof === undefined ? around : featuresOf(oneof.options, around));
  const cardinality = cardinalityOf(field, features);
  const packed = optionText(options, 'packed');
  const given = optionText(options, 'default');
  return {
    name,
    number,
    line,
    type,
    ...(mapKey === undefined ? {} : { mapKey }),
    cardinality,
    presence: presenceOf(field, features, cardinality, isProto3),
    label,
    ...(oneof === undefined ? {} : { oneof: oneof.name }),
    isDelimited: field.isGroup || (features.messageEncoding === 'DELIMITED' && mapKey === undefined),
    jsonName: optionText(options, 'json_name') ?? jsonNameOf(name),
    isPacked: cardinality === 'repeated' && (packed ?? String(features.repeatedFieldEncoding === 'PACKED')) === 'true',
    checksUtf8: features.utf8Validation === 'VERIFY',
    isDeprecated: optionText(options, 'deprecated') === 'true',
    ...(given === undefined ? {} : { default: isString(options) ? JSON.stringify(given) : given }),
    options,
  };
}

function cardinalityOf({ label, mapKey }: FieldDraft, features: SchemaFeatures): SchemaField['cardinality'] {
  if (mapKey !== undefined) return 'map';
  if (label === 'repeated') return 'repeated';
  return label === 'required' || features.fieldPresence === 'LEGACY_REQUIRED' ? 'required' : 'singular';
}

function presenceOf(
  { label, oneof }: FieldDraft,
  { fieldPresence }: SchemaFeatures,
  cardinality: SchemaField['cardinality'],
  isProto3: boolean,
): SchemaField['presence'] {
  if (cardinality === 'map' || cardinality === 'repeated') return 'none';
  if (oneof !== undefined || cardinality === 'required' || (isProto3 && label === 'optional')) return 'explicit';
  return fieldPresence === 'IMPLICIT' ? 'implicit' : 'explicit';
}

function isString(options: readonly SchemaOption[]): boolean {
  return options.findLast(({ name }) => name === 'default')?.value.kind === 'string';
}

/** As protoc has it: underscores go, and what stands behind one is a capital. */
function jsonNameOf(name: string): string {
  return name.replace(/_+([^_]?)/g, (_, behind: string) => behind.toUpperCase());
}

function finishedEnum(draft: EnumDraft, around: SchemaFeatures): SchemaEnum {
  const { name, line, values, reserved, options } = draft;
  const features = featuresOf(options, around);
  return {
    name,
    line,
    values,
    allowsAlias: optionText(options, 'allow_alias') === 'true',
    isClosed: features.enumType === 'CLOSED',
    features,
    reserved,
    options,
  };
}
