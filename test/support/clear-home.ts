import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { type Places, readDaemonRecord } from '../../client/paths.ts';

/** Removes a home once nobody is left who might write into it: what still runs there is killed, and its end awaited. */
export async function clearHome(path: string, places?: Places): Promise<void> {
  let alive = processesIn(path, places);
  while (alive.length > 0) {
    for (const pid of alive) kill(pid);
    await new Promise(resolve => setTimeout(resolve, 5));
    // Anew each time: who is killed may just have started another.
    alive = processesIn(path, places);
  }
  rmSync(path, { recursive: true, force: true });
}

/**
 * Processes whose environment names the home or a place in it: daemons that start, lead or leave, and the programs that
 * they run, which outlive them; without `/proc` the one that leads.
 */
function processesIn(path: string, places: Places | undefined): readonly number[] {
  const running = listed('/proc').map(Number).filter(Number.isInteger);
  if (running.length > 0) return running.filter(pid => pid !== process.pid && environmentOf(pid).includes(path));
  return places === undefined ? [] : leaderIn(places);
}

function leaderIn(places: Places): readonly number[] {
  try {
    const pid = readDaemonRecord(places)?.pid;
    return pid === undefined || pid === process.pid ? [] : [pid];
  } catch {
    return [];
  }
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1');
  } catch {
    return '';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It was faster.
  }
}
