import type { SchemaField } from '../../../../model/proto-schema.ts';
import { type Comparison, isSameType } from './comparison.ts';
import type { MessagePair } from './message-pair.ts';
import { meantBy, type TypeTable } from './types.ts';

/** Whether one of two fields is a map and the other the list of entries that a map is in its bytes. */
export function isMapWrittenOut(pair: MessagePair, old: SchemaField, now: SchemaField): boolean {
  const { comparison, oldType, nowType } = pair;
  const { before, after } = comparison;
  if (old.cardinality === 'map') {
    const list = { table: after, scope: nowType.fullName, field: now };
    return isListOf(comparison, { table: before, scope: oldType.fullName, field: old }, list, false);
  }
  const map = { table: after, scope: nowType.fullName, field: now };
  return isListOf(comparison, map, { table: before, scope: oldType.fullName, field: old }, true);
}

interface Placed {
  readonly table: TypeTable;
  readonly scope: string;
  readonly field: SchemaField;
}

/** Each entry has its key as number 1 and its value as number 2, and nothing else. */
function isListOf(comparison: Comparison, map: Placed, list: Placed, isBackwards: boolean): boolean {
  if (map.field.cardinality !== 'map' || list.field.cardinality !== 'repeated' || list.field.isDelimited) return false;
  const entry = list.table.types.get(meantBy(list.table, list.scope, list.field.type).name);
  const fields = entry?.message?.fields ?? [];
  const [key, value] = [1, 2].map(number => fields.find(field => field.number === number));
  if (entry === undefined || key === undefined || value === undefined || fields.length > 2) return false;
  if (
    key.type !== map.field.mapKey ||
    [key, value].some(one => one.cardinality === 'repeated' || one.cardinality === 'map')
  )
    return false;
  const inMap = meantBy(map.table, map.scope, map.field.type);
  const inEntry = meantBy(list.table, entry.fullName, value.type);
  const isSame = isBackwards ? isSameType(comparison, inEntry, inMap) : isSameType(comparison, inMap, inEntry);
  return isSame && !value.isDelimited;
}
