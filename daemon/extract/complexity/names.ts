/** A key without its quotes. */
export function unquoted(key: string): string {
  const quote = key[0];
  return (quote === '"' || quote === "'") && key.length > 1 && key.endsWith(quote) ? key.slice(1, -1) : key;
}
