import type { Handlers } from './handler.ts';

export type RemoteHandlers = Pick<Handlers, Extract<keyof Handlers, `remote.${string}`>>;

export function remoteHandlers(): RemoteHandlers {
  const later = () => {
    throw new Error('to come');
  };
  return { 'remote.add': later, 'remote.sync': later, 'remote.list': later, 'remote.remove': later };
}
