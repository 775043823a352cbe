/** Calls a day that are as many as counts. */
const manyCalls = 100_000;

/** How much a function or file is called, by the logarithm of its calls a day: 0 for none, 1 for many, and above. */
export function callVolume(callsADay: number): number {
  return Math.log10(1 + callsADay) / Math.log10(1 + manyCalls);
}
