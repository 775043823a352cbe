import type { ContractFacts } from '../../model/contract.ts';
import { bufIn, isBufFile } from './buf/read-buf.ts';
import { outlineOfOpenApi } from './openapi/outline.ts';
import { outlineOfProto } from './proto/outline.ts';
import { type ReadSchema, readSchema } from './read-schema.ts';

/**
 * What a file says of API contracts: `.proto` files and buf's by their names, OpenAPI documents by their content. undefined
 * for files that are none of these, which costs a search for two words. Of a file with a mistake in it what stands before
 * the mistake is told, and the mistake. A pure function; takes time in the length of the bytes; never throws.
 */
export function contractIn(path: string, bytes: Uint8Array): ContractFacts | undefined {
  if (isBufFile(path)) return bufIn(path, bytes);
  const read = readSchema(path, bytes);
  if (read === undefined) return undefined;
  const { problem } = read;
  const outline = outlineIn(read);
  return { ...(outline === undefined ? {} : { outline }), uses: [], ...(problem === undefined ? {} : { problem }) };
}

function outlineIn({ proto, openapi }: ReadSchema): ContractFacts['outline'] {
  if (proto !== undefined) return outlineOfProto(proto);
  return openapi === undefined ? undefined : outlineOfOpenApi(openapi);
}
