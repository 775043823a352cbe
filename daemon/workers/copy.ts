import { workerData } from 'node:worker_threads';
import { copyDatabase } from '../jobs/copy-database.ts';

/** Entry of the copy worker: it copies `daemon.db` once. */
const { file } = workerData as { readonly file: string };
copyDatabase(file);
