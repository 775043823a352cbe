import type { Progress } from '../client/protocol/caller.ts';
import { safe, type Terminal } from './terminal.ts';

/** Progress for people, on stderr: one line that changes on a terminal, elsewhere a line for each phase. */
export interface ProgressLine {
  show(progress: Progress): void;
  clear(): void;
}

export function progressLine(terminal: Terminal): ProgressLine {
  let phase = '';
  let isShown = false;
  return {
    show({ message: told, fraction }) {
      const message = phases[told] ?? told;
      const percent = fraction === undefined ? '' : ` ${Math.floor(fraction * 100)} %`;
      if (terminal.isLive) {
        terminal.err(`\r\x1b[K${safe(message)}${percent}`);
        isShown = true;
        return;
      }
      // The numbers of a phase change all the time; its words don't.
      const words = message.replace(/\d+/g, '');
      if (words !== phase) terminal.err(`${safe(message)}\n`);
      phase = words;
    },
    clear() {
      if (isShown) terminal.err('\r\x1b[K');
      isShown = false;
    },
  };
}

/** The phases of an index run, in words. */
const phases: Readonly<Record<string, string>> = {
  queued: 'Waiting for its turn',
  running: 'Starting',
  discover: 'Listing files',
  hash: 'Reading files',
  extract: 'Parsing',
  link: 'Linking references',
  scip: 'Taking in the SCIP index',
  publish: 'Publishing',
};
