import { hash } from 'node:crypto';
import { type SchemaIn, schemaIn } from '../../extract/api-contract/schema-in.ts';
import { keepNewest } from '../../model/keep-newest.ts';

/** Of `.proto` files that are no longer than this, so many are remembered as they were read. */
const remembered = { bytes: 16 * 1024, files: 512 } as const;
const known = new Map<string, SchemaIn | undefined>();

/** As `schemaIn`: of two revisions most files are the same, and of two questions too. */
export function knownSchema(path: string, bytes: Uint8Array): SchemaIn | undefined {
  if (!path.endsWith('.proto') || bytes.length > remembered.bytes) return schemaIn(path, bytes);
  const key = `${path} ${hash('sha256', bytes, 'base64')}`;
  const schema = known.has(key) ? known.get(key) : schemaIn(path, bytes);
  return keepNewest(known, key, schema, remembered.files);
}
