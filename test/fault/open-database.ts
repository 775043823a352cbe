import { openDaemonDatabase } from '../../daemon/store/daemon-db.ts';

/**
 * Opens a `daemon.db`, gives a key another secret where one is named, and leaves: a process that a test may kill on the way.
 *
 *   node open-database.js <file> [<id of a key> <digest of the new secret, hex>]
 */
const [file = '', key = '', digest = ''] = process.argv.slice(2);
const database = openDaemonDatabase(file);
if (key !== '') database.rotateKey(key, { prefix: 'new', digest: Buffer.from(digest, 'hex') }, 2000);
database.close();
