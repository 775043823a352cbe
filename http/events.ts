import type { ServerResponse } from 'node:http';
import type { Daemon, DaemonEvent } from '../client/protocol/caller.ts';

export interface StreamOptions {
  readonly daemon: Daemon;
  /** The header Last-Event-ID: events that are still remembered and came later are sent first. */
  readonly lastEventId: string | undefined;
  readonly heartbeatMs: number;
}

/** A reader this far behind reads too slowly to be worth remembering for. */
const mostUnreadBytes = 1024 * 1024;

/**
 * Sends the daemon's events until the client goes away or the returned function is called. A comment every
 * `heartbeatMs` keeps proxies from closing a quiet stream and finds clients that are gone.
 */
export function streamEvents(response: ServerResponse, options: StreamOptions): () => void {
  const write = (text: string) => {
    if (response.writableLength > mostUnreadBytes) response.destroy();
    else response.write(text);
  };
  write('retry: 1000\n\n');
  const after = /^\d{1,15}$/.test(options.lastEventId ?? '') ? Number(options.lastEventId) : undefined;
  const unsubscribe = options.daemon.subscribe(event => write(encodeEvent(event)), after);
  const heartbeat = setInterval(() => write(': \n\n'), options.heartbeatMs);
  heartbeat.unref();
  const stop = () => {
    unsubscribe();
    clearInterval(heartbeat);
    response.end();
  };
  response.once('close', stop);
  return stop;
}

/** Event types are words of ours; JSON holds no raw line break, so neither field can end early. */
function encodeEvent({ id, type, body }: DaemonEvent): string {
  return `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(body)}\n\n`;
}
