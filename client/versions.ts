/** Those of one major version understand each other. */
export function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}

/** Whether version `a` comes after `b`, by major, minor and patch. */
export function isNewer(a: string, b: string): boolean {
  const [left, right] = [a, b].map(version => version.split(/[.+-]/, 3).map(part => Number.parseInt(part, 10) || 0));
  for (let index = 0; index < 3; index++) {
    const difference = (left?.[index] ?? 0) - (right?.[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return false;
}
