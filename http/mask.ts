/** A path or query as it may be logged: token-shaped runs and the values of secret-named keys are struck out. */
export function maskSecrets(text: string): string {
  if (text === '') return text;
  return text
    .replace(/((?:^|[?&])[^=&]*(?:token|secret|password|passwd|api[_-]?key|authorization)[^=&]*=)[^&]*/gi, '$1***')
    .replace(/[\w-]{40,}/g, '***');
}
