import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { factsFormat } from '../model/facts-format.ts';
import { packageRoot } from '../package-root.ts';
import { type FileKind, storedVersionOf } from './connection.ts';
import { magic as linksMagic } from './link-format.ts';
import { magic as preciseMagic } from './precise-body.ts';
import { StoreError } from './store-faults.ts';

/** 'svcX': index files. */
const applicationId = 0x73766358;

/** What an index file is made of, each under a number that only ever rises: its tables, and the buffers that lie in them. */
export const formats = {
  tables: 17,
  facts: factsFormat,
  links: linksMagic & 0xff,
  precise: preciseMagic & 0xff,
} as const;

/** Rises with each of them, so that a file whose buffers can't be read any more is known by its version, before one is met. */
export function schemaVersionOf(numbers: Readonly<Record<keyof typeof formats, number>>): number {
  return Object.values(numbers).reduce((sum, number) => sum + number, 0);
}

/** The statements that make its tables. */
export function indexSchema(): string {
  return readFileSync(join(packageRoot, 'daemon/store/schema.sql'), 'utf8');
}

/** An index file can be computed again, so an older schema counts as damage: the caller rebuilds. */
export function indexFile(newEpoch: () => string): FileKind {
  return {
    applicationId,
    schemaVersion: schemaVersionOf(formats),
    upgrade: (connection, from) => {
      if (from !== 0) throw new StoreError('corrupt', `schema ${from} is of an older version`);
      connection.exec(indexSchema());
      connection.prepare(`INSERT INTO meta (name, value) VALUES ('epoch', ?)`).run(newEpoch());
    },
  };
}

/** The version of the files that this program writes. */
export const wantedSchema = schemaVersionOf(formats);

/** That of a file; undefined where there is none, or nothing in it yet. Throws `StoreError` for what is no index. */
export function storedSchemaOf(file: string): number | undefined {
  return storedVersionOf(file, applicationId);
}
