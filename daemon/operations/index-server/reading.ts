import type { Handler } from '../handler.ts';
import type { IndexServerHandlers } from '../index-server.ts';
import type { IndexServers } from './served-index.ts';

export interface IndexReadOptions {
  readonly indexServers: IndexServers;
}

type Reading = Omit<IndexServerHandlers, 'indexServer.upload' | 'indexServer.delete'>;

export function indexReadHandlers(_: IndexReadOptions): Reading {
  const later: Handler<never> = () => {
    throw new Error('to come');
  };
  return new Proxy({} as Reading, { get: () => later, ownKeys: () => [] });
}
