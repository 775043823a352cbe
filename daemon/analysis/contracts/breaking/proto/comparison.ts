import type { ProtoSchema } from '../../../../model/proto-schema.ts';
import {
  type ChangePlace,
  type ChangeSeverity,
  type Compatibility,
  type ContractChange,
  mostChanges,
  placeOf,
} from '../change.ts';
import type { Callers, Reach } from './reach.ts';
import { type MeantType, qualified, type TypeTable } from './types.ts';

/** Two revisions while they are compared. */
export interface Comparison {
  readonly before: TypeTable;
  readonly after: TypeTable;
  /** Full names of the earlier revision by those that the later one has instead: of another package, of another name. */
  readonly earlierNames: ReadonlyMap<string, string>;
  readonly reach: Reach;
  /** Files of the later revision whose types are to be had through the contract. */
  readonly handedOn: ReadonlySet<string>;
  readonly changes: ContractChange[];
  readonly likenesses: Likenesses;
}

/** What is known of messages that stand in the places of others, by the names of both, and how many fields were looked at for it. */
export interface Likenesses {
  readonly known: Map<string, Likeness>;
  fields: number;
}

/** What stays as it was where a type stands in the place of another. */
export interface Likeness {
  /** What was written as the one is read as the other. */
  readonly inBytes: boolean;
  readonly inJson: boolean;
}

/** Where something stands in its revision. */
export interface Place {
  readonly path: string;
  readonly schema: ProtoSchema;
  readonly line: number;
}

export interface Told {
  readonly id: string;
  readonly severity: ChangeSeverity;
  readonly compatibility: readonly Compatibility[];
  readonly subject: string;
  readonly message: string;
  readonly before?: Place | undefined;
  readonly after?: Place | undefined;
}

/** Who reaches a change: whoever has a type in what is sent, some methods, or everybody. */
export type Reached = { readonly type: string } | { readonly callers: Callers } | { readonly everything: true };

/** What a call that finds nobody breaks. */
export const everywhere: readonly Compatibility[] = ['wire', 'json', 'source'];

/** More than are shown, so that those that break something are among them. */
const mostKept = 10 * mostChanges;

export function tell({ reach, changes }: Comparison, reached: Reached, told: Told): void {
  if (changes.length > mostKept && told.severity !== 'breaking') return;
  const { services, methods } =
    'type' in reached ? reach.of(reached.type) : 'callers' in reached ? reached.callers : reach.all;
  const { before, after, ...rest } = told;
  changes.push({
    ...rest,
    services,
    methods,
    ...('type' in reached ? { type: reached.type } : 'callers' in reached ? { type: '' } : {}),
    ...(before === undefined ? {} : { before: shown(before) }),
    ...(after === undefined ? {} : { after: shown(after) }),
  });
}

function shown({ path, schema, line }: Place): ChangePlace {
  return placeOf(path, schema.lines, line);
}

/** Whether the same type is meant on both sides. Of what no file declares the shorter name may be the end of the longer. */
export function isSameType({ earlierNames }: Comparison, before: MeantType, after: MeantType): boolean {
  const later = earlierNames.get(after.name) ?? after.name;
  if (before.name === later) return true;
  if (before.kind !== 'unknown' && after.kind !== 'unknown') return false;
  return before.name.endsWith(`.${later}`) || later.endsWith(`.${before.name}`);
}

/** A declaration's full name within the package of its file. */
export function fullName(schema: ProtoSchema, name: string): string {
  return qualified(schema.package, name);
}
