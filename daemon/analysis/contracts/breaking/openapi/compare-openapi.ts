import { appendTo } from '../../../../model/append-to.ts';
import { once } from '../../../../model/once.ts';
import type { ApiOperation, OpenApiSchema } from '../../../../model/openapi-schema.ts';
import { type ContractChange, inOrder, placeOf } from '../change.ts';
import type { AddressChange } from './address-rules.ts';
import { callPairs, compareCall } from './call-rules.ts';
import { flat, flatShapes } from './flat-shape.ts';
import { type Found, type Holder, holder, type Put } from './found.ts';
import { hasOwnAddress, type OperationPair, operationPairs } from './operation-pairs.ts';
import { compareOperation } from './operation-rules.ts';
import { type ShapePairs, shapePairs } from './shape-pairs.ts';
import { compareFlat } from './shape-rules.ts';

/** One revision of a document; undefined where it was not there yet, or is no more. */
export interface OpenApiSide {
  readonly path: string;
  readonly schema: OpenApiSchema | undefined;
}

/**
 * What changed between two revisions of an OpenAPI document: breaking is what is refused of requests that were taken, and what
 * consumers may not expect of answers. What changed in a shape is told once for all operations that have it. References out of
 * the document are held against each other by their names.
 */
export function openApiChanges(before: OpenApiSide, after: OpenApiSide): readonly ContractChange[] {
  const [old, now] = [before.schema, after.schema];
  if (old === undefined || now === undefined) return wholeDocument(before, after);
  const pairs = shapePairs(flatShapes(old), flatShapes(now));
  const { pairs: operations, moved } = operationPairs(old, now);
  const holders = operations.map(({ was, is, moved: own }) => {
    const one = holder(nameOf(was ?? is!));
    // Who calls other operations is not hit by it.
    for (const { found } of own) one.changes.push({ ...found, id: `operation-${found.id}` });
    compareOperation(pairs, one, was, is);
    return one;
  });
  const calls = callPairs(old.webhooks, now.webhooks).map(({ name, was, is }) => {
    const one = holder(`webhook ${name}`);
    const put: Put = found => {
      one.changes.push({ where: '', ...found });
    };
    compareCall({ kind: 'webhook', pairs, within: one, put, around: '' }, was, is);
    return one;
  });
  const all = [...holders, ...calls];
  for (let task = pairs.tasks.pop(); task !== undefined; task = pairs.tasks.pop())
    compareFlat({ pairs, ...task }, flat(pairs.old, task.pair.old), flat(pairs.now, task.pair.now));
  const tell: Tell = (found, name, services) => toldOf(before, after, found, name, services);
  return inOrder([
    ...(before.path === after.path ? [] : [movedDocument(before, after)]),
    ...ofAddress(moved, operations, holders, tell),
    ...ofOperations(all, tell),
    ...ofShapes(pairs, all, tell),
  ]);
}

function nameOf({ method, path }: ApiOperation): string {
  return `${method} ${path}`;
}

type Tell = (found: Found, name: string, services: readonly string[]) => ContractChange;

function toldOf(
  before: OpenApiSide,
  after: OpenApiSide,
  found: Found,
  name: string,
  services: readonly string[],
): ContractChange {
  const { id, severity, compatibility, where, message } = found;
  const joint = where === '' || where.startsWith('[') ? '' : /^(?:[A-Z]+ \/|webhook )/.test(name) ? ' ' : '.';
  return {
    id,
    severity,
    compatibility,
    subject: cut(`${name}${joint}${where}`),
    services,
    methods: [],
    message: cut(message),
    ...(found.before === undefined ? {} : { before: placeOf(before.path, before.schema!.lines, found.before) }),
    ...(found.after === undefined ? {} : { after: placeOf(after.path, after.schema!.lines, found.after) }),
  };
}

/** Keys of a document may be of any length. */
const longestText = 500;

function cut(text: string): string {
  return text.length > longestText ? `${text.slice(0, longestText)}…` : text;
}

function ofOperations(holders: readonly Holder[], tell: Tell): readonly ContractChange[] {
  return holders.flatMap(({ name, changes }) => changes.map(found => tell(found, name, [name])));
}

/** Steps from shape to shape; where a document needs more, the rest is told of all operations. */
const mostSteps = 4_000_000;

/** What is found of a shape by the rules of parameters and by those of bodies alike is told once. */
function ofShapes(pairs: ShapePairs, operations: readonly Holder[], tell: Tell): readonly ContractChange[] {
  const shapes = [...pairs.holders.values()].flatMap(byOld =>
    [...byOld.values()].flatMap(byNow => [...byNow.values()]),
  );
  const changed = shapes.filter(shape => shape.changes.length > 0);
  if (changed.length === 0) return [];
  const users = new Map<Holder, Holder[]>();
  for (const user of [...operations, ...shapes]) for (const shape of user.shapes) appendTo(users, shape, user);
  const own = new Set(operations);
  const all = once(() => operations.map(({ name }) => name).sort());
  let steps = 0;
  const operationsOf = (shape: Holder): readonly string[] => {
    const seen = new Set([shape]);
    for (const at of seen) {
      steps += 1 + (users.get(at)?.length ?? 0);
      if (steps > mostSteps) return all();
      for (const user of users.get(at) ?? []) seen.add(user);
    }
    return [...new Set([...seen].filter(one => own.has(one)).map(({ name }) => name))].sort();
  };
  const told = new Map<string, ContractChange>();
  for (const shape of changed) {
    const services = operationsOf(shape);
    for (const found of shape.changes) {
      const key = JSON.stringify([shape.name, found]);
      const known = told.get(key)?.services ?? [];
      told.set(
        key,
        tell(found, shape.name, known.length === 0 ? services : [...new Set([...known, ...services])].sort()),
      );
    }
  }
  return [...told.values()];
}

/** Where the whole document is found, told of those that have no address of their own; of nobody where all have. */
function ofAddress(
  moved: readonly AddressChange[],
  operations: readonly OperationPair[],
  holders: readonly Holder[],
  tell: Tell,
): readonly ContractChange[] {
  const services = holders.filter((_, index) => !hasOwnAddress(operations[index]!)).map(({ name }) => name);
  if (services.length === 0 && holders.length > 0) return [];
  return moved.map(({ was, found }) => tell(found, was, services.sort()));
}

/** What is asked and answered stays as it is; who generates code from the document, or fetches it, has to follow. */
function movedDocument(before: OpenApiSide, after: OpenApiSide): ContractChange {
  const [old, now] = [before.schema!, after.schema!];
  return {
    id: 'file-moved',
    severity: 'risky',
    compatibility: [],
    subject: before.path,
    services: old.operations.map(nameOf).sort(),
    methods: [],
    message: `${before.path} is ${after.path} now: what generates code from it has to follow`,
    before: placeOf(before.path, old.lines, old.titleLine),
    after: placeOf(after.path, now.lines, now.titleLine),
  };
}

function wholeDocument(before: OpenApiSide, after: OpenApiSide): readonly ContractChange[] {
  const side = before.schema === undefined ? after : before;
  if (side.schema === undefined) return [];
  const services = side.schema.operations.map(nameOf).sort();
  const place = placeOf(side.path, side.schema.lines, side.schema.titleLine);
  const shared = { subject: side.path, services, methods: [] };
  return before.schema === undefined
    ? [
        {
          id: 'file-added',
          severity: 'safe',
          compatibility: [],
          ...shared,
          message: `${side.path} was added`,
          after: place,
        },
      ]
    : [
        {
          id: 'file-deleted',
          severity: 'breaking',
          compatibility: ['request', 'response'],
          ...shared,
          message: `${side.path} was deleted`,
          before: place,
        },
      ];
}
