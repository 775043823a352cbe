import { readFileSync, statSync } from 'node:fs';
import { Fault, invalid } from '../client/protocol/faults.ts';
import { writeTold } from './render.ts';
import { pathArgument } from './repository.ts';
import { isOverHttp, type Session } from './session.ts';
import { safe } from './terminal.ts';

/** More than any daemon takes in as a default. */
const mostBytes = 512 * 1024 * 1024;

/** The daemon on this machine reads the artifact's file itself; one elsewhere is sent its text. */
export function artifactFields(session: Session, fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const placed = { ...fields };
  for (const name of ['file', 'output']) {
    const path = fields[name];
    if (typeof path === 'string') placed[name] = pathArgument(session.directory, path);
  }
  if (typeof placed['file'] !== 'string' || !isOverHttp(session)) return placed;
  const { file, ...rest } = placed;
  return { ...rest, artifact: textOf(file as string) };
}

/** Tells what an artifact says of itself; nobody is asked whether it is true. */
export async function inspectArtifact(session: Session, file: string): Promise<void> {
  const artifact = objectIn(textOf(pathArgument(session.directory, file)));
  await refuseOther(artifact);
  const { files, symbols, refs, callgraph } = artifact['deltas'] as Lists;
  const told = {
    schemaVersion: artifact['delta_schema_version'] ?? null,
    baseSnapshotId: artifact['base_snapshot_id'] ?? null,
    newSnapshotId: artifact['new_snapshot_id'] ?? null,
    baseCommit: artifact['base_commit'] ?? null,
    commit: artifact['commit'] ?? null,
    repo: artifact['repo'] ?? null,
    files: countsOf(files),
    symbols: countsOf(symbols),
    refs: countsOf(refs),
    callEdges: countsOf(callgraph),
    facts: Object.keys((artifact['facts'] ?? {}) as object).length,
    stats: artifact['stats'] ?? null,
  };
  const words = Object.entries(told).map(([name, value]) => `${name.padEnd(16)}${safe(wordsOf(value))}\n`);
  writeTold(session, told, words.join(''));
}

type Lists = Readonly<Record<'files' | 'symbols' | 'refs' | 'callgraph', Readonly<Record<string, unknown>>>>;

/** What is there may be wrong, and is shown as it stands; what lacks a part that every artifact has is something else. */
async function refuseOther(artifact: Readonly<Record<string, unknown>>): Promise<void> {
  const { DeltaArtifact } = await import('../client/protocol/delta.ts');
  const missing = missingFrom(artifact, DeltaArtifact, '');
  if (missing.length === 0) return;
  throw new Fault('invalidBody', `The file holds no delta artifact: it has no ${missing.join(', ')}`, {
    details: { missing },
  });
}

/** The required parts that are not there, as dotted paths. */
function missingFrom(value: unknown, schema: Schema, path: string): readonly string[] {
  const { properties = {}, required = [] } = schema;
  if (schema.type !== 'object') return value === undefined ? [path] : [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [path];
  return required.flatMap(name => {
    const part = (value as Readonly<Record<string, unknown>>)[name];
    return missingFrom(part, properties[name]!, path === '' ? name : `${path}.${name}`);
  });
}

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

function countsOf(lists: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> {
  const entries = Object.entries(lists).map(([name, list]) => [name, Array.isArray(list) ? list.length : 0]);
  return Object.fromEntries(entries) as Record<string, number>;
}

function wordsOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '');
  return Object.entries(value)
    .map(([name, count]) => `${String(count)} ${name}`)
    .join(', ');
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {}
  throw new Fault('invalidBody', 'The file holds no JSON object');
}

function textOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) throw new Fault('fileNotFound', 'There is no such file');
  if (!stat.isFile()) throw invalid('invalidParameter', [{ path: 'file', message: 'is no regular file' }]);
  if (stat.size > mostBytes) throw new Fault('tooLarge', `The file is over ${mostBytes} bytes`);
  return readFileSync(file, 'utf8');
}
