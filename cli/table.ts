import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FaultReason } from '../client/protocol/faults.ts';
import type { CliBinding, Formats, HttpBinding } from '../client/protocol/operation.ts';
import type { OperationName } from '../client/protocol/registry.ts';

/** An input field as its JSON schema describes it; only what a command line needs. */
export interface FieldSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: FieldSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly description?: string;
}

/** One operation of the registry as the command line sees it: plain JSON, so that it can be read without the schema library. */
export interface TableEntry {
  readonly name: OperationName;
  readonly summary: string;
  readonly http?: Pick<HttpBinding, 'method' | 'path'>;
  readonly cli?: CliBinding;
  readonly input: { readonly required?: readonly string[]; readonly properties: Readonly<Record<string, FieldSchema>> };
  readonly effect: 'read' | 'write';
  readonly scope: 'public' | 'daemon' | 'repository';
  readonly faults: readonly FaultReason[];
  readonly formats?: Formats;
}

/**
 * The registry as plain JSON. The build leaves a copy beside this file (`finish-build.ts`), for the schema library alone takes
 * longer to load than a whole query takes; without a fresh copy the registry itself is loaded.
 */
export async function loadTable(): Promise<readonly TableEntry[]> {
  const copy = freshCopy();
  return copy === undefined ? tableOfRegistry() : (JSON.parse(copy) as readonly TableEntry[]);
}

export const copyFile: string = fileURLToPath(new URL('./operations.json', import.meta.url));

function freshCopy(): string | undefined {
  try {
    const { mtimeMs } = statSync(copyFile);
    const protocol = fileURLToPath(new URL('../client/protocol/', import.meta.url));
    const isFresh = readdirSync(protocol).every(file => statSync(protocol + file).mtimeMs <= mtimeMs);
    return isFresh ? readFileSync(copyFile, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

/** The table made anew. Input schemas are plain JSON; outputs stay behind. */
export async function tableOfRegistry(): Promise<readonly TableEntry[]> {
  const { operations, operationNames } = await import('../client/protocol/registry.ts');
  const entries = operationNames.map(name => {
    const {
      summary,
      http,
      cli,
      input,
      effect,
      scope,
      faults,
      formats,
    }: (typeof operations)[OperationName] & {
      readonly http?: TableEntry['http'];
      readonly cli?: TableEntry['cli'];
      readonly formats?: TableEntry['formats'];
    } = operations[name];
    const asked = http === undefined ? undefined : { method: http.method, path: http.path };
    return { name, summary, http: asked, cli, input, effect, scope, faults, formats };
  });
  return JSON.parse(JSON.stringify(entries)) as readonly TableEntry[];
}
