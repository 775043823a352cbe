import type { ProtoSchema } from '../../../../model/proto-schema.ts';
import { type ContractChange, inOrder, placeOf } from '../change.ts';
import { type Comparison, everywhere } from './comparison.ts';
import { earlierNames } from './earlier-names.ts';
import { compareExtensions } from './extensions.ts';
import { compareFile } from './file.ts';
import { handedOnBy } from './moved.ts';
import { type NewHome, newHomeOf } from './moved-file.ts';
import { reachOver, typesWithin } from './reach.ts';
import { compareServices } from './services.ts';
import { compareTypes } from './type-pairs.ts';
import { type ProtoSide, type TypeTable, typeTable } from './types.ts';
import { tellUnreadImports } from './unread-imports.ts';

/**
 * What changed between two revisions of a `.proto` file, and in what it imports as far as it is in what the file declares;
 * by the rules of protobuf's "Updating A Message Type" and of those who check them. Names are looked up over all files that
 * are given. The same changes in the same order whatever order the files are in.
 */
export function compareProtos(before: ProtoSide, after: ProtoSide): ComparedProtos {
  const old = typeTable(before);
  const now = typeTable(after);
  const changes = changesOf(old, now, after);
  const isAsked = changes.some(({ type = '', severity }) => type !== '' && severity !== 'safe');
  return { changes, within: isAsked ? typesWithin([old, now].filter(table => table !== undefined)) : new Map() };
}

export interface ComparedProtos {
  readonly changes: readonly ContractChange[];
  /** By the full name of a type: those of its fields, in either revision. Empty where no change asks for it. */
  readonly within: ReadonlyMap<string, readonly string[]>;
}

function changesOf(
  old: TypeTable | undefined,
  now: TypeTable | undefined,
  after: ProtoSide,
): readonly ContractChange[] {
  if (old === undefined) return now === undefined ? [] : [wholeFile(now, 'added')];
  if (now === undefined) return goneFile(old, after);
  return inOrder(changesBetween(old, now));
}

function changesBetween(before: TypeTable, after: TypeTable): readonly ContractChange[] {
  const earlier = earlierNames(before, after);
  const reach = reachOver(before, after, earlier);
  const comparison: Comparison = {
    before,
    after,
    earlierNames: earlier,
    reach,
    handedOn: handedOnBy(after),
    changes: [],
    likenesses: { known: new Map(), fields: 0 },
  };
  compareFile(comparison);
  compareServices(comparison);
  compareTypes(comparison);
  compareExtensions(comparison);
  tellUnreadImports(comparison);
  return comparison.changes;
}

/** What a file declared may be found in others: in one of them, or here and there. */
function goneFile(old: TypeTable, after: ProtoSide): readonly ContractChange[] {
  const { side, contract } = old;
  const home = newHomeOf(old, after);
  const whole = home.isWhole ? movedFile(old, after, home) : wholeFile(old, 'deleted');
  const [path] = home.paths;
  if (path === undefined) return [whole];
  const gone: ProtoSchema = {
    ...contract,
    imports: contract.imports.filter(({ kind }) => kind !== 'public'),
    services: [],
    messages: [],
    enums: [],
    extensions: [],
    lines: [],
  };
  const isOne = home.isWhole && home.paths.length === 1;
  const now = typeTable(
    isOne ? { ...after, path } : { ...after, path: side.path, files: new Map([...after.files, [side.path, gone]]) },
  );
  return inOrder([whole, ...changesBetween(old, now!)]);
}

/** The move itself changes nothing in what is sent; who imports the file has to follow where imports don't find it. */
function movedFile(old: TypeTable, after: ProtoSide, { paths, keepsImports }: NewHome): ContractChange {
  const { path } = old.side;
  const [first] = paths;
  const consequence = keepsImports ? 'imports of it may stay as they are' : 'imports of it have to follow';
  return {
    id: 'file-moved',
    severity: keepsImports ? 'safe' : 'breaking',
    compatibility: keepsImports ? [] : ['source'],
    subject: path,
    ...reachOver(old, old, new Map()).all,
    message: `all that ${path} declared is declared in ${paths.join(', ')} now: ${consequence}`,
    before: placeOf(path, old.contract.lines, 1),
    after: placeOf(first!, after.files.get(first!)!.lines, 1),
  };
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
