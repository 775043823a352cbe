import { besieged } from '../fault/besieged.ts';
import { bench, benchArguments, milliseconds, say, spread } from './measure.ts';

/**
 * How a daemon tells its health while clients send all that is hostile, over HTTP and the socket, and a tree is indexed from
 * nothing: asked every 20 ms.
 *
 *   node dist/test/bench/siege.js [--files 10000] [--symbols 100000] [--clients 8]
 */
const { flag } = benchArguments();

await bench(async cleanup => {
  const siege = { files: flag('files', 10_000), symbols: flag('symbols', 100_000), clients: flag('clients', 8) };
  const { times, longestHeldMs, grownMb } = await besieged(cleanup, siege);
  say('health meanwhile', spread(times));
  say('computed before an answer, at most', milliseconds(longestHeldMs));
  say('memory above what it was', `${Math.round(grownMb)} MB`);
});
