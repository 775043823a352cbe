import {
  type ApiAddress,
  type ApiOperation,
  briefAddress,
  type OpenApiSchema,
} from '../../../../model/openapi-schema.ts';
import { type AddressChange, basePathChange, hostChanges } from './address-rules.ts';
import { operationKey } from './paths.ts';

/** What one operation is in both revisions; undefined where it came, or went. */
export interface OperationPair {
  readonly was: ApiOperation | undefined;
  readonly is: ApiOperation | undefined;
  /** Where its requests go instead, apart from what is told of the whole document. */
  readonly moved: readonly AddressChange[];
}

export interface OperationPairs {
  readonly pairs: readonly OperationPair[];
  /** Of the document: of all operations that have no address of their own. */
  readonly moved: readonly AddressChange[];
}

/**
 * By method and path, whatever its parameters are called; the base path is part of that where operations are found by it, as
 * they are where it moved from servers to paths. The others are found by their paths alone.
 */
export function operationPairs(before: OpenApiSchema, after: OpenApiSchema): OperationPairs {
  const [old, now] = [sideOf(before), sideOf(after)];
  const byUrl = isByUrl(old, now) ? pairedByUrl(old, now) : new Map<ApiOperation, ApiOperation>();
  const taken = new Set(byUrl.values());
  const later = new Map(now.operations.filter(is => !taken.has(is)).map(is => [operationKey(is), is]));
  // Then the base path is no longer one of all operations.
  const isOfEach = byUrl.size > 0 && old.base !== undefined && now.base !== undefined;
  const pairs = old.operations.map((was): OperationPair => {
    const same = byUrl.get(was);
    const is = same ?? later.get(operationKey(was));
    if (is === undefined) return { was, is, moved: [] };
    taken.add(is);
    const isOwn = was.address !== undefined || is.address !== undefined;
    const [from, to] = [was.address ?? old.address, is.address ?? now.address];
    return {
      was,
      is,
      moved: [
        ...(same === undefined && (isOwn || isOfEach) ? basePathChange(from, to) : []),
        ...(isOwn ? hostChanges(from, to) : []),
      ],
    };
  });
  const added = now.operations.filter(is => !taken.has(is)).map(is => ({ was: undefined, is, moved: [] }));
  return {
    pairs: [...pairs, ...added],
    moved: [...(isOfEach ? [] : basePathChange(before, after)), ...hostChanges(before, after)],
  };
}

export function hasOwnAddress({ was, is }: OperationPair): boolean {
  return was?.address !== undefined || is?.address !== undefined;
}

interface Side {
  readonly operations: readonly ApiOperation[];
  /** Of those that have none of their own. */
  readonly address: ApiAddress;
  readonly base: string | undefined;
}

function sideOf(schema: OpenApiSchema): Side {
  const { basePaths, basePathLine, servers, schemes, schemesLine } = schema;
  const address = briefAddress({ basePaths, basePathLine, servers, schemes, schemesLine });
  return { operations: schema.operations, address, base: baseOf(address) };
}

/** The only base path of an address; '' where nothing stands before paths. */
function baseOf({ basePaths, servers }: ApiAddress): string | undefined {
  const [base = '', ...others] = basePaths;
  const isOnly = servers.every(({ url }) => (url.endsWith('/') ? url.slice(0, -1) : url).endsWith(base));
  return others.length === 0 && isOnly ? base : undefined;
}

/** At least as many as by paths alone: of a version that is new altogether the old paths are looked for. */
function isByUrl(old: Side, now: Side): boolean {
  const urls = new Set(now.operations.map(one => urlKey(now, one)));
  urls.delete(undefined);
  const paths = new Set(now.operations.map(operationKey));
  const sameUrl = old.operations.filter(one => urls.has(urlKey(old, one))).length;
  return sameUrl > 0 && sameUrl >= old.operations.filter(one => paths.has(operationKey(one))).length;
}

function pairedByUrl(old: Side, now: Side): ReadonlyMap<ApiOperation, ApiOperation> {
  const later = new Map(now.operations.map(is => [urlKey(now, is), is]));
  const pairs = new Map<ApiOperation, ApiOperation>();
  for (const was of old.operations) {
    const key = urlKey(old, was);
    const is = key === undefined ? undefined : later.get(key);
    if (is === undefined) continue;
    pairs.set(was, is);
    later.delete(key);
  }
  return pairs;
}

function urlKey({ base: around }: Side, { method, path, address }: ApiOperation): string | undefined {
  const base = address === undefined ? around : baseOf(address);
  return base === undefined ? undefined : operationKey({ method, path: base + path });
}
