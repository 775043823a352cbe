/** `1 file`, `2 files`; where more changes than the ending, `many` says how. */
export function amount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
