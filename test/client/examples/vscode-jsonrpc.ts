import { connect } from 'node:net';
import { createMessageConnection, type MessageConnection } from 'vscode-jsonrpc/node';

/** The daemon behind a socket, as any VS Code extension or language client may speak with it. */
export function openDaemon(socketPath: string): MessageConnection {
  const socket = connect(socketPath);
  const connection = createMessageConnection(socket, socket);
  connection.onClose(() => socket.destroy());
  connection.listen();
  return connection;
}

/** `name  file:line` of each symbol found, in the order of the answer. */
export async function search(connection: MessageConnection, repo: string, q: string): Promise<string[]> {
  const answer = await connection.sendRequest<Answer>('symbols.search', { q, repo, sync: true });
  return answer.results.map(({ name, location }) => `${name}  ${location.file}:${location.line}`);
}

interface Answer {
  readonly results: readonly {
    readonly name: string;
    readonly location: { readonly file: string; readonly line: number };
  }[];
}
