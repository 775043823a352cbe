import type { IndexServerHandlers } from '../index-server.ts';
import type { IndexServers } from './served-index.ts';

export interface IndexUploadOptions {
  readonly indexServers: IndexServers;
}

export function indexUploadHandlers(
  _: IndexUploadOptions,
): Pick<IndexServerHandlers, 'indexServer.upload' | 'indexServer.delete'> {
  const later = () => {
    throw new Error('to come');
  };
  return { 'indexServer.upload': later, 'indexServer.delete': later };
}
