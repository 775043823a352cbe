import { readFileSync } from 'node:fs';
import { Fault } from '../client/protocol/faults.ts';
import type { OperationName } from '../client/protocol/registry.ts';
import { givenFile, passingFile } from './given-file.ts';
import { writeAnswer, writeTold } from './render.ts';
import { pathArgument } from './repository.ts';
import type { Session } from './session.ts';
import { safe } from './terminal.ts';
import { standard, textOf } from './text-file.ts';

/** More than any daemon takes in as a default. */
const mostBytes = 512 * 1024 * 1024;

/** The daemon on this machine reads and writes the artifact's file itself; one elsewhere is sent its text. */
export async function artifactFields(session: Session, fields: Fields): Promise<Record<string, unknown>> {
  const { file, output, ...rest } = fields;
  if (typeof output === 'string') {
    return { ...rest, output: output === standard ? passingFile() : pathArgument(session.directory, output) };
  }
  if (typeof file !== 'string') return { ...fields };
  return { ...rest, ...(await givenFile(session, file, { as: 'artifact', mostBytes })) };
}

/** Writes an answer about an artifact: one that was built for standard output comes there first, and the answer beside it. */
export function writeDeltaAnswer(session: Session, name: OperationName, given: Fields, answer: unknown) {
  const { terminal, format } = session;
  if (name === 'delta.build' && given['output'] === standard) {
    const built = answer as { readonly path: string };
    terminal.out(readFileSync(built.path, 'utf8'));
    writeAnswer({ ...terminal, out: terminal.err }, format, name, { ...built, path: standard });
    return;
  }
  writeAnswer(terminal, format, name, answer);
}

type Fields = Readonly<Record<string, unknown>>;

/** Tells what an artifact says of itself; nobody is asked whether it is true. */
export async function inspectArtifact(session: Session, file: string): Promise<void> {
  const artifact = objectIn(await textOf(session, file, mostBytes));
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
