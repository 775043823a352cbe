import type { ApiOperation, ApiParameter } from '../../../../model/openapi-schema.ts';
import { compareCallbacks } from './call-rules.ts';
import type { Holder, Put } from './found.ts';
import { compareLost } from './lost-rules.ts';
import { compareBodies, compareResponses } from './message-rules.ts';
import { parametersIn } from './paths.ts';
import { compareSecurity } from './security-rules.ts';
import { compareShapes, type ShapePairs } from './shape-pairs.ts';
import { compareStyles } from './style-rules.ts';

/** Two revisions of an operation; one that came, or went. */
export function compareOperation(
  pairs: ShapePairs,
  within: Holder,
  was: ApiOperation | undefined,
  is: ApiOperation | undefined,
): void {
  const put: Put = found => {
    within.changes.push({ where: '', ...found });
  };
  if (was === undefined || is === undefined) {
    put(
      was === undefined
        ? {
            id: 'operation-added',
            severity: 'safe',
            compatibility: [],
            message: 'the operation was added',
            after: is?.line,
          }
        : {
            id: 'operation-removed',
            severity: 'breaking',
            compatibility: ['request'],
            message: was.isDeprecated
              ? 'the operation was removed, deprecated before'
              : 'the operation was removed, without having been deprecated',
            before: was.line,
          },
    );
    return;
  }
  compareMarks(put, was, is);
  compareSecurity(put, was, is);
  const lost = compareLost(put, was, is);
  compareParameters(pairs, within, put, was, is, lost.has('parameters'));
  if (!lost.has('request')) compareBodies(pairs, within, put, was.body, is.body);
  const known = ({ responses }: ApiOperation) => responses.filter(({ status }) => !lost.has(`response ${status}`));
  compareResponses(pairs, within, put, known(was), known(is));
  compareCallbacks(pairs, within, put, was.callbacks, is.callbacks);
}

function compareMarks(put: Put, was: ApiOperation, is: ApiOperation): void {
  const at = { before: was.line, after: is.line };
  if (was.operationId !== is.operationId && was.operationId !== '') {
    put({
      id: 'operation-id-changed',
      severity: 'risky',
      compatibility: ['source'],
      message: `operationId changed from ${was.operationId} to ${is.operationId || 'none'}: methods of generated clients change their names`,
      ...at,
    });
  }
  if (is.isDeprecated && !was.isDeprecated)
    put({
      id: 'operation-deprecated',
      severity: 'safe',
      compatibility: [],
      message: 'the operation is deprecated',
      ...at,
    });
}

/** Of a path by their place in it, of anything else by their names; those of headers in any case. */
function keysOf(operation: ApiOperation): Map<string, ApiParameter> {
  const inPath = parametersIn(operation.path);
  return new Map(
    operation.parameters.map(parameter => {
      const { place, name } = parameter;
      const known = place === 'path' ? String(inPath.indexOf(name)) : place === 'header' ? name.toLowerCase() : name;
      return [`${place} ${known}`, parameter];
    }),
  );
}

/** `isLost`: where not all are known, none is taken to have come or gone. */
function compareParameters(
  pairs: ShapePairs,
  within: Holder,
  put: Put,
  was: ApiOperation,
  is: ApiOperation,
  isLost: boolean,
): void {
  const [old, now] = [keysOf(was), keysOf(is)];
  for (const [key, parameter] of old) {
    const counterpart = now.get(key);
    if (counterpart !== undefined) compareParameter(pairs, within, put, parameter, counterpart);
    else if (!isLost) tellRemoved(put, parameter);
  }
  if (isLost) return;
  for (const [key, parameter] of now) if (!old.has(key)) tellAdded(put, parameter);
}

function whereOf({ place, name }: ApiParameter): string {
  return `${place} ${name}`;
}

/** What a path has no place for, the document says by mistake. */
function tellRemoved(put: Put, parameter: ApiParameter): void {
  const where = whereOf(parameter);
  put({
    id: 'parameter-removed',
    severity: 'risky',
    compatibility: ['request'],
    where,
    message: `the parameter ${parameter.name} was removed: who sends it is refused, or not heard`,
    before: parameter.line,
  });
}

function tellAdded(put: Put, parameter: ApiParameter): void {
  const { name, isRequired, line } = parameter;
  put({
    id: isRequired ? 'required-parameter-added' : 'parameter-added',
    severity: isRequired ? 'breaking' : 'safe',
    compatibility: isRequired ? ['request'] : [],
    where: whereOf(parameter),
    message: isRequired
      ? `the required parameter ${name} was added: requests without it are refused`
      : `the parameter ${name} was added`,
    after: line,
  });
}

function compareParameter(pairs: ShapePairs, within: Holder, put: Put, was: ApiParameter, is: ApiParameter): void {
  const at = { where: whereOf(was), before: was.line, after: is.line };
  if (was.name !== is.name && was.place === 'path') {
    const message = `the parameter ${was.name} of the path is called ${is.name} now: requests stay the same`;
    put({ id: 'path-parameter-renamed', severity: 'safe', compatibility: [], message, ...at });
  }
  if (was.isRequired !== is.isRequired) {
    put(
      is.isRequired
        ? {
            id: 'parameter-became-required',
            severity: 'breaking',
            compatibility: ['request'],
            message: `the parameter ${was.name} is required now: requests without it are refused`,
            ...at,
          }
        : {
            id: 'parameter-became-optional',
            severity: 'safe',
            compatibility: [],
            message: `the parameter ${was.name} is no longer required`,
            ...at,
          },
    );
  }
  if (is.isDeprecated && !was.isDeprecated) {
    const message = `the parameter ${was.name} is deprecated`;
    put({ id: 'parameter-deprecated', severity: 'safe', compatibility: [], message, ...at });
  }
  compareStyles(pairs, put, was, is);
  const isText = inAddress(was) && inAddress(is);
  const isOptional = !was.isRequired && !is.isRequired;
  compareShapes(pairs, within, { direction: 'request', isText, isOptional, old: was.shape, now: is.shape, ...at });
}

/** As it is, and not as JSON. */
function inAddress({ place, style }: ApiParameter): boolean {
  return (place === 'path' || place === 'query') && !style.name.includes('/');
}
