import { gzipSync } from 'node:zlib';
import { documents, metadata } from '../daemon/jobs/uploads.ts';
import { encoded } from '../support/otlp.ts';
import { scipBytes } from '../support/scip.ts';

/** A body that an operation reads by itself. */
export interface SentBody {
  readonly what: string;
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** Whether it is taken where all else is right; `perhaps` of one that was changed by chance. */
  readonly isTaken: 'yes' | 'no' | 'perhaps';
}

interface Kind {
  /** Types of content, and a body of each that is sound. */
  readonly sound: readonly (readonly [type: string, bytes: Uint8Array])[];
  readonly unsound: readonly (readonly [what: string, type: string, bytes: Uint8Array | string, coding?: string])[];
  readonly takesGzip: boolean;
}

const octets = 'application/octet-stream';
const protobuf = 'application/x-protobuf';
const json = 'application/json';
const index = scipBytes({ metadata, documents });
const metrics = {
  resourceMetrics: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
      scopeMetrics: [
        {
          metrics: [
            {
              name: 'calls',
              sum: {
                aggregationTemporality: 1,
                isMonotonic: true,
                dataPoints: [
                  {
                    attributes: [{ key: 'code.function.name', value: { stringValue: 'beta' } }],
                    timeUnixNano: `${Date.now()}000000`,
                    asInt: '3',
                  },
                ],
              },
            },
          ],
        },
      ],
    },
  ],
};
const calls = { calls: [{ service_name: 'shop', function_name: 'beta', file_path: 'src/a.ts', call_count: 3 }] };
const asJson = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

const kinds: Readonly<Record<string, Kind>> = {
  indexServerUpload: {
    sound: [[octets, index]],
    takesGzip: true,
    unsound: [
      ['another type', json, index],
      ['a gzip file that is not called so', octets, gzipSync(index)],
      ['zstd that is none', octets, index, 'zstd'],
      ['two uploads', octets, Buffer.concat([index, Buffer.from('SCIP'), index])],
      ['tag 0', octets, Buffer.alloc(3)],
      ['a length past the end', octets, Buffer.from([0x0a, 0x7f, 0])],
      ['documents that lie outside', octets, scipBytes({ metadata, documents: [{ relativePath: '../x' }] })],
      ['no metadata', octets, scipBytes({ documents })],
    ],
  },
  telemetryIngestMetrics: {
    sound: [
      [protobuf, encoded('ExportMetricsServiceRequest', metrics)],
      [json, asJson(metrics)],
    ],
    takesGzip: true,
    unsound: [
      ['another type', 'text/plain', asJson(metrics)],
      // Not what was counted before, byte for byte: that comes again, whatever it is called.
      ['JSON that is called protobuf', protobuf, ` ${JSON.stringify(metrics)}`],
      ['protobuf that is called JSON', json, encoded('ExportMetricsServiceRequest', metrics).subarray(0, 50)],
      ['metrics that are no list', json, '{"resourceMetrics":7}'],
      ['100 brackets', json, '['.repeat(100)],
    ],
  },
  telemetryIngestCalls: {
    sound: [[json, asJson(calls)]],
    takesGzip: true,
    unsound: [
      ['another type', 'text/plain', asJson(calls)],
      ['a count below zero', json, asJson({ calls: [{ ...calls.calls[0], call_count: -1 }] })],
      ['a count and a half', json, asJson({ calls: [{ ...calls.calls[0], call_count: 1.5 }] })],
      ['calls that are no list', json, '{"calls":"x"}'],
      ['no calls', json, '{}'],
      ['a field twice', json, '{"calls":[],"calls":[]}'],
      ['__proto__', json, '{"calls":[],"__proto__":{"x":1}}'],
    ],
  },
  deltaValidate: {
    // Whatever is JSON is judged.
    sound: ['{}', '[]', 'null', '"x"', '{"delta_schema_version":1,"deltas":{"files":{"added":[{"path":"../x"}]}}}'].map(
      text => [json, Buffer.from(text)] as const,
    ),
    takesGzip: false,
    unsound: [
      ['another type', octets, '{}'],
      ['100 brackets', json, '['.repeat(100)],
    ],
  },
  deltaIngest: {
    sound: [],
    takesGzip: false,
    unsound: [
      ['another type', 'text/plain', '{}'],
      ...['{}', '[]', 'null', '"x"', '{"delta_schema_version":1}', '{"delta_schema_version":99,"deltas":{}}'].map(
        text => [text, json, text] as const,
      ),
      ['another base', json, '{"delta_schema_version":1,"base_snapshot_id":"sha256:0","deltas":{},"stats":{}}'],
    ],
  },
};

const noBodies: readonly (readonly [what: string, bytes: Uint8Array | string])[] = [
  ['nine bytes', 'no index!'],
  ['noise', Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 167 + 13) % 256))],
  ['an ELF file', Buffer.from('7f454c46020101000000000000000000', 'hex')],
  ['a varint without end', Buffer.alloc(11, 0xff)],
  ['JSON that ends early', '{"calls":['],
  ['what is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
];

/** What each of those operations is sent: sound, broken, cut off at each tenth, badly coded, and changed by chance. */
export function bodiesFor(operationId: string, random: () => number): readonly SentBody[] {
  const kind = kinds[operationId]!;
  const body = (what: string, type: string, bytes: Uint8Array | string, isTaken: SentBody['isTaken'], coding = '') => {
    const headers = { 'Content-Type': type, ...(coding === '' ? {} : { 'Content-Encoding': coding }) };
    return { what, bytes: Buffer.from(bytes as Uint8Array), isTaken, headers };
  };
  const usual = kind.sound[0]?.[0] ?? json;
  return [
    ...kind.sound.map(([type, bytes]) => body('sound', type, bytes, 'yes')),
    ...kind.unsound.map(([what, type, bytes, coding]) => body(what, type, bytes, 'no', coding)),
    ...noBodies.map(([what, bytes]) => body(what, usual, bytes, 'no')),
    ...kind.sound.flatMap(([type, bytes]) => [
      body('sound, in gzip', type, gzipSync(bytes), kind.takesGzip ? 'yes' : 'no', 'gzip'),
      body('half of a gzip file', type, gzipSync(bytes).subarray(0, 30), 'no', 'gzip'),
      body('called gzip and none', type, bytes, 'no', 'gzip'),
      body('in a coding that nobody has', type, bytes, 'no', 'rot13'),
      body('in two codings', type, gzipSync(gzipSync(bytes)), 'no', 'gzip, gzip'),
      ...Array.from({ length: 10 }, (_, tenth) =>
        body(`${tenth} tenths`, type, bytes.subarray(0, (bytes.length * tenth) / 10), 'perhaps'),
      ),
      ...Array.from({ length: 10 }, () => body('changed by chance', type, changed(bytes, random), 'perhaps')),
    ]),
  ];
}

function changed(bytes: Uint8Array, random: () => number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  for (let times = 0; times < 3; times++) copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
  return copy;
}
