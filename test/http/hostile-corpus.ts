/** Requests over HTTP that no client of good will sends, with what they are answered. Bytes are those of the text's Latin-1. */
export type HostileRequest = readonly [label: string, status: number, bytes: string];

export const askFor = (token: string, path: string, ...headers: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${token}`, ...headers, '', ''].join('\r\n');

export function hostileRequests(token: string): readonly HostileRequest[] {
  const get = (path: string, ...headers: readonly string[]): string => askFor(token, path, ...headers);
  return [
    ['not HTTP at all', 400, 'hello there\r\n\r\n'],
    ['TLS hello', 400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['no Host', 400, `GET /health HTTP/1.1\r\n\r\n`],
    ['HTTP/1.0 without Host', 400, `GET /health HTTP/1.0\r\n\r\n`],
    ['two Hosts', 400, get('/health', 'Host: localhost')],
    ['absolute-form target', 400, get('http://localhost/health')],
    ['absolute-form target of another host', 400, get('http://evil.example/health')],
    ['bad percent-encoding', 400, get('/symbol/%zz')],
    ['truncated percent-encoding', 400, get('/symbol/%4')],
    ['percent-encoding that is not UTF-8', 400, get('/symbol/%ff%fe')],
    ['bad percent-encoding in the query', 400, get('/search?q=%zz')],
    ['too long a parameter', 400, get(`/symbol/${'x'.repeat(5000)}`)],
    ['too long a URL', 414, get(`/symbol/${'x'.repeat(9000)}`)],
    ['headers beyond their limit', 431, get('/health', `X-Long: ${'x'.repeat(17_000)}`)],
    ['headers beyond what is read', 431, get('/health', `X-Long: ${'x'.repeat(60_000)}`)],
    ['an expectation nobody meets', 417, get('/status', 'Expect: 200-maybe')],
    ['CONNECT', 405, 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n'],
    ['TRACE', 405, get('/health').replace('GET', 'TRACE')],
    ['a method that is known elsewhere', 405, get('/health').replace('GET', 'PROPFIND')],
    ['unknown path', 404, get('/no-such-thing')],
    ['two slashes', 404, get('//health')],
    ['dot segments', 404, get('/../../etc/passwd')],
    [
      'both length and chunks',
      400,
      get('/index', 'Content-Length: 2', 'Transfer-Encoding: chunked').replace('GET', 'POST'),
    ],
    ['two lengths', 400, get('/index', 'Content-Length: 2', 'Content-Length: 3').replace('GET', 'POST')],
    ['a length that is none', 400, get('/index', 'Content-Length: -1').replace('GET', 'POST')],
    ['a header that injects', 400, get('/health', 'X-A: b\rInjected: yes')],
    ['a space before the colon', 400, get('/health', 'X-A : b')],
  ];
}

const brokenBodies: readonly (readonly [label: string, status: number, body: string | Buffer, headers?: object])[] = [
  ['not JSON', 400, '{force:true}'],
  ['cut off', 400, '{"force":'],
  ['not UTF-8', 400, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ['nested 65 deep', 400, `${'['.repeat(65)}${']'.repeat(65)}`],
  ['a million brackets', 400, '['.repeat(1_000_000)],
  ['a field twice', 400, '{"force":true,"force":false}'],
  ['an array', 422, '[]'],
  ['null', 422, 'null'],
  ['a string', 422, '"x"'],
  ['force as text', 422, '{"force":"true"}'],
  ['an unknown language', 422, '{"language":"cobol"}'],
  ['an unknown field', 422, '{"forse":true}'],
  ['__proto__', 422, '{"__proto__":{"force":true}}'],
  ['constructor', 422, '{"constructor":{"prototype":{}}}'],
  ['over a mebibyte', 413, `{"force":false,"language":"${'x'.repeat(1024 * 1024)}"}`],
  ['form', 415, 'force=true', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['plain text', 415, '{"force":true}', { 'Content-Type': 'text/plain' }],
  ['no type', 415, '{"force":true}', { 'Content-Type': undefined }],
  ['nonsense type', 415, '{"force":true}', { 'Content-Type': ';;;' }],
  ['compressed', 415, '{"force":true}', { 'Content-Encoding': 'gzip' }],
];

/** A body that can't be taken, sent to a route that takes one. */
export function hostileBodies(token: string): readonly HostileRequest[] {
  return brokenBodies.map(([label, status, body, headers]) => {
    const text = Buffer.from(body).toString('latin1');
    const length = String(Buffer.byteLength(text, 'latin1'));
    const head = { 'Content-Length': length, 'Content-Type': 'application/json', ...headers } as Record<string, string>;
    const lines = Object.entries(head).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
    return [label, status, `${askFor(token, '/index', ...lines).replace('GET', 'POST')}${text}`];
  });
}
