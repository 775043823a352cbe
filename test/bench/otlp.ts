import { readMetrics } from '../../daemon/extract/otlp/read-metrics.ts';
import { encodedMetrics, pointOf, requestOf, sumOf } from '../support/otlp.ts';
import { bench, benchArguments, median, milliseconds, say, timed } from './measure.ts';

/**
 * What reading a batch of metrics costs, as protocol buffers and as JSON.
 *
 *   node dist/test/bench/otlp.js [--points 100000] [--functions 10000] [--runs 7]
 *
 * With as many functions as points no two points share their attributes.
 */
const { flag } = benchArguments();

await bench(async () => {
  const points = flag('points', 100_000);
  const functions = flag('functions', 10_000);
  const bodies = bodiesOf(points, functions);
  for (const format of ['protobuf', 'json'] as const) {
    const times: number[] = [];
    const processorTimes: number[] = [];
    let taken = 0;
    for (let run = flag('runs', 7); run > 0; run--) {
      const before = process.cpuUsage();
      const { value, ms } = await timed(async () => readMetrics(bodies[format], format, () => {}));
      taken = value.taken;
      times.push(ms);
      const { user, system } = process.cpuUsage(before);
      processorTimes.push((user + system) / 1000);
    }
    const bytes = bodies[format].length;
    say(
      `${format}: ${taken} points of ${functions} functions in ${bytes} bytes: ${milliseconds(times[0]!)} cold, ${milliseconds(median(times))} median of ${times.length}, CPU ${milliseconds(median(processorTimes))}`,
    );
  }
});

/** What they are made of is gone by the time that they are read, as it is where they come from elsewhere. */
function bodiesOf(points: number, functions: number) {
  const dataPoints = Array.from({ length: points }, (_, at) => pointOf(attributesOf(at % functions), at % 1000));
  const request = requestOf(sumOf('function.calls', dataPoints));
  return { protobuf: encodedMetrics(request), json: new Uint8Array(Buffer.from(JSON.stringify(request))) };
}

function attributesOf(number: number): Parameters<typeof pointOf>[0] {
  return {
    'code.function.name': `Class${number % 100}.method${number}`,
    'code.file.path': `/srv/app/src/module${number % 500}/file.ts`,
    'code.line.number': (number % 900) + 1,
    'error.type': number % 7 === 0 ? 'TypeError' : '',
  };
}
