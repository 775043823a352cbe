import { createRequire } from 'node:module';
import type { TSchema } from 'typebox';
import { portableSchema } from './json-schema.ts';
import type { Operation, OutputOf } from './operation.ts';

type Serialise = (output: unknown) => string;

/**
 * The answer of an operation as JSON, by a serialiser compiled from its output schema on first use. Fields that the
 * schema does not know are left out; a required one that is missing throws, for that is a defect of the handler.
 * Text outputs (`produces: 'text'`) pass as they are.
 */
export function serialiseOutput<O extends Operation>(operation: O, output: OutputOf<O>): string {
  if (typeof output === 'string') return output;
  let serialise = serialisers.get(operation);
  if (serialise === undefined) {
    serialise = compileSerialiser(operation.output);
    serialisers.set(operation, serialise);
  }
  return serialise(output);
}

const serialisers = new WeakMap<Operation, Serialise>();

// Loaded with the first answer: the compiler brings a whole validator of its own, which a start need not wait for. The
// build puts its 100 files into one beside this.
const require = createRequire(import.meta.url);

function compileSerialiser(schema: TSchema): Serialise {
  const build = require('./json-stringify.cjs') as typeof import('fast-json-stringify').default;
  return build(portableSchema(schema) as unknown as Parameters<typeof build>[0]) as Serialise;
}
