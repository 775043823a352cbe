import type { ContractMark } from '../../model/contract.ts';
import type { OpenApiSchema } from '../../model/openapi-schema.ts';
import type { OptionValue, ProtoSchema, SchemaOption } from '../../model/proto-schema.ts';

const longestSeen = 200;

/** Lines of a `.proto` file that say whom it is for: options whose name speaks of visibility or audience. */
export function marksOfProto({ options, services }: ProtoSchema): readonly ContractMark[] {
  const ofFile = options.flatMap(markOfOption);
  if (ofFile.length > 0 || services.length === 0) return ofFile;
  const ofServices = services.map(service => service.options.flatMap(markOfOption));
  // One service may be for others than its neighbours: of a file they speak when all of them speak.
  return ofServices.every(marks => marks.length > 0) ? ofServices.flat() : [];
}

function markOfOption({ name, value, line }: SchemaOption): readonly ContractMark[] {
  if (!/visibility|audience/i.test(name)) return [];
  const word = wordIn(value);
  const says = word === undefined ? undefined : audienceOf(word);
  return says === undefined ? [] : [{ kind: 'declared', says, line, seen: `${name} = ${word}`.slice(0, longestSeen) }];
}

/** The first word of a value, as `restriction: "INTERNAL"` has it. */
function wordIn(value: OptionValue): string | undefined {
  if (value.kind === 'string' || value.kind === 'word') return value.text;
  const inner = value.kind === 'message' ? value.entries.map(entry => entry.value) : value.values;
  return inner.map(one => (one.kind === 'string' || one.kind === 'word' ? one.text : undefined)).find(Boolean);
}

/** Words of audiences, Zalando's `x-audience` among them. */
function audienceOf(word: string): ContractMark['says'] | undefined {
  if (/\b(?:public|external|external-partner|external-public|partner)\b/i.test(word)) return 'public';
  return /internal|private|trusted/i.test(word) ? 'internal' : undefined;
}

/** Lines of an OpenAPI document that say whom it is for. */
export function marksOfOpenApi(schema: OpenApiSchema): readonly ContractMark[] {
  return [...declared(schema), ...ofTitle(schema), ...ofServers(schema)];
}

function declared({ marks }: OpenApiSchema): readonly ContractMark[] {
  return marks.flatMap(({ name, value, line }) => {
    const says = saidBy(name.toLowerCase(), value);
    const seen = `${name}: ${value}`.slice(0, longestSeen);
    return says === undefined ? [] : [{ kind: 'declared' as const, says, line, seen }];
  });
}

function saidBy(name: string, value: string): ContractMark['says'] | undefined {
  const isInverse = name === 'x-public';
  if (name !== 'x-internal' && name !== 'x-private' && !isInverse) return audienceOf(value);
  if (value !== 'true' && value !== 'false') return undefined;
  return (value === 'true') !== isInverse ? 'internal' : 'public';
}

function ofTitle({ title, titleLine }: OpenApiSchema): readonly ContractMark[] {
  const says = /\b(?:internal|private)\b/i.test(title) ? 'internal' : /\bpublic\b/i.test(title) ? 'public' : undefined;
  return says === undefined ? [] : [{ kind: 'title', says, line: titleLine, seen: title.slice(0, longestSeen) }];
}

/** One that everybody reaches makes it public; where all are known and nobody outside reaches them, it is internal. */
function ofServers({ servers }: OpenApiSchema): readonly ContractMark[] {
  const told = servers.map(server => ({ ...server, host: hostOf(server.url) })).filter(({ host }) => host !== '');
  const open = told.find(({ host }) => isPublicHost(host));
  const [first] = told;
  const isClosed = told.every(({ host }) => isPrivateHost(host));
  const mark = open ?? (isClosed ? first : undefined);
  if (mark === undefined) return [];
  const says = open === undefined ? 'internal' : 'public';
  return [{ kind: 'servers', says, line: mark.line, seen: mark.url.slice(0, longestSeen) }];
}

/** Without the port; '' for a path alone. */
function hostOf(url: string): string {
  const authority = /^(?:[a-zA-Z][\w+.-]*:)?\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)/.exec(url);
  return (authority?.[1] ?? '').toLowerCase();
}

function isPrivateHost(host: string): boolean {
  if (/^\[(?:::1|f[cd][0-9a-f]{2}:.*|fe80:.*)\]$/.test(host)) return true;
  if (/^(?:127|10|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254)\.[\d.]+$/.test(host) || host === '0.0.0.0') return true;
  if (host.startsWith('[') || host.includes('{')) return false;
  return !host.includes('.') || /\.(?:local|localhost|internal|intranet|corp|lan|home|svc|test|private)$/.test(host);
}

/** A name that everybody can look up; those that documents use as examples tell nothing. */
function isPublicHost(host: string): boolean {
  return !isPrivateHost(host) && !/[{[]/.test(host) && !/(?:^|\.)example(?:\.(?:com|org|net))?$/.test(host);
}
