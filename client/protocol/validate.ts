import type { Request } from './caller.ts';
import { expectation } from './expectation.ts';
import { type Fault, invalid, type Problem } from './faults.ts';
import { nearest } from './nearest.ts';
import { type InputOf, inputFields, type Operation } from './operation.ts';
import { Compile, Type, type Validator } from './schemas.ts';
import { commaList } from './shapes.ts';

/** What validation needs of a request. */
export type Asked = Pick<Request, 'input' | 'invalidAs' | 'problems' | 'placeOf'>;

/**
 * The input that a handler may trust: known fields alone, defaults in place, comma lists split. Throws the `invalid`
 * fault with every problem: parameters make it 400, and only where all of them are in a body is it 422.
 */
export function validateInput<O extends Operation>(operation: O, asked: Asked): InputOf<O> {
  const plan = planOf(operation as Operation);
  const input = pickKnown(plan, asked);
  const sound = asked.problems === undefined && input.unknown.length === 0 && input.withNul.length === 0;
  if (sound && plan.validator().Check(input.fields)) return input.fields as InputOf<O>;
  throw refusal(plan, input, asked);
}

interface Plan {
  readonly fields: ReadonlyMap<string, FieldPlan>;
  readonly required: readonly string[];
  readonly validator: () => Validator;
}

interface FieldPlan {
  readonly schema: JsonSchema;
  readonly isCommaList: boolean;
  /** Undefined where there is none. */
  readonly fallback: unknown;
}

type JsonSchema = Readonly<Record<string, unknown>>;

interface KnownFields {
  readonly fields: Record<string, unknown>;
  readonly unknown: readonly string[];
  readonly withNul: readonly string[];
}

const plans = new WeakMap<Operation, Plan>();

function planOf(operation: Operation): Plan {
  const known = plans.get(operation);
  if (known !== undefined) return known;
  const properties = inputFields(operation);
  const schema = Type.Object(properties, { additionalProperties: false });
  const entries = Object.entries(properties as Record<string, JsonSchema>);
  let validator: Validator | undefined;
  const plan: Plan = {
    fields: new Map(
      entries.map(([name, field]) => [
        name,
        { schema: field, isCommaList: field[commaList] === true, fallback: field['default'] },
      ]),
    ),
    required: (schema.required as readonly string[] | undefined) ?? [],
    // Compiled on the first use: a start pays for no operation that nobody asks for.
    validator: () => {
      validator ??= Compile(schema) as unknown as Validator;
      return validator;
    },
  };
  plans.set(operation, plan);
  return plan;
}

/** In the order of the schema, so that the same question always has the same form. */
function pickKnown(plan: Plan, { input, invalidAs }: Asked): KnownFields {
  const fields: Record<string, unknown> = {};
  const withNul: string[] = [];
  for (const [name, { isCommaList, fallback }] of plan.fields) {
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (value === undefined) {
      if (fallback !== undefined) fields[name] = fallback;
    } else if (typeof value === 'string') {
      if (value.includes('\0')) withNul.push(name);
      // A body has lists of its own.
      fields[name] = isCommaList && invalidAs(name) !== 'invalidBody' ? value.split(',') : value;
    } else fields[name] = value;
  }
  return { fields, unknown: Object.keys(input).filter(name => !plan.fields.has(name)), withNul };
}

function refusal(plan: Plan, input: KnownFields, asked: Asked): Fault {
  const transport = asked.problems ?? [];
  const settled = new Set(transport.map(problem => problem.path));
  const missing = plan.required.filter(name => !Object.hasOwn(input.fields, name));
  const own = [
    ...input.unknown
      .slice(0, mostProblems)
      .map(name => ({ field: name, path: clipped(name), message: unknownField(name, plan) })),
    ...input.withNul.map(name => ({ field: name, path: name, message: 'must not contain a NUL character' })),
    ...missing.map(name => ({ field: name, path: name, message: 'is required' })),
    ...schemaProblems(plan, input.fields),
  ].filter(finding => !settled.has(finding.field));
  const inBody = transport.length === 0 && own.every(({ field }) => asked.invalidAs(field) === 'invalidBody');
  const named = own.map(({ field, path, message }) => ({ path: asked.placeOf?.(field) ?? path, message }));
  const problems = [...transport, ...named].slice(0, mostProblems);
  return invalid(inBody ? 'invalidBody' : 'invalidParameter', problems);
}

/** A problem, and which field of the input it is in. */
interface Finding extends Problem {
  readonly field: string;
}

/** A list longer than this says nothing more, and an answer must not grow with a hostile question. */
const mostProblems = 50;

function clipped(name: string): string {
  return name.length <= 100 ? name : `${name.slice(0, 100)}…`;
}

function unknownField(name: string, plan: Plan): string {
  const meant = nearest(name.replace(/\[.*$/, ''), plan.fields.keys());
  if (meant !== undefined) return `is not a field of this operation; did you mean ${meant}?`;
  const names = [...plan.fields.keys()].join(', ');
  return `is not a field of this operation; there ${plan.fields.size === 0 ? 'are none' : `are ${names}`}`;
}

/** One problem per place, said in the words of the schema that stands there. Missing fields are found before. */
function schemaProblems(plan: Plan, fields: Record<string, unknown>): readonly Finding[] {
  const findings = new Map<string, Finding>();
  for (const { keyword, instancePath, params } of plan.validator().Errors(fields)) {
    const steps = instancePath.split('/').slice(1).map(unescapePointer);
    const field = steps[0];
    if (field === undefined) continue;
    if (keyword === 'required') {
      for (const name of (params as { requiredProperties: readonly string[] }).requiredProperties) {
        const path = pathOf([...steps, name]);
        findings.set(path, { field, path, message: 'is required' });
      }
      continue;
    }
    const path = pathOf(steps);
    const message = expectation(schemaAt(plan, steps), valueAt(fields, steps));
    if (!findings.has(path)) findings.set(path, { field, path, message });
  }
  return withoutRepetition([...findings.values()]);
}

/** What is wrong with several items of a list in the same way is said with the first of them. */
function withoutRepetition(findings: readonly Finding[]): readonly Finding[] {
  const first = new Map<string, string>();
  return findings.map(finding => {
    const key = `${finding.field} ${finding.message}`;
    const told = first.get(key);
    if (told === undefined) first.set(key, finding.path);
    return told === undefined ? finding : { ...finding, message: `the same as ${told}` };
  });
}

function schemaAt(plan: Plan, steps: readonly string[]): JsonSchema | undefined {
  let schema = plan.fields.get(steps[0]!)?.schema;
  for (const step of steps.slice(1)) {
    const properties = schema?.['properties'] as Record<string, JsonSchema> | undefined;
    const child = properties === undefined ? schema?.['items'] : Object.hasOwn(properties, step) && properties[step];
    schema = child === false ? undefined : (child as JsonSchema | undefined);
  }
  return schema;
}

function valueAt(fields: Record<string, unknown>, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], fields);
}

/** `kinds[1]`, `options.depth`: how people write the place that JSON Pointer calls `/kinds/1`. */
function pathOf(steps: readonly string[]): string {
  return steps.reduce(
    (path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`),
    '',
  );
}

function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
