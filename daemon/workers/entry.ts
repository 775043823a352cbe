/** The file that a worker of ours runs. */
export function entryOf(
  worker:
    | 'compare'
    | 'copy'
    | 'extract'
    | 'federation'
    | 'history'
    | 'hosted'
    | 'link'
    | 'read'
    | 'telemetry'
    | 'watch'
    | 'write',
): URL {
  return new URL(`./${worker}.js`, import.meta.url);
}
