import type { NamedLine, ProtoOutline } from '../../../model/contract.ts';
import { type ProtoSchema, scalars } from '../../../model/proto-schema.ts';
import { marksOfProto } from '../marks.ts';

/** What is told of a `.proto` file without reading it again. */
export function outlineOfProto(schema: ProtoSchema): ProtoOutline {
  const { syntax, package: name, imports, services, messages, enums } = schema;
  const options = schema.options.flatMap(({ name: option, value }) =>
    value.kind === 'string' || value.kind === 'word' ? [[option, value.text] as const] : [],
  );
  return {
    type: 'proto',
    syntax,
    package: name,
    imports: imports.map(({ path, line, kind }) => ({ path, line, ...(kind === 'public' ? { isPublic: true } : {}) })),
    options: Object.fromEntries(options),
    services: services.map(service => ({
      ...named(service),
      methods: service.methods.map(method => ({ ...named(method), routes: method.routes })),
    })),
    types: [...messages.map(named), ...enums.map(named)].sort((a, b) => a.line - b.line),
    uses: usedBy(schema),
    marks: marksOfProto(schema),
  };
}

function usedBy({ services, messages, enums, extensions }: ProtoSchema): readonly string[] {
  const declared = new Set([...messages, ...enums].map(({ name }) => name));
  const used = [
    ...services.flatMap(({ methods }) => methods.flatMap(({ request, response }) => [request, response])),
    ...messages.flatMap(({ fields }) => fields.map(({ type }) => type)),
    ...extensions.flatMap(({ type, extendee }) => [type, extendee]),
  ];
  const isOthers = (type: string): boolean =>
    !scalars.has(type) && !declared.has(type) && !/^\.?google\.protobuf\./.test(type);
  return [...new Set(used)].filter(isOthers).sort();
}

function named({ name, line }: NamedLine): NamedLine {
  return { name, line };
}
