import type { ProtoSchema, SchemaExtension, SchemaMessage } from '../../../../model/proto-schema.ts';
import { type Comparison, everywhere, fullName, tell } from './comparison.ts';
import { compareField } from './fields.ts';
import { messagePair } from './message-pair.ts';
import { movedTo } from './moved.ts';
import { type KnownType, meantBy, type TypeTable } from './types.ts';

/** An extension where it is declared. */
interface PlacedExtension {
  readonly path: string;
  readonly schema: ProtoSchema;
  readonly extension: SchemaExtension;
}

/** Fields that the contract gives to messages elsewhere, by the message and their number. One may move to another file. */
export function compareExtensions(comparison: Comparison): void {
  const { before, after, earlierNames } = comparison;
  const old = extensionsOf(before, new Map());
  const now = extensionsOf(after, earlierNames);
  for (const [key, was] of old) {
    if (was.schema !== before.contract) continue;
    const is = now.get(key);
    if (is === undefined) tellExtension(comparison, 'deleted', was);
    else {
      if (is.schema !== after.contract) tellMoved(comparison, was, is);
      compareField(messagePair(comparison, scopeOf(was), scopeOf(is)), was.extension, is.extension);
    }
  }
  for (const [key, is] of now)
    if (is.schema === after.contract && !old.has(key)) tellExtension(comparison, 'added', is);
}

/** The contract's own before those of other files; what they extend as the earlier revision calls it. */
function extensionsOf(table: TypeTable, earlier: ReadonlyMap<string, string>): Map<string, PlacedExtension> {
  const { side, contract } = table;
  const extensions = new Map<string, PlacedExtension>();
  const others = [...side.files.keys()].filter(path => path !== side.path).sort();
  for (const path of [side.path, ...others]) {
    const schema = path === side.path ? contract : side.files.get(path)!;
    for (const extension of schema.extensions) {
      const meant = meantBy(table, fullName(schema, extension.scope), extension.extendee);
      const key = `${earlier.get(meant.name) ?? meant.name} ${extension.number}`;
      if (!extensions.has(key)) extensions.set(key, { path, schema, extension });
    }
  }
  return extensions;
}

/** An extension is compared as the only field of the scope that it is declared in. */
function scopeOf({ path, schema, extension }: PlacedExtension): KnownType {
  const message: SchemaMessage = {
    name: extension.scope,
    line: extension.line,
    isGroup: false,
    fields: [extension],
    oneofs: [],
    reserved: { ranges: [], names: [] },
    extensionRanges: [],
    features: noFeatures,
    options: [],
  };
  return { path, schema, fullName: scopeName(schema, extension), message };
}

function scopeName(schema: ProtoSchema, { scope }: SchemaExtension): string {
  return scope === '' ? schema.package : fullName(schema, scope);
}

const noFeatures: SchemaMessage['features'] = {
  fieldPresence: 'EXPLICIT',
  enumType: 'OPEN',
  repeatedFieldEncoding: 'PACKED',
  utf8Validation: 'VERIFY',
  messageEncoding: 'LENGTH_PREFIXED',
  jsonFormat: 'ALLOW',
};

function tellMoved(comparison: Comparison, was: PlacedExtension, is: PlacedExtension): void {
  const { name } = was.extension;
  tell(
    comparison,
    { everything: true },
    {
      ...movedTo(comparison, 'extension', name, is.path),
      subject: `${scopeName(was.schema, was.extension)}.${name}`,
      before: { path: was.path, schema: was.schema, line: was.extension.line },
      after: { path: is.path, schema: is.schema, line: is.extension.line },
    },
  );
}

function tellExtension(comparison: Comparison, what: 'added' | 'deleted', placed: PlacedExtension): void {
  const { path, schema, extension } = placed;
  const place = { path, schema, line: extension.line };
  const table = what === 'added' ? comparison.after : comparison.before;
  const extendee = meantBy(table, fullName(schema, extension.scope), extension.extendee).name;
  tell(
    comparison,
    { type: extendee },
    {
      id: `extension-${what}`,
      severity: what === 'added' ? 'safe' : 'breaking',
      compatibility: what === 'added' ? [] : everywhere,
      subject: `${scopeName(schema, extension)}.${extension.name}`,
      message: `the extension ${extension.name} = ${extension.number} of ${extendee} was ${what}`,
      ...(what === 'added' ? { after: place } : { before: place }),
    },
  );
}
