import { workerData } from 'node:worker_threads';
import { copyDaemonFile, openBeside } from '../store/daemon-file.ts';

/** Entry of the copy worker: it copies `daemon.db` once. The main thread, which may have to copy at its end, gives its copy another name. */
const { file } = workerData as { readonly file: string };
const sql = openBeside(file);
try {
  copyDaemonFile(file, sql, '.aside');
} finally {
  sql.close();
}
