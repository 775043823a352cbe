import { connect } from 'node:net';

/** One request by hand: a header, an empty line, and as many bytes of JSON as the header says; the answer comes likewise. */
export function ask(socketPath: string, method: string, params: object): Promise<unknown> {
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath, () => {
      socket.write(`Content-Length: ${body.length}\r\n\r\n`);
      socket.write(body);
    });
    let received = Buffer.alloc(0);
    socket.on('error', reject);
    socket.on('data', chunk => {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf('\r\n\r\n');
      const length = Number(/Content-Length: (\d+)/.exec(received.toString('latin1', 0, Math.max(0, end)))?.[1]);
      if (end < 0 || received.length < end + 4 + length) return;
      socket.end();
      resolve(JSON.parse(received.toString('utf8', end + 4, end + 4 + length)));
    });
  });
}
