/**
 * The text of a language server's program, to be run by node. `answer` is the body of its `answer({ id, method, params,
 * result })`, which is called with each message; beside the globals of a CommonJS module it has `fs`, `send(message)`, and
 * `root`, the URI that it was greeted with. Its frames come with headers that nobody asked for, and in pieces.
 */
export function languageServer(answer: string): string {
  return `
const fs = require('node:fs');
const send = message => {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
  const whole = Buffer.concat([Buffer.from('Content-Type: x\\r\\nContent-Length: ' + body.length + '\\r\\n\\r\\n'), body]);
  for (let at = 0; at < whole.length; at += 7) process.stdout.write(whole.subarray(at, at + 7));
};
let root;
let held = Buffer.alloc(0);
process.stdin.on('data', chunk => {
  held = Buffer.concat([held, chunk]);
  for (;;) {
    const end = held.indexOf('\\r\\n\\r\\n');
    if (end < 0) return;
    const length = Number(/Content-Length: (\\d+)/.exec(held.toString('latin1', 0, end))[1]);
    if (held.length < end + 4 + length) return;
    const message = JSON.parse(held.toString('utf8', end + 4, end + 4 + length));
    held = held.subarray(end + 4 + length);
    if (message.method === 'initialize') root = message.params.rootUri;
    answer(message);
  }
});
function answer({ id, method, params, result }) {${answer}}
`;
}
