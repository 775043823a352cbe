/** So long answers about history wait for what git has to say first: by whom asked to wait, and by all others. */
const patience = { syncedMs: 8000, usualMs: 1000 } as const;
/** Who asks about a comparison of more files waits only with `sync`: git takes some hundredths of a second for each. */
const fewFiles = 10;

/** How long to wait, milliseconds. `files`: of a comparison, 0 of what is about none. */
export function patienceFor(isSynced: boolean, files: number): number {
  if (isSynced) return patience.syncedMs;
  return files <= fewFiles ? patience.usualMs : 0;
}
