import { copyDaemonFile, openBeside } from '../store/daemon-file.ts';

/** Copies a `daemon.db` that is open elsewhere. Whoever has it open may have to copy it at its end, under another name. */
export function copyDatabase(file: string): void {
  const sql = openBeside(file);
  try {
    copyDaemonFile(file, sql, '.aside');
  } finally {
    sql.close();
  }
}
