import { normalPath, withHoles } from '../contract-use/routes/written-path.ts';

/** A route as text has it. Offsets are from the start of that text, of what `written` is to be. */
export interface WrittenRoute {
  readonly rawText: string;
  readonly method: string;
  readonly path: string;
  readonly template: string;
  readonly start: number;
  readonly end: number;
  readonly isFar?: true;
}

const request = /^((?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)[ \t]{1,20}(\S{1,500}))(?=$|\s)/;

/** The route that a code span is: `GET /users/:id`, `POST /orders HTTP/1.1`. A path alone is none. */
export function writtenRoute(text: string): WrittenRoute | undefined {
  const found = requestIn(text);
  return found !== undefined && /^(?:\s{1,4}HTTP\/[\d.]{1,4})?$/.test(text.slice(found.end)) ? found : undefined;
}

function requestIn(line: string): WrittenRoute | undefined {
  const [, whole, address] = request.exec(line) ?? [];
  if (whole === undefined || address === undefined) return undefined;
  const route = routeAt(address);
  const [method = ''] = /^[A-Z]{1,7}/.exec(whole) ?? [];
  return route && { rawText: whole, method, ...route, start: 0, end: whole.length };
}

/** Of an address or a path: what comes before the path is a host, or stands for one. */
function routeAt(address: string): Pick<WrittenRoute, 'path' | 'template' | 'isFar'> | undefined {
  const [before = ''] = /^(?:https?:\/\/[^/?#\s]{1,200}|\{\{[^{}]{1,60}\}\}|\$\{?\w{1,60}\}?)/.exec(address) ?? [];
  const host = /^https?:\/\/(.{1,200})$/.exec(before)?.[1];
  const [template = ''] = /^[^?#]{0,400}/.exec(address.slice(before.length)) ?? [];
  const rest = template === '' && before !== '' ? '/' : template;
  if (!rest.startsWith('/') || rest.startsWith('//')) return undefined;
  const written = normalPath(withHoles(rest));
  if (written === undefined) return undefined;
  return { path: written.path, template: rest, ...(isFarHost(host) ? { isFar: true as const } : {}) };
}

/** Whether a host may be somebody else's: it is none of this machine, of those that stand for any, or to be filled in. */
function isFarHost(host: string | undefined): boolean {
  if (host === undefined || /[{}<>$[\]*]/.test(host)) return false;
  const name = host.replace(/^[^@]{0,200}@/, '').replace(/:\d{1,5}$/, '');
  const isNear = /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|host\.docker\.internal)$|\.(?:localhost|local|test)$/i;
  return (
    !isNear.test(name) && !/(?:^|\.)example(?:\.(?:com|org|net))?$|(?:^|[-.])your-/i.test(name) && name.includes('.')
  );
}

const ofRequests = /^(?:http|https|rest|restclient|httpie)$/;
const ofCommands =
  /^(?:|curl|sh|bash|shell|zsh|console|terminal|shell-session|text|txt|plain|plaintext|http|https|rest)$/;
/** Requests that stand in no fence made for them: nothing but marks of comments, versions and answers follow. */
const lead = /^\s{0,20}(?:$|HTTP\/|#|\/\/|--?[ >]|[→⇒]|=>|[1-5]\d\d\b)/;

/** Whether a fence is of requests, commands, or of nothing that is said, by the first word behind it. */
export function mayHaveRoutes(info: string): boolean {
  const name = languageOf(info);
  return ofRequests.test(name) || ofCommands.test(name);
}

function languageOf(info: string): string {
  const [word = ''] = /^[\w-]{0,30}/.exec(info.trim()) ?? [];
  return word.toLowerCase();
}

/** Routes in the lines of a fence, by the first word behind it: requests, and commands of curl. */
export function routesInFence(code: string, info: string): readonly WrittenRoute[] {
  const isRequest = ofRequests.test(languageOf(info));
  const found: WrittenRoute[] = [];
  let start = 0;
  const lines = code.split('\n');
  for (const [at, line] of lines.entries()) {
    const indent = /^[ \t]{0,200}/.exec(line)![0].length;
    const asked = isRequest || !/^[$%]\s/.test(line) ? requestIn(line.slice(indent)) : undefined;
    if (asked !== undefined && (isRequest || lead.test(line.slice(indent + asked.end)))) {
      const isFar = asked.isFar ?? (hasFarHost(lines.slice(at + 1, at + 12)) ? true : undefined);
      found.push({ ...moved(asked, start + indent), ...(isFar === undefined ? {} : { isFar }) });
    } else if (line.includes('curl')) {
      const sent = curlIn(joined(lines, at));
      if (sent !== undefined) found.push(moved(sent, start));
    }
    start += line.length + 1;
  }
  return found;
}

function moved(route: WrittenRoute, by: number): WrittenRoute {
  return { ...route, start: route.start + by, end: route.end + by };
}

/** What a request says of its host, in the lines below it. */
function hasFarHost(lines: readonly string[]): boolean {
  for (const line of lines) {
    const [, name, value] = /^\s{0,20}([\w-]{1,60}):\s{0,9}(\S{1,200})/.exec(line) ?? [];
    if (name === undefined) return false;
    if (name.toLowerCase() === 'host') return isFarHost(value);
  }
  return false;
}

const mostLines = 20;
const longestCommand = 4000;

/** A line with those that it goes on over, in which every character stands where it stood. */
function joined(lines: readonly string[], from: number): string {
  let text = lines[from]!;
  for (let at = from + 1; at < lines.length && at < from + mostLines && text.endsWith('\\'); at++)
    text += `\n${lines[at]!}`;
  return text.slice(0, longestCommand);
}

/** The first command of curl in a text, up to where another begins. */
function curlIn(text: string): WrittenRoute | undefined {
  const found = /(?:^|[\s|;&(`])curl(?=\s)/.exec(text.split('\n', 1)[0]!);
  if (found === null) return undefined;
  const from = found.index + found[0].length;
  const [rest = ''] = /^[^|;]{0,4000}/.exec(text.slice(from)) ?? [];
  const address =
    /(?<=[\s'"=])(?:https?:\/\/|\{\{[^{}\s]{1,60}\}\}|\$\{?\w{1,60}\}?(?=\/)|localhost[:/])[^\s'"\\]{0,400}/.exec(rest);
  if (address === null) return undefined;
  const [written] = address;
  const route = routeAt(written.startsWith('localhost') ? `http://${written}` : written);
  if (route === undefined) return undefined;
  const start = from + address.index;
  const end = start + written.length;
  const whole = text.slice(from - 'curl'.length, end);
  const rawText = whole.replace(/(?:\s|\\(?=\n)){1,200}/g, ' ');
  return { rawText, method: methodOfCurl(rest), ...route, start, end };
}

function methodOfCurl(options: string): string {
  const [, method] =
    /(?:^|\s)(?:-[a-zA-Z]{0,8}X\s{0,4}|--request(?:\s{1,4}|=))["']?([A-Za-z]{3,7})\b/.exec(options) ?? [];
  if (method !== undefined) return method.toUpperCase();
  if (/(?:^|\s)(?:-[a-zA-Z]{0,8}I\b|--head\b)/.test(options)) return 'HEAD';
  if (/(?:^|\s)(?:-G\b|--get\b)/.test(options)) return 'GET';
  if (/(?:^|\s)(?:-T\b|--upload-file\b)/.test(options)) return 'PUT';
  return /(?:^|\s)(?:-[a-zA-Z]{0,8}[dF]\b|--(?:data|json|form)\b)/.test(options) ? 'POST' : 'GET';
}
