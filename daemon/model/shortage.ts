/** Whether the system had no descriptor or memory to give: then nothing was learnt of what was looked at. */
export function isShortage(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return code === 'EMFILE' || code === 'ENFILE' || code === 'ENOMEM';
}
