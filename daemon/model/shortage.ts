/** Whether the system had no descriptor or memory to give: then nothing was learnt of what was looked at. */
export function isShortage(error: unknown): boolean {
  return isOutOfDescriptors(error) || codeOf(error) === 'ENOMEM';
}

export function isOutOfDescriptors(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'EMFILE' || code === 'ENFILE';
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
