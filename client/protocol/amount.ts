/** `1 file`, `2 files`; where more changes than the ending, `many` says how. */
export function amount(count: number, one: string, many = `${one}s`): string {
  return `${count} ${agreeing(count, one, many)}`;
}

/** The word that goes with so many: `agreeing(count, 'is', 'are')`. */
export function agreeing(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}
