import type { RepositoryNaming, Request } from '../client/protocol/caller.ts';
import { decodeText } from '../client/protocol/decode-text.ts';
import { expectation } from '../client/protocol/expectation.ts';
import { invalid, type Problem } from '../client/protocol/faults.ts';
import { mediaTypeOf } from './answer.ts';
import { acceptableMedia } from './negotiate.ts';
import type { Route } from './routes.ts';

/** The parts of an HTTP request that carry input, as they came. */
export interface Asked {
  readonly route: Route;
  /** What the path template's fields stand for, still percent-encoded (soundly: admission looked), in the template's order. */
  readonly rawFields: readonly string[];
  readonly rawQuery: string;
  /** The parsed JSON body, or its bytes or a stream of them where the operation reads it itself; undefined where there is none. */
  readonly body: unknown;
  /** A header, each time that it was sent. */
  readonly header: (name: string) => readonly string[];
  readonly accept: string | undefined;
  readonly contentType: string | undefined;
  /** Of each of the path's fields, decoded. */
  readonly pathParameterBytes: number;
}

export interface Decoded extends Pick<Request, 'input' | 'invalidAs' | 'problems' | 'placeOf' | 'otherRepos'> {
  /** The media type of the answer: JSON, what the input says, or what the request is of. */
  readonly media: string;
}

/**
 * Path, query, body and header as one input. What is wrong with them as HTTP becomes `problems`. Throws `notAcceptable` where
 * the client takes no form in which the answer may be had.
 */
export function decodeInput(asked: Asked): Decoded {
  const { route } = asked;
  const problems: Problem[] = [];
  const body = bodyFields(asked);
  const input: Record<string, unknown> = Object.assign(Object.create(nothing), body);
  const fromParameters: string[] = [];
  const otherRepos: RepositoryNaming[] = [];
  const put = (name: string, value: unknown) => {
    input[name] = value;
    fromParameters.push(name);
  };
  /** A repository has an id and a root: whether two names mean the same one, the daemon knows. */
  const nameRepository = (place: string, name: unknown) => {
    if (input['repo'] === undefined) put('repo', name);
    else if (input['repo'] !== name) otherRepos.push({ place, name });
  };
  if (asked.rawQuery !== '') decodeQuery(asked, body, put, nameRepository, problems);
  for (let at = 0; at < route.fields.length; at++) decodePathField(asked, at, body, put, problems);
  if (route.operation.scope === 'repository') {
    const [header, ...more] = asked.header(repoHeader);
    if (header !== undefined) nameRepository(repoHeader, header);
    if (more.length > 0) problems.push({ path: repoHeader, message: 'is given more than once' });
  }
  const { headers = {} } = route.binding;
  for (const [field, name] of Object.entries(headers)) {
    const [text, ...more] = asked.header(name);
    if (text !== undefined) put(field, decodeText(route.inputs[field]!, text));
    if (more.length > 0) problems.push({ path: name, message: 'is given more than once' });
  }
  const told = mediaTypeOf(asked.contentType);
  const { stream } = route.binding;
  if (stream?.mediaField !== undefined && stream.media.includes(told)) put(stream.mediaField, told);
  const media = route.binding.speaks === undefined ? negotiated(asked, input, put) : (asked.contentType ?? json);
  return {
    media,
    placeOf: field => (Object.hasOwn(headers, field) ? headers[field] : undefined),
    input,
    otherRepos: otherRepos.length === 0 ? undefined : otherRepos,
    invalidAs: field =>
      route.binding.method === 'POST' && !fromParameters.includes(field) ? 'invalidBody' : 'invalidParameter',
    problems: problems.length === 0 ? undefined : problems,
  };
}

/** The form of the answer becomes a field of the input like any other; a client that names it there has no other choice. */
function negotiated({ route, accept }: Asked, input: Readonly<Record<string, unknown>>, put: Put): string {
  const { formats } = route.operation;
  if (route.binding.produces !== undefined) return '';
  if (formats === undefined) return acceptableMedia(accept, [json]);
  const named = input[formats.field];
  const names = Object.keys(formats.media);
  // One that is none is the validation's business.
  if (named !== undefined && !names.some(name => name === named)) return json;
  const media = acceptableMedia(
    accept,
    named === undefined ? Object.values(formats.media) : [formats.media[String(named)]!],
  );
  if (named === undefined)
    put(
      formats.field,
      names.find(name => formats.media[name] === media),
    );
  return media;
}

const json = 'application/json';
const repoHeader = 'X-SVC-Repo';

/**
 * What an input inherits, so that in it a field named __proto__ is a field like any other, an unknown one. Not null itself:
 * V8 keeps objects without a prototype as slow dictionaries.
 */
const nothing = Object.create(null) as object;

function bodyFields({ route, body }: Asked): Readonly<Record<string, unknown>> {
  if (route.binding.method !== 'POST' || body === undefined) return {};
  if (route.binding.stream !== undefined) return { [route.binding.stream.field]: body };
  if (route.binding.body !== undefined) return { [route.binding.body.field]: body };
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalid('invalidBody', [{ path: 'body', message: 'must be a JSON object' }]);
  }
  return body as Readonly<Record<string, unknown>>;
}

type Put = (name: string, value: unknown) => void;

/** POST takes its fields from the body; of the query it reads `repo` and `sync` alone. */
function decodeQuery(asked: Asked, body: object, put: Put, nameRepository: Put, problems: Problem[]): void {
  const { route } = asked;
  const { headers = {} } = route.binding;
  const seen = new Set<string>();
  for (const pair of asked.rawQuery.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decodeComponent(at < 0 ? pair : pair.slice(0, at));
    const text = decodeComponent(at < 0 ? '' : pair.slice(at + 1));
    if (name === undefined || text === undefined) {
      problems.push({ path: 'query', message: 'is not valid percent-encoded UTF-8' });
    } else if (seen.has(name)) {
      problems.push({ path: name, message: 'is given more than once' });
    } else if (route.fields.includes(name)) {
      problems.push({ path: name, message: 'belongs in the path, not in the query' });
    } else if (Object.hasOwn(route.inputs, name) && !Object.hasOwn(route.queryInputs, name)) {
      const header = name === route.binding.stream?.mediaField ? 'Content-Type' : headers[name];
      const place = header === undefined ? 'the body' : `the header ${header}`;
      problems.push({ path: name, message: `belongs in ${place}, not in the query` });
    } else {
      const demanded = undemanded(route, name, text);
      if (demanded !== undefined) problems.push(demanded);
      const value = Object.hasOwn(route.queryInputs, name) ? decodeText(route.queryInputs[name]!, text) : text;
      if (Object.hasOwn(body, name) && name !== 'repo' && body[name as keyof typeof body] !== value) {
        problems.push({ path: name, message: 'is given in the query and in the body, and they disagree' });
      }
      if (name === 'repo') nameRepository('the query', value);
      else put(name, value);
    }
    if (name !== undefined) seen.add(name);
  }
}

function decodePathField(
  { route, rawFields, pathParameterBytes }: Asked,
  at: number,
  body: object,
  put: Put,
  problems: Problem[],
): void {
  const name = route.fields[at]!;
  const text = decodeURIComponent(rawFields[at]!);
  const demanded = undemanded(route, name, text);
  if (Object.hasOwn(body, name)) problems.push({ path: name, message: 'belongs in the path, not in the body' });
  if (Buffer.byteLength(text) > pathParameterBytes) {
    problems.push({ path: name, message: `must have at most ${pathParameterBytes} bytes` });
  } else if (demanded !== undefined) {
    problems.push(demanded);
  }
  put(name, decodeText(route.inputs[name]!, text));
}

/** What HTTP demands of a field beyond its schema, where a text is not that. */
function undemanded({ binding, demands }: Route, name: string, text: string): Problem | undefined {
  if (demands.get(name)?.test(text) !== false) return undefined;
  const schema = binding.fields![name] as Readonly<Record<string, unknown>>;
  return { path: name, message: expectation(schema) };
}

/** A query's part: `+` is a blank. Undefined for text that is not percent-encoded UTF-8. */
function decodeComponent(text: string): string | undefined {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
