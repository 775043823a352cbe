import type { ProtoSchema } from '../../../../model/proto-schema.ts';
import { type ContractChange, inOrder, placeOf } from '../change.ts';
import { type Comparison, everywhere } from './comparison.ts';
import { earlierNames } from './earlier-names.ts';
import { compareExtensions } from './extensions.ts';
import { compareFile } from './file.ts';
import { reachOver } from './reach.ts';
import { compareServices } from './services.ts';
import { compareTypes } from './type-pairs.ts';
import { type ProtoSide, type TypeTable, typeTable } from './types.ts';
import { tellUnreadImports } from './unread-imports.ts';

/**
 * What changed between two revisions of a `.proto` file, and in what it imports as far as it is in what the file declares;
 * by the rules of protobuf's "Updating A Message Type" and of those who check them. Names are looked up over all files that
 * are given. The same changes in the same order whatever order the files are in.
 */
export function protoChanges(before: ProtoSide, after: ProtoSide): readonly ContractChange[] {
  const old = typeTable(before);
  const now = typeTable(after);
  if (old === undefined) return now === undefined ? [] : [wholeFile(now, 'added')];
  if (now === undefined) return goneFile(old, after);
  return inOrder(changesBetween(old, now));
}

function changesBetween(before: TypeTable, after: TypeTable): readonly ContractChange[] {
  const earlier = earlierNames(before, after);
  const reach = reachOver(before, after, earlier);
  const comparison: Comparison = { before, after, earlierNames: earlier, reach, changes: [] };
  compareFile(comparison);
  compareServices(comparison);
  compareTypes(comparison);
  compareExtensions(comparison);
  tellUnreadImports(comparison);
  return comparison.changes;
}

/** What a file declared may be found in others. */
function goneFile(old: TypeTable, after: ProtoSide): readonly ContractChange[] {
  const { side, contract } = old;
  const gone: ProtoSchema = {
    ...contract,
    imports: contract.imports.filter(({ kind }) => kind !== 'public'),
    services: [],
    messages: [],
    enums: [],
    extensions: [],
    lines: [],
  };
  const now = typeTable({ ...after, path: side.path, files: new Map([...after.files, [side.path, gone]]) });
  const isFound = [...old.types.values()].some(({ path, fullName }) => path === side.path && now?.types.has(fullName));
  const whole = wholeFile(old, 'deleted');
  return isFound && now !== undefined ? inOrder([whole, ...changesBetween(old, now)]) : [whole];
}

function wholeFile(table: TypeTable, what: 'added' | 'deleted'): ContractChange {
  const { path } = table.side;
  const { services, methods } = reachOver(table, table, new Map()).all;
  const place = placeOf(path, table.contract.lines, 1);
  const shared = { subject: path, services, methods };
  return what === 'added'
    ? { id: 'file-added', severity: 'safe', compatibility: [], ...shared, message: `${path} was added`, after: place }
    : {
        id: 'file-deleted',
        severity: 'breaking',
        compatibility: everywhere,
        ...shared,
        message: `${path} was deleted`,
        before: place,
      };
}
