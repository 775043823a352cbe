import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../package-root.ts';
import type { FileKind } from './connection.ts';
import { StoreError } from './store-faults.ts';

/** 'svcX': index files. */
const applicationId = 0x73766358;
const schemaVersion = 15;

/** An index file can be computed again, so an older schema counts as damage: the caller rebuilds. */
export function indexFile(newEpoch: () => string): FileKind {
  return {
    applicationId,
    schemaVersion,
    upgrade: (connection, from) => {
      if (from !== 0) throw new StoreError('corrupt', `schema ${from} is of an older version`);
      connection.exec(readFileSync(join(packageRoot, 'daemon/store/schema.sql'), 'utf8'));
      connection.prepare(`INSERT INTO meta (name, value) VALUES ('epoch', ?)`).run(newEpoch());
    },
  };
}
