import { amount } from '../../../client/protocol/amount.ts';
import { type Finding, fix } from '../finding.ts';
import { droppedTold } from '../telemetry/dropped.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

/** Whether calls come in and there is room for them, and whether each service's are somebody's. */
export function telemetryCheck(
  telemetry: Pick<Telemetry, 'isEnabled' | 'services' | 'strayEntries' | 'dropped'>,
): Finding {
  const check = 'telemetry';
  if (!telemetry.isEnabled) return { check, status: 'info', message: 'turned off: telemetry.enabled' };
  const stray = telemetry.strayEntries().map(({ name, repo }) => `${name} to ${repo}`);
  if (stray.length > 0) {
    const message = `the configuration maps services to repositories that are not registered: ${stray.join(', ')}`;
    return { check, status: 'warn', message, fixes: [fix('svc repo list', 'Show which repositories are registered')] };
  }
  const dropped = droppedTold(telemetry.dropped());
  if (dropped.length > 0) {
    const fixes = [fix('svc telemetry unmapped', 'Show which services are of no known repository')];
    return { check, status: 'warn', message: dropped.join('; '), fixes };
  }
  const services = telemetry.services();
  const lost = services.filter(({ mapped }) => mapped === undefined);
  if (lost.length > 0) {
    return {
      check,
      status: 'warn',
      message: `${amount(lost.length, 'service')} of no known repository: ${lost
        .slice(0, 5)
        .map(({ name }) => name)
        .join(', ')}`,
      fixes: [fix('svc telemetry unmapped', 'Show where they would match')],
    };
  }
  return services.length === 0
    ? { check, status: 'info', message: 'nothing has been reported yet' }
    : { check, status: 'pass', message: `${amount(services.length, 'service')} reported calls` };
}
