import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import protobuf from 'protobufjs';
import { parseProto } from '../../../../daemon/extract/api-contract/proto/parse-proto.ts';
import type { ProtoSchema } from '../../../../daemon/model/proto-schema.ts';

const folder = dirname(fileURLToPath(import.meta.resolve('protobufjs')));
/** Those that the other parser brings with it. */
const files = [
  'google/api/annotations.proto',
  'google/api/http.proto',
  'google/protobuf/api.proto',
  'google/protobuf/descriptor.proto',
  'google/protobuf/source_context.proto',
  'google/protobuf/type.proto',
  'google/protobuf/compiler/plugin.proto',
];

for (const file of files) {
  test(`another parser of protobuf finds the same in ${file}`, () => {
    const source = readFileSync(join(folder, file), 'utf8');
    const { schema, problem } = parseProto(source);
    assert.equal(problem, undefined);
    assert.deepEqual(toldByUs(schema).sort(), toldByThem(source).sort());
  });
}

function toldByUs({ package: around, messages, enums, services, extensions }: ProtoSchema): string[] {
  const full = (name: string): string => (around === '' ? name : `${around}.${name}`);
  return [
    ...messages.flatMap(({ name, fields }) => [
      `message ${full(name)}`,
      ...fields.map(one => `${full(name)}.${one.name} = ${one.number} ${one.cardinality === 'repeated'} ${one.type}`),
    ]),
    ...enums.flatMap(({ name, values }) => values.map(value => `${full(name)}.${value.name} = ${value.number}`)),
    ...services.flatMap(({ name, methods }) =>
      methods.map(one => `${full(name)}.${one.name} ${one.request} ${one.response}`),
    ),
    ...extensions.map(one => `extend ${one.extendee} ${one.number} ${one.type}`),
  ];
}

function toldByThem(source: string): string[] {
  const told: string[] = [];
  const visit = (one: protobuf.ReflectionObject): void => {
    const name = one.fullName.slice(1);
    if (one instanceof protobuf.Type) {
      told.push(`message ${name}`);
      for (const field of one.fieldsArray)
        if (field.extend === undefined)
          told.push(`${name}.${field.name} = ${field.id} ${field.repeated} ${field.type}`);
    } else if (one instanceof protobuf.Enum) {
      for (const [value, number] of Object.entries(one.values)) told.push(`${name}.${value} = ${number}`);
    } else if (one instanceof protobuf.Service) {
      for (const method of one.methodsArray)
        told.push(`${name}.${method.name} ${method.requestType} ${method.responseType}`);
    } else if (one instanceof protobuf.Field && one.extend !== undefined)
      told.push(`extend ${one.extend} ${one.id} ${one.type}`);
    if (one instanceof protobuf.Namespace) for (const inner of one.nestedArray) visit(inner);
  };
  visit(protobuf.parse(source, new protobuf.Root(), { keepCase: true }).root);
  return told;
}
