import type { DeltaArtifact, DeltaLists, DeltaStats } from '../../../client/protocol/delta.ts';
import { expectation } from '../../../client/protocol/expectation.ts';
import type { Problem } from '../../../client/protocol/faults.ts';
import { nearest } from '../../../client/protocol/nearest.ts';
import type { Validator } from '../../../client/protocol/schemas.ts';

/** An artifact as far as its shape lets it be read. */
export interface ShapedArtifact {
  /** Undefined where nothing can be; what is `unread` is empty here. */
  readonly artifact: DeltaArtifact | undefined;
  /** Dotted paths of fields that are missing or broken, and of lists of which an item is. */
  readonly unread: ReadonlySet<string>;
  /** What is wrong with each of them, and what it must be. */
  readonly problems: readonly Problem[];
}

type Schema = Readonly<Record<string, unknown>>;

/** Longer than this a list of what is wrong says nothing more. */
const mostProblems = 200;
const longestName = 100;

/** Reads an artifact by the schema of those of this version. */
export async function shapedArtifact(value: unknown): Promise<ShapedArtifact> {
  const [{ DeltaArtifact: schema }, { Compile }] = await loaded();
  whole ??= Compile(schema);
  if (whole.Check(value)) return { artifact: value as DeltaArtifact, unread: new Set(), problems: [] };
  const reader = new ShapeReader(part => Compile(part as Parameters<typeof Compile>[0]));
  if (!isRecord(value)) {
    return {
      artifact: undefined,
      unread: new Set(),
      problems: [{ path: 'artifact', message: 'must be a JSON object' }],
    };
  }
  const { problems, unread } = reader;
  const read = reader.read(schema as unknown as Schema, value, '') as Partial<DeltaArtifact>;
  const artifact = unread.has('delta_schema_version') ? undefined : filled(read, unread);
  return { artifact, unread, problems };
}

let whole: Validator | undefined;

/** Loaded by the first artifact: the worker that reads them starts often, and seldom meets one. */
function loaded() {
  return Promise.all([import('../../../client/protocol/delta.ts'), import('../../../client/protocol/schemas.ts')]);
}

/** Leaves out what is not as its schema has it, and notes why. */
class ShapeReader {
  readonly problems: Problem[] = [];
  readonly unread = new Set<string>();
  readonly #validators = new Map<Schema, Validator>();
  readonly #compile: (schema: Schema) => Validator;

  constructor(compile: (schema: Schema) => Validator) {
    this.#compile = compile;
  }

  read(schema: Schema, value: unknown, path: string): unknown {
    if (this.#fits(schema, value)) return value;
    const { properties, items } = schema as { readonly properties?: Record<string, Schema>; readonly items?: Schema };
    const [named] = Object.values((schema['patternProperties'] ?? {}) as Record<string, Schema>);
    if (properties !== undefined && isRecord(value)) return this.#fields(schema, properties, value, path);
    if (named !== undefined && isRecord(value)) return this.#entries(named, value, path);
    if (items !== undefined && Array.isArray(value)) return this.#items(items, value, path);
    this.#refuse(path, expectation(schema, value));
    return undefined;
  }

  #fields(schema: Schema, properties: Readonly<Record<string, Schema>>, value: Fields, path: string): Fields {
    for (const name of Object.keys(value)) {
      if (!Object.hasOwn(properties, name)) this.#unknown(path, name, Object.keys(properties));
    }
    const required = (schema['required'] ?? []) as readonly string[];
    const kept: Record<string, unknown> = {};
    for (const [name, part] of Object.entries(properties)) {
      const at = joined(path, name);
      if (!Object.hasOwn(value, name)) {
        if (required.includes(name)) this.#refuse(at, `is missing: it ${expectation(part)}`);
        continue;
      }
      const read = this.read(part, value[name], at);
      if (read !== undefined) kept[name] = read;
    }
    return kept;
  }

  /** Of an object whose fields may have any name. */
  #entries(schema: Schema, value: Fields, path: string): Fields {
    const sound = Object.entries(value).filter(([name, item]) => {
      if (this.#fits(schema, item)) return true;
      this.#refuse(joined(path, clipped(name)), expectation(schema, item));
      return false;
    });
    return Object.fromEntries(sound);
  }

  /** An item counts whole or not at all. */
  #items(schema: Schema, value: readonly unknown[], path: string): readonly unknown[] {
    return value.filter((item, at) => {
      if (this.#fits(schema, item)) return true;
      this.unread.add(path);
      if (this.problems.length < mostProblems) this.read(schema, item, `${path}[${at}]`);
      return false;
    });
  }

  #unknown(path: string, name: string, known: readonly string[]): void {
    const meant = nearest(name, known);
    const remedy = meant === undefined ? 'leave it out' : `did you mean ${meant}?`;
    this.#tell(joined(path, clipped(name)), `is no field of a delta artifact; ${remedy}`);
  }

  #refuse(path: string, message: string): void {
    this.unread.add(path);
    this.#tell(path, message);
  }

  #tell(path: string, message: string): void {
    if (this.problems.length < mostProblems) this.problems.push({ path, message });
  }

  #fits(schema: Schema, value: unknown): boolean {
    const known = this.#validators.get(schema) ?? this.#compile(schema);
    this.#validators.set(schema, known);
    return known.Check(value);
  }
}

type Fields = Readonly<Record<string, unknown>>;

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function clipped(name: string): string {
  return name.length > longestName ? `${name.slice(0, longestName)}…` : name;
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Whether a field, and all that it lies in, could be read; `whole`: all that lies in it, too. */
export function isRead(unread: ReadonlySet<string>, path: string, whole = false): boolean {
  const steps = path.split('.');
  if (steps.some((_, at) => unread.has(steps.slice(0, at + 1).join('.')))) return false;
  return !whole || ![...unread].some(one => one.startsWith(`${path}.`));
}

type Parts<Whole> = { readonly [Name in keyof Whole]?: Partial<Whole[Name]> };

/** What could not be read is empty; who made it counts whole or not at all. */
function filled(
  read: Partial<Omit<DeltaArtifact, 'deltas' | 'stats'>> & {
    readonly deltas?: Parts<DeltaLists>;
    readonly stats?: Partial<DeltaStats>;
  },
  unread: ReadonlySet<string>,
): DeltaArtifact {
  const { deltas, made_by, ...rest } = read;
  const { files, symbols, refs, callgraph } = deltas ?? {};
  return {
    base_snapshot_id: '',
    ...rest,
    ...(made_by === undefined || !isRead(unread, 'made_by', true) ? {} : { made_by }),
    delta_schema_version: 1,
    deltas: {
      files: { added: [], modified: [], deleted: [], ...files },
      symbols: { added: [], modified: [], deleted: [], ...symbols },
      refs: { added: [], deleted: [], ...refs },
      callgraph: { added: [], deleted: [], ...callgraph },
    },
    stats: { ...emptyStats, ...read.stats },
  };
}

export const emptyStats: DeltaStats = {
  symbolsAdded: 0,
  symbolsModified: 0,
  symbolsDeleted: 0,
  refsAdded: 0,
  refsDeleted: 0,
  callEdgesAdded: 0,
  callEdgesDeleted: 0,
};
