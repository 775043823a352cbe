import { token } from './listener.ts';

/** A request as bytes, in Latin-1: its line, a Host, the token, whatever else is given, and a body. */
export function written(line: string, headers: readonly string[] = [], body = ''): string {
  return [line, 'Host: localhost', `Authorization: Bearer ${token}`, ...headers, '', body].join('\r\n');
}

export const get = (path: string, ...headers: readonly string[]): string => written(`GET ${path} HTTP/1.1`, headers);

const post = (body: string, ...headers: readonly string[]): string =>
  written('POST /index HTTP/1.1', ['Content-Type: application/json', ...headers], body);
const sized = (length: string): string => post('{}', `Content-Length: ${length}`);
const coded = (coding: string): string => post('2\r\n{}\r\n0\r\n\r\n', `Transfer-Encoding:${coding}`);
const chunked = (body: string): string => post(body, 'Transfer-Encoding: chunked');
const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

/** `statuses`: of the answers that come, in their order; after one of 400 from the parser the connection ends. */
export type HostileRequest = readonly [label: string, statuses: number | readonly number[], bytes: string];

export const hostileRequests: readonly HostileRequest[] = [
  // Other protocols.
  ['not HTTP at all', 400, 'hello there\r\n\r\n'],
  ['TLS hello', 400, '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ['HTTP/2 preface', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['JSON-RPC on a line', 400, '{"jsonrpc":"2.0","id":1,"method":"system.health"}\n'],
  ['JSON-RPC framed', 400, 'Content-Length: 2\r\n\r\n{}'],
  ['nothing but NULs', 400, '\0'.repeat(100)],
  ['gzip', 400, '\x1f\x8b\x08\0\0\0\0\0'],
  ['UTF-16', 400, Buffer.from(get('/health'), 'utf16le').toString('latin1')],
  ['a byte order mark', 400, `\xef\xbb\xbf${get('/health')}`],

  // The request line.
  ['empty lines before it', 200, `${'\r\n'.repeat(1000)}${get('/health')}`],
  ['HTTP/0.9', 400, 'GET /health\r\n\r\n'],
  ['HTTP/0.9 with headers', 400, written('GET /health')],
  ['HTTP/1.0', 200, written('GET /health HTTP/1.0')],
  ['HTTP/1.2', 400, written('GET /health HTTP/1.2')],
  ['HTTP/2.0 in letters', 400, written('GET /health HTTP/2.0')],
  ['HTTP/3', 400, written('GET /health HTTP/3')],
  ['HTTP/1.1.1', 400, written('GET /health HTTP/1.1.1')],
  ['a version in small letters', 400, written('GET /health http/1.1')],
  ['a method in small letters', 400, written('get /health HTTP/1.1')],
  ['a method that nobody knows', 400, written('FOO /health HTTP/1.1')],
  ['no method', 400, written(' /health HTTP/1.1')],
  ['a method of 10 kB', 400, written(`${'G'.repeat(10_000)} /health HTTP/1.1`)],
  ['tabs between', 400, written('GET\t/health\tHTTP/1.1')],
  ['a blank in the target', 400, written('GET /he alth HTTP/1.1')],
  ['a blank behind', 400, written('GET /health HTTP/1.1 ')],
  ['TRACE', 405, written('TRACE /health HTTP/1.1')],
  ['PUT', 405, written('PUT /health HTTP/1.1')],
  ['PATCH', 405, written('PATCH /index HTTP/1.1')],
  ['a method that is known elsewhere', 405, written('PROPFIND /health HTTP/1.1')],
  ['CONNECT', 405, 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n'],
  ['CONNECT with the token', 405, written('CONNECT localhost:80 HTTP/1.1')],

  // The target.
  ['absolute-form', 400, get('http://localhost/health')],
  ['absolute-form of another host', 400, get('http://evil.example/health')],
  ['absolute-form with a user', 400, get('http://user@localhost/health')],
  ['authority-form', 400, get('localhost:80')],
  ['asterisk-form of GET', 400, get('*')],
  ['no slash', 400, get('health')],
  ['nothing but a query', 400, get('?q=x')],
  ['a fragment', 404, get('/health#x')],
  ['a backslash', 404, get('/\\evil.example/health')],
  ['two slashes', 404, get('//health')],
  ['an encoded slash', 404, get('/%2fhealth')],
  ['dot segments', 404, get('/../../etc/passwd')],
  ['encoded dot segments', 404, get('/%2e%2e/health')],
  ['another spelling of a path', 404, get('/%68ealth')],
  ['capitals', 404, get('/HEALTH')],
  ['a slash behind', 404, get('/health/')],
  ['a matrix parameter', 404, get('/health;x=1')],
  ['an encoded NUL', 404, get('/%00')],
  ['unknown path', 404, get('/no-such-thing')],
  ['a NUL', 400, written('GET /he\0alth HTTP/1.1')],
  ['a control character', 400, written('GET /he\x01alth HTTP/1.1')],
  ['DEL', 400, written('GET /he\x7falth HTTP/1.1')],
  ['CR', 400, written('GET /he\ralth HTTP/1.1')],
  ['LF', 400, written('GET /he\nalth HTTP/1.1')],
  ['UTF-8 as it is', 400, utf8(written('GET /hé HTTP/1.1'))],
  ['Latin-1 as it is', 400, written('GET /h\xe9 HTTP/1.1')],
  ['bad percent-encoding', 400, get('/symbol/%zz')],
  ['truncated percent-encoding', 400, get('/symbol/%4')],
  ['percent-encoding of JavaScript', 400, get('/symbol/%u0041')],
  ['percent-encoding that is not UTF-8', 400, get('/symbol/%ff%fe')],
  ['overlong UTF-8', 400, get('/symbol/%c0%af')],
  ['a surrogate', 400, get('/symbol/%ed%a0%80')],
  ['bad percent-encoding in the query', 400, get('/search?q=%zz')],
  ['four thousand parameters', 400, get(`/jobs?${'a&'.repeat(4000)}`)],
  ['too long a parameter', 400, get(`/symbol/${'x'.repeat(5000)}`)],
  ['the longest URL', 400, get(`/jobs?${'x'.repeat(8192 - 6)}`)],
  ['too long a URL', 414, get(`/jobs?${'x'.repeat(8193 - 6)}`)],
  ['too long a URL to be read', 431, get(`/jobs?${'x'.repeat(1_000_000)}`)],

  // Headers.
  ['no Host', 400, 'GET /health HTTP/1.1\r\n\r\n'],
  ['HTTP/1.0 without Host', 400, 'GET /health HTTP/1.0\r\n\r\n'],
  ['two Hosts', 400, get('/health', 'Host: localhost')],
  ['a second Host behind 2500 headers', 400, get('/health', ...Array<string>(2500).fill('a:'), 'Host: evil.example')],
  ['two tokens', 400, get('/health', 'Authorization: Bearer b')],
  ['a Host of two', 403, 'GET /health HTTP/1.1\r\nHost: localhost, localhost\r\n\r\n'],
  ['an empty Host', 403, 'GET /health HTTP/1.1\r\nHost:\r\n\r\n'],
  ['lines that end with LF', 400, get('/health').replaceAll('\r\n', '\n')],
  ['one line that ends with LF', 400, get('/health', 'X-A: b\nX-C: d')],
  ['lines that end with CR', 400, get('/health').replaceAll('\r\n', '\r')],
  ['a header that injects', 400, get('/health', 'X-A: b\rInjected: yes')],
  ['a folded header', 400, get('/health', 'X-A: b', ' c')],
  ['a header folded by a tab', 400, get('/health', 'X-A: b', '\tc')],
  ['a folded Host', 400, 'GET /health HTTP/1.1\r\nHost: local\r\n host\r\n\r\n'],
  ['a fold before the first header', 400, 'GET /health HTTP/1.1\r\n Host: localhost\r\n\r\n'],
  ['a space before the colon', 400, get('/health', 'X-A : b')],
  ['a space in a name', 400, get('/health', 'X A: b')],
  ['no colon', 400, get('/health', 'abc')],
  ['no name', 400, get('/health', ': b')],
  ['a name that is no token', 400, get('/health', 'X(): b')],
  ['a name with a NUL', 400, get('/health', 'X\0A: b')],
  ['a name in UTF-8', 400, utf8(get('/health', 'Xé: b'))],
  ['a value with a NUL', 400, get('/health', 'X-A: a\0b')],
  ['a value with a control character', 400, get('/health', 'X-A: a\x01b')],
  ['a value with DEL', 400, get('/health', 'X-A: a\x7fb')],
  ['a value in Latin-1', 200, get('/health', 'X-A: \xff\xfe')],
  ['headers beyond their limit', 431, get('/health', `X-Long: ${'x'.repeat(17_000)}`)],
  ['headers beyond what is read', 431, get('/health', `X-Long: ${'x'.repeat(60_000)}`)],
  ['as many headers as there is room for', 431, get('/health', ...Array<string>(4000).fill('a:'))],
  ['headers of proxies', 200, get('/health', 'X-Forwarded-Host: evil.example', 'X-HTTP-Method-Override: DELETE')],
  ['an expectation nobody meets', 417, get('/status', 'Expect: 200-maybe')],
  ['an empty expectation', 417, get('/status', 'Expect:')],
  ['two expectations', 417, get('/status', 'Expect: 100-continue, 200-maybe')],

  // How long a body is, and where it ends.
  ['two lengths', 400, post('{}', 'Content-Length: 2', 'Content-Length: 3')],
  ['a length twice', 400, post('{}', 'Content-Length: 2', 'Content-Length: 2')],
  ['a list of lengths', 400, sized('2, 2')],
  ['a length below zero', 400, sized('-1')],
  ['a length with a sign', 400, sized('+2')],
  ['a length in hexadecimal', 400, sized('0x2')],
  ['a length with an exponent', 400, sized('2e0')],
  ['an empty length', 400, sized('')],
  ['a length beyond 64 bits', 400, sized('18446744073709551618')],
  ['a length beyond the limit', 413, sized('9007199254740993')],
  ['a length and chunks', 400, post('2\r\n{}\r\n0\r\n\r\n', 'Content-Length: 2', 'Transfer-Encoding: chunked')],
  ['chunks and a length', 400, post('2\r\n{}\r\n0\r\n\r\n', 'Transfer-Encoding: chunked', 'Content-Length: 2')],
  ['chunks', 200, coded(' chunked')],
  ['chunks behind a tab', 200, coded('\tCHUNKED')],
  ['chunks, twice', 400, coded(' chunked, chunked')],
  ['chunks, on two lines', 400, coded(' chunked\r\nTransfer-Encoding: chunked')],
  ['a coding that nobody knows', 400, coded(' xchunked')],
  ['a coding in quotes', 400, coded(' "chunked"')],
  ['a coding behind a vertical tab', 400, coded(' \x0bchunked')],
  ['a coding before chunks', 400, coded(' gzip, chunked')],
  ['a coding behind chunks', 400, coded(' chunked, gzip')],
  ['no coding', 400, coded(' identity')],
  ['an empty coding', 400, coded('')],
  ['chunks in HTTP/1.0', 400, coded(' chunked').replace('HTTP/1.1', 'HTTP/1.0')],
  ['a space before the colon of a coding', 400, post('', 'Transfer-Encoding : chunked')],
  ['a chunk’s size with a prefix', 400, chunked('0x2\r\n{}\r\n0\r\n\r\n')],
  ['a chunk’s size with a sign', 400, chunked('-2\r\n{}\r\n0\r\n\r\n')],
  ['a chunk’s size with a blank', 400, chunked('2 \r\n{}\r\n0\r\n\r\n')],
  ['a chunk’s size beyond 64 bits', 400, chunked('fffffffffffffffff\r\n{}\r\n0\r\n\r\n')],
  ['no chunk’s size', 400, chunked('\r\n{}\r\n0\r\n\r\n')],
  ['a chunk that is longer than it says', 400, chunked('1\r\n{}\r\n0\r\n\r\n')],
  ['chunks that end with LF', 400, chunked('2\n{}\n0\n\n')],
  ['what a chunk says beside its size', 200, chunked('2;a=b\r\n{}\r\n0\r\n\r\n')],
  ['20 kB beside a chunk’s size', 400, chunked(`2;a=${'b'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`)],
  ['headers behind the body', 200, chunked('2\r\n{}\r\n0\r\nAuthorization: x\r\nHost: evil.example\r\n\r\n')],
  ['a broken header behind the body', 400, chunked('2\r\n{}\r\n0\r\nX Y: x\r\n\r\n')],
  ['60 kB behind the body', 431, chunked(`2\r\n{}\r\n0\r\nX: ${'y'.repeat(60_000)}\r\n\r\n`)],

  // Several requests on one connection.
  ['three at once', [200, 404, 200], get('/health') + get('/no-such-thing') + get('/jobs')],
  ['a good one before a broken one', [200, 400], `${get('/health')}GET\r\n\r\n`],
  ['one hidden in a body', 400, post(get('/jobs'), `Content-Length: ${get('/jobs').length}`)],
  ['one hidden behind a body without a length', [200, 400], `${post('')}{}${get('/jobs')}`],
  [
    'one hidden behind chunks',
    400,
    post(`0\r\n\r\n${get('/jobs')}`, 'Content-Length: 4', 'Transfer-Encoding: chunked'),
  ],
  ['one behind a coding before chunks', 400, `${coded(' gzip, chunked')}${get('/jobs')}`],
  ['one behind CONNECT', 405, `CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n${get('/jobs')}`],
  ['one behind a Host that is none of ours', [403, 403], 'GET /jobs HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(2)],
];

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
export const hostileBodies = brokenBodies.map(([label, status, body, headers]) => {
  const text = Buffer.from(body).toString('latin1');
  const head = { 'Content-Length': String(text.length), 'Content-Type': 'application/json', ...headers };
  const lines = Object.entries(head).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return [label, status, written('POST /index HTTP/1.1', lines, text)] as const;
});
