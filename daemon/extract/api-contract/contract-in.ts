import type { ContractFacts, ContractOutline } from '../../model/contract.ts';
import { bufIn, isBufFile } from './buf/read-buf.ts';
import { outlineOfOpenApi } from './openapi/outline.ts';
import { outlineOfProto } from './proto/outline.ts';
import { type ReadSchema, readSchema } from './read-schema.ts';

/**
 * What a file says of API contracts: `.proto` files and buf's by their names, OpenAPI documents by their content. undefined
 * for files that are none of these, which costs a search for two words. Of a file with a mistake in it what stands before
 * the mistake is told, and the mistake: at least that it is a contract. A pure function; takes time in the length of the bytes; never throws.
 */
export function contractIn(path: string, bytes: Uint8Array): ContractFacts | undefined {
  if (isBufFile(path)) return bufIn(path, bytes);
  const read = readSchema(path, bytes);
  if (read === undefined) return undefined;
  const { problem } = read;
  const outline = outlineIn(read) ?? (problem === undefined ? undefined : bareOutline(path, bytes));
  return { ...(outline === undefined ? {} : { outline }), uses: [], ...(problem === undefined ? {} : { problem }) };
}

function outlineIn({ proto, openapi }: ReadSchema): ContractFacts['outline'] {
  if (proto !== undefined) return outlineOfProto(proto);
  return openapi === undefined ? undefined : outlineOfOpenApi(openapi);
}

/** Of a contract that nothing can be read of but that it is one: it is listed with what is wrong. */
function bareOutline(path: string, bytes: Uint8Array): ContractOutline {
  if (path.endsWith('.proto')) {
    const nothing = { imports: [], options: {}, services: [], types: [], uses: [], marks: [] };
    return { type: 'proto', syntax: 'proto2', package: '', ...nothing };
  }
  const version = /^["']?(?:openapi|swagger)["']?[ \t]*:[ \t]*["']?(\d[\d.]{0,9})/m.exec(beginning(bytes))?.[1] ?? '';
  return { type: 'openapi', version, title: '', apiVersion: '', basePaths: [], hosts: [], operations: [], marks: [] };
}

/** Where most documents have their version. */
function beginning(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, 64 * 1024));
}
