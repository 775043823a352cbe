/** `36.2s`, `4m 10s`, `3h 2m`, `2d 5h`: a duration as people read it. */
export function durationText(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${Number(seconds.toPrecision(3))}s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${whole % 60}s`;
  const hours = Math.floor(whole / 3600);
  if (hours < 48) return `${hours}h ${Math.floor((whole % 3600) / 60)}m`;
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/** The same in whole seconds, as a clock shows what goes by. */
export function secondsText(ms: number): string {
  return durationText(Math.floor(Math.max(0, ms) / 1000) * 1000);
}
