import type { DaemonEvent } from '../../client/protocol/caller.ts';
import type { Observation, Observe } from '../events.ts';

/** Observations that clients may follow, numbered; the last of them are remembered for those who were cut off. */
export interface EventHub {
  readonly observe: Observe;
  subscribe(listener: (event: DaemonEvent) => void, after?: number): () => void;
  subscriberCount(): number;
}

export function createEventHub(remembered = 1000): EventHub {
  const listeners = new Set<(event: DaemonEvent) => void>();
  let events: DaemonEvent[] = [];
  let last = 0;
  return {
    observe(observation) {
      const body = publicBody(observation);
      if (body === undefined) return;
      const event = { id: ++last, type: observation.kind, body };
      events.push(event);
      if (events.length >= 2 * remembered) events = events.slice(-remembered);
      for (const listener of listeners) listener(event);
    },
    subscribe(listener, after) {
      if (after !== undefined) for (const event of events) if (event.id > after) listener(event);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    subscriberCount: () => listeners.size,
  };
}

/** What of an observation is told outside; undefined for what is the daemon's own business. */
function publicBody(observation: Observation): Readonly<Record<string, unknown>> | undefined {
  switch (observation.kind) {
    case 'snapshot.published': {
      const { repo, seq, snapshotId, symbolCount, fileCount, type } = observation;
      return { repo, seq, snapshotId, symbolCount, fileCount, type };
    }
    case 'job.changed': {
      const { kind: _, ...job } = observation;
      return job;
    }
    case 'watch.recrawl':
      return { repo: observation.repo, reason: observation.reason, freshInstance: true };
    case 'daemon.draining':
      return { cause: observation.cause, exitCode: observation.exitCode };
    case 'repository.changed':
      return { repo: observation.repo, change: observation.change };
    case 'listener.opened':
    case 'listener.closed':
      return { host: observation.host, port: observation.port };
    case 'listener.failed':
      return { host: observation.host, port: observation.port, message: observation.message };
    case 'daemon.started':
    case 'daemon.moved':
    case 'daemon.stopped':
    case 'daemon.fault':
    case 'indexer.failed':
    case 'connection.refused':
    case 'request.finished':
    case 'http.answered':
    case 'key.changed':
    case 'search.answered':
    case 'snapshot.renewed':
    case 'watch.warning':
    case 'index.corrupt':
    case 'telemetry.dropped':
    case 'input.quarantined':
      return undefined;
  }
}
