import type { NamedLine, ProtoOutline } from '../../../model/contract.ts';
import type { ProtoSchema } from '../../../model/proto-schema.ts';
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
    imports: imports.map(({ path, line }) => ({ path, line })),
    options: Object.fromEntries(options),
    services: services.map(service => ({
      ...named(service),
      methods: service.methods.map(method => ({ ...named(method), routes: method.routes })),
    })),
    types: [...messages.map(named), ...enums.map(named)].sort((a, b) => a.line - b.line),
    marks: marksOfProto(schema),
  };
}

function named({ name, line }: NamedLine): NamedLine {
  return { name, line };
}
