import {
  type ApiCall,
  type ApiOperation,
  type ApiParameter,
  type ApiPath,
  briefAddress,
  type LostReference,
} from '../../../model/openapi-schema.ts';
import { at, type DocumentNode, isTrue, itemsOf, mapOf, textOf } from '../document/nodes.ts';
import { addressOf, ownAddress } from './addresses.ts';
import { bodyOf, bodyOfParameters, type MessageReading, responsesOf } from './messages.ts';
import { followed, leadsElsewhere } from './references.ts';
import { schemesIn, schemesOf } from './schemes.ts';
import { type ShapesRead, shapeOf } from './shape.ts';
import { oldStyle, styleOf } from './styles.ts';

const methods = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']);

const mostParts = 500_000;

/** The operations of a document in its order, and what it calls by itself; those that references make too many are left out. */
export function operationsOf(
  root: DocumentNode,
  shapes: ShapesRead,
): { readonly operations: readonly ApiOperation[]; readonly webhooks: readonly ApiCall[] } {
  const reading: MessageReading = {
    root,
    shapes,
    contents: new Map(),
    headers: new Map(),
    schemes: schemesIn(root, shapes.version),
    address: briefAddress(addressOf(root, shapes.version)),
    left: mostParts,
  };
  const operations = [...mapOf(at(root, 'paths')).entries].flatMap(([path, { value }]) =>
    path.startsWith('/')
      ? operationsAt(reading, path, value).map(one => ({ ...one.operation, callbacks: callbacksOf(reading, one.node) }))
      : [],
  );
  const webhooks = [...mapOf(at(root, 'webhooks')).entries].flatMap(([name, { value }]) =>
    operationsAt(reading, '', value).map(({ operation }) => callOf(name, operation)),
  );
  return { operations, webhooks };
}

/** Those of one path, with the nodes that they are read from. */
function operationsAt(reading: MessageReading, path: string, value: DocumentNode) {
  const item = mapOf(followed(reading.root, value));
  return [...item.entries].flatMap(([method, { line, value: node }]) => {
    if (!methods.has(method) || reading.left < 0) return [];
    const operation = operationOf(reading, { method: method.toUpperCase(), path, line }, node, item);
    reading.left -= 1 + operation.parameters.length + operation.responses.length;
    return [{ operation, node }];
  });
}

/** By their names and the expressions that say where they go. */
function callbacksOf(reading: MessageReading, node: DocumentNode): readonly ApiCall[] {
  return [...mapOf(at(node, 'callbacks')).entries].flatMap(([name, { value }]) =>
    [...mapOf(followed(reading.root, value)).entries].flatMap(([expression, item]) =>
      expression.startsWith('x-')
        ? []
        : operationsAt(reading, expression, item.value).map(({ operation }) => callOf(name, operation)),
    ),
  );
}

function callOf(name: string, operation: ApiOperation): ApiCall {
  return {
    name: [name, operation.method, operation.path].filter(part => part !== '').join(' '),
    operation: { ...operation, security: [] },
  };
}

/** The paths of a document whose items are references to other files. */
export function pathsElsewhere(root: DocumentNode): readonly ApiPath[] {
  return [...mapOf(at(root, 'paths')).entries].flatMap(([path, { line, value }]) =>
    path.startsWith('/') && leadsElsewhere(root, value) ? [{ path, line }] : [],
  );
}

function operationOf(
  reading: MessageReading,
  told: Pick<ApiOperation, 'method' | 'path' | 'line'>,
  node: DocumentNode,
  item: DocumentNode,
): ApiOperation {
  const { root, shapes } = reading;
  const given = parametersAt(root, item, node);
  const own = mapOf(node).entries.get('security') ?? mapOf(root).entries.get('security');
  const isOld = shapes.version === '2.0';
  const address = ownAddress(reading.address, shapes.version, [node, item]);
  return {
    ...told,
    ...(address === undefined ? {} : { address }),
    operationId: textOf(at(node, 'operationId')) ?? '',
    isDeprecated: isTrue(at(node, 'deprecated')),
    parameters: given.flatMap(one => parameterOf(reading, one)),
    body: isOld ? bodyOfParameters(reading, given, node) : bodyOf(reading, at(node, 'requestBody')),
    responses: responsesOf(reading, node),
    security: itemsOf(own?.value).map(one => schemesOf(one, reading.schemes)),
    securityLine: own?.line ?? told.line,
    callbacks: [],
    lost: lostOf(root, item, node),
  };
}

function lostOf(root: DocumentNode, item: DocumentNode, node: DocumentNode): readonly LostReference[] {
  const parameters = [item, node].flatMap(holder => itemsOf(at(holder, 'parameters')));
  const responses = [...mapOf(at(node, 'responses')).entries];
  return [
    ...parameters.flatMap(one => lostReference(root, 'parameters', one)),
    ...lostReference(root, 'request', at(node, 'requestBody')),
    ...responses.flatMap(([status, { value }]) => lostReference(root, `response ${status}`, value)),
  ];
}

function lostReference(root: DocumentNode, part: string, node: DocumentNode | undefined): readonly LostReference[] {
  const reference = textOf(at(node, '$ref'));
  if (node === undefined || reference === undefined || followed(root, node) !== undefined) return [];
  return [{ part, reference, line: node.line }];
}

/** References followed; what the operation says goes before what the path says of the same parameter. */
function parametersAt(root: DocumentNode, item: DocumentNode, operation: DocumentNode): readonly DocumentNode[] {
  const found = new Map<string, DocumentNode>();
  for (const holder of [item, operation]) {
    for (const one of itemsOf(at(holder, 'parameters'))) {
      const parameter = followed(root, one);
      if (parameter !== undefined)
        found.set(`${textOf(at(parameter, 'in'))} ${textOf(at(parameter, 'name'))}`, parameter);
    }
  }
  return [...found.values()];
}

/** Version 3 has them ignored among parameters: bodies, answers and security say them. */
const saidElsewhere = new Set(['accept', 'content-type', 'authorization']);

function parameterOf({ shapes }: MessageReading, node: DocumentNode): readonly ApiParameter[] {
  const place = textOf(at(node, 'in'));
  const name = textOf(at(node, 'name'));
  if (name === undefined || (place !== 'path' && place !== 'query' && place !== 'header' && place !== 'cookie'))
    return [];
  const [[mediaType, content] = []] = mapOf(at(node, 'content')).entries;
  const isOld = shapes.version === '2.0';
  if (place === 'header' && !isOld && saidElsewhere.has(name.toLowerCase())) return [];
  const schema = isOld ? node : (at(node, 'schema') ?? at(content?.value, 'schema'));
  return [
    {
      place,
      name,
      line: node.line,
      isRequired: place === 'path' || isTrue(at(node, 'required')),
      isDeprecated: isTrue(at(node, 'deprecated')),
      style: isOld
        ? oldStyle(node, place)
        : mediaType === undefined
          ? styleOf(node, place)
          : { name: mediaType, isExploded: false },
      shape: shapeOf(schema, shapes, node.line),
    },
  ];
}
