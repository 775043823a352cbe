import { closeSync, constants, createReadStream, fstatSync, openSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { Readable } from 'node:stream';
import { Fault, invalid } from '../../client/protocol/faults.ts';
import { encodedExportResponse, exportResponse, otlpMedia } from '../../client/protocol/otlp-answers.ts';
import { bodyCodingOf } from '../jobs/telemetry/body-coding.ts';
import { encodedAnswer, type Handlers, type RequestContext } from './handler.ts';
import { BodyRoom, type CollectOptions, withBody } from './telemetry/collect-body.ts';
import type { TelemetryIntake } from './telemetry/intake.ts';

export type TelemetryIntakeHandlers = Pick<Handlers, 'telemetry.ingestMetrics' | 'telemetry.ingestCalls'>;

export interface TelemetryIntakeOptions {
  readonly telemetry: TelemetryIntake;
  /** Of a body, as it comes and inflated. */
  readonly telemetryBytes: () => number;
}

/** Brings what production tells of calls to whoever takes it in; of the bodies nothing is looked at here. */
export function telemetryIntakeHandlers({
  telemetry,
  telemetryBytes,
}: TelemetryIntakeOptions): TelemetryIntakeHandlers {
  const room = new BodyRoom();
  const collecting = (length: number | undefined, { signal }: RequestContext): CollectOptions => ({
    mostBytes: telemetryBytes(),
    toldBytes: length ?? 0,
    room,
    signal,
  });
  return {
    'telemetry.ingestMetrics': async ({ body, media, encoding, length }, context) => {
      const coding = bodyCodingOf(encoding);
      const repo = repoOf(context);
      if (!(body instanceof Readable)) throw noBody();
      const isProtobuf = media === otlpMedia.protobuf;
      const format = isProtobuf ? 'protobuf' : 'json';
      const told = await withBody(body, collecting(length, context), bytes =>
        telemetry.metrics({ bytes, format, coding, repo }, context.signal),
      );
      return isProtobuf ? encodedAnswer(encodedExportResponse(told)) : exportResponse(told);
    },
    'telemetry.ingestCalls': async ({ key, encoding, length, ...given }, context) => {
      const coding = bodyCodingOf(encoding);
      const repo = repoOf(context);
      const { stream, bytes: told } = givenCalls(given);
      const taken = await withBody(stream, collecting(length ?? told, context), bytes =>
        telemetry.calls({ bytes, coding, repo, key }, context.signal),
      ).finally(() => {
        if (stream !== given.body) stream.destroy();
      });
      const { eventsReceived, eventsMatched, eventsUnmatched, eventsRejected, isRepeated, areLookedUp } = taken;
      return {
        status: 'success' as const,
        ...{ eventsReceived, eventsMatched, eventsUnmatched },
        ...(eventsRejected > 0 ? { eventsRejected } : {}),
        ...(isRepeated ? { duplicate: true as const } : {}),
        ...(areLookedUp ? {} : { warnings: [notLookedUp] }),
        timestamp: context.now.toISOString(),
      };
    },
  };
}

const notLookedUp = {
  code: 'PARTIAL_RESULT',
  backend: 'tree-sitter',
  message: 'All were counted, but not all could be looked up: some that are listed as unmatched may be matched',
};

/** Where services are looked for that nobody mapped. One that is named must be there; without a name there may be none. */
function repoOf(context: RequestContext): string | undefined {
  const { withoutRepository } = context;
  if (withoutRepository === undefined) return context.repository.id;
  const { named } = withoutRepository;
  if (named === undefined) return undefined;
  throw new Fault('resourceNotFound', `No repository is registered at ${named}`, { details: { repo: named } });
}

interface GivenCalls {
  readonly body?: unknown;
  readonly file?: string | undefined;
  readonly calls?: unknown;
  readonly timestamp?: unknown;
  readonly batch_id?: unknown;
}

/** Over HTTP it is the body. Who calls over the socket gives its text, the fields of the body as they are, or a file. */
function givenCalls({ body, file, calls, timestamp, batch_id }: GivenCalls): {
  readonly stream: Readable;
  readonly bytes: number | undefined;
} {
  if ([body, file, calls].filter(one => one !== undefined).length > 1) {
    throw invalid('invalidBody', [{ path: 'body', message: 'either it, calls or a file is to be given' }]);
  }
  if (file !== undefined) return callsFile(file);
  const text = calls === undefined ? body : JSON.stringify({ calls, timestamp, batch_id });
  if (text instanceof Readable) return { stream: text, bytes: undefined };
  if (typeof text === 'string') return { stream: Readable.from([Buffer.from(text)]), bytes: undefined };
  throw invalid('invalidBody', [{ path: 'body', message: 'must be JSON text' }]);
}

/** Nobody waits for what is behind a name that is no file. */
function callsFile(file: string): { readonly stream: Readable; readonly bytes: number } {
  const refused = (message: string) => invalid('invalidParameter', [{ path: 'file', message }]);
  if (!isAbsolute(file)) throw refused('must be an absolute path');
  let descriptor: number;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    throw refused('can’t be opened');
  }
  const stat = fstatSync(descriptor);
  if (stat.isFile()) return { stream: createReadStream('', { fd: descriptor }), bytes: stat.size };
  closeSync(descriptor);
  throw refused('is no regular file');
}

function noBody(): Fault {
  return new Fault('preconditionFailed', 'Metrics come over HTTP, as the body of their request', {
    details: { reason: 'no_body' },
  });
}
