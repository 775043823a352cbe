import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readDaemonRecord } from '../../client/paths.ts';
import { httpRequest, openHttpWire, type WireClient } from '../bench/wire.ts';
import { type TestDaemon, until } from '../support/daemon.ts';

/** What was seen of a daemon while it was watched. */
export interface Seen {
  /** Answers of `/health`: as many as there were, each was 200. */
  readonly answers: number;
  /** Milliseconds from each question to its answer. */
  readonly times: readonly number[];
  /**
   * The longest that the main thread computed while somebody waited for `/health`, in milliseconds of CPU. A busy machine makes
   * answers late and leaves this as it is; whoever holds the event loop shows in it.
   */
  readonly longestHeldMs: number;
  /** How far resident memory rose above what it was when the watch began, at its highest, in MB. */
  readonly grownMb: number;
}

export interface Watch {
  end(): Promise<Seen>;
}

/** Where HTTP is answered, and the token that opens it. */
export interface Door {
  readonly url: string;
  readonly token: string;
}

export async function doorOf({ home, record }: TestDaemon): Promise<Door> {
  await until('HTTP listens', () => typeof readDaemonRecord(home.places)?.url === 'string');
  return { url: readDaemonRecord(home.places)!.url!, token: readFileSync(record.tokenFile, 'utf8').trim() };
}

const betweenMs = 20;

/** Asks a daemon for its health every 20 ms, or as soon as the answer before is there. */
export async function watchLoop(pid: number, { url, token }: Door): Promise<Watch> {
  const wire = await openHttpWire(url);
  const question = httpRequest(url, token, '/health');
  const beforeMb = residentMb(pid, 'VmRSS');
  forgetPeak(pid);
  const times: number[] = [];
  let longestHeldMs = 0;
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const computedMs = mainThreadMs(pid);
      const ms = await health(wire, question);
      times.push(ms);
      longestHeldMs = Math.max(longestHeldMs, mainThreadMs(pid) - computedMs);
      await new Promise(resolve => setTimeout(resolve, Math.max(0, betweenMs - ms)));
    }
  })();
  // Whoever ends the watch is told.
  asking.catch(() => {});
  return {
    async end() {
      isOver = true;
      await asking;
      wire.close();
      const grownMb = residentMb(pid, 'VmHWM') - beforeMb;
      return { answers: times.length, times, longestHeldMs, grownMb };
    },
  };
}

async function health(wire: WireClient, question: Buffer): Promise<number> {
  const askedMs = performance.now();
  const answer = await wire.ask(question);
  if (!answer.toString('latin1', 0, 12).endsWith('200')) throw new Error(answer.toString());
  return performance.now() - askedMs;
}

/** Whether the kernel counts what one thread has computed. */
export const countsThreads = existsSync(`/proc/${process.pid}/task/${process.pid}/schedstat`);

/** What the main thread of a process has computed so far, as the kernel counts it: its id is the process's. */
export function mainThreadMs(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

export function residentMb(pid: number, key: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(status)![1]) / 1024;
}

/** The highest that a process ever was is counted anew from here. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}
