import type { Handlers } from './handler.ts';
import { type IndexReadOptions, indexReadHandlers } from './index-server/reading.ts';
import { type IndexUploadOptions, indexUploadHandlers } from './index-server/uploading.ts';

export type IndexServerHandlers = Pick<Handlers, Extract<keyof Handlers, `indexServer.${string}`>>;
export type IndexServerOptions = IndexReadOptions & IndexUploadOptions;

export function indexServerHandlers(options: IndexServerOptions): IndexServerHandlers {
  return { ...indexReadHandlers(options), ...indexUploadHandlers(options) };
}
