import type { MountedDocument } from '../model/document.ts';
import { copiedPosition, guardPosition, lastPosition, receiverPosition, typePosition } from '../model/facts.ts';
import { shapeOf } from '../model/parameter-shape.ts';
import type { Cells } from './cells.ts';
import type { CellsOfDefinitions } from './definition-cells.ts';
import { substituted, through, within } from './environments.ts';
import { instance } from './instances.ts';
import { guardedBy, takenByFunction, takenByMethod } from './library.ts';
import { either, then } from './options.ts';
import { roleOf } from './roles.ts';
import type { DefinitionValue, Site, Value } from './values.ts';

interface Sources {
  readonly cells: Cells<Value, MountedDocument>;
  readonly cellsOf: CellsOfDefinitions;
  evaluate(document: MountedDocument, index: number): Value | undefined;
  typeOf(of: DefinitionValue): Value | undefined;
  /** The function that a value of a type is. */
  signatureOf(of: DefinitionValue): Value | undefined;
  constructorOf(of: DefinitionValue): Value | undefined;
  /** What calling a value gives. */
  call(of: Value): Value | undefined;
  /** What a variable holds; anything else is itself. */
  held(of: Value): Value | undefined;
}

/** What the parameter at a position takes, of a function or of what is one in the end. */
export function createParameters(sources: Sources): (of: Value, position: number) => Value | undefined {
  const { cells, cellsOf, evaluate, typeOf, signatureOf, constructorOf, call, held } = sources;
  const parameter = (of: Value, position: number): Value | undefined => {
    switch (of.kind) {
      case 'definition': {
        // What an extension is called on stands in front.
        const at = of.on === undefined || position >= lastPosition ? position : position + 1;
        return cells.get(cellsOf(of).facets, `parameter ${at}`, () => parameterOfDefinition(of, at));
      }
      case 'applied':
        if (of.of.kind === 'function') return taken(of.arguments, position);
        return substituted(parameter(of.of, position), of);
      case 'either':
        return either(of.options.map(one => parameter(one, position)));
      case 'instance':
        return (
          takenByFunction(of, position) ??
          through(of.of, type =>
            roleOf(type) === 'alias'
              ? parameter(type, position)
              : then(signatureOf(type), given => parameter(given, position)),
          )
        );
      case 'method':
        return position === copiedPosition ? of.receiver : takenByMethod(of.receiver, of.name, position);
      case 'function':
        return position === copiedPosition ? of.of : undefined;
      case 'variable':
      case 'external':
      case 'module':
      case 'scope':
        return undefined;
    }
  };

  const parameterOfDefinition = (of: DefinitionValue, position: number): Value | undefined => {
    switch (roleOf(of)) {
      case 'callable':
        return either(of.sites.map(site => parameterAt(of, site, position)));
      case 'type':
        return then(constructorOf(of), made => parameter(made, position));
      case 'value':
      case 'alias':
        return then(typeOf(of), type => parameter(type, position));
      case 'place':
        return undefined;
    }
  };

  const parameterAt = (of: DefinitionValue, { document, slot }: Site, position: number): Value | undefined => {
    const { supers } = document.facts.definitions[slot]!;
    const isReceiver = (index: number | undefined): boolean =>
      index !== undefined && shapeOf(at => document.facts.expressions[at]!, index) === 'receiver';
    const inOrder = position === lastPosition ? supers.length - 1 : position + (isReceiver(supers[0]) ? 1 : 0);
    const at = position === receiverPosition ? 0 : inOrder;
    if (position === receiverPosition && !isReceiver(supers[0])) return undefined;
    const takes = supers[at] === undefined ? undefined : evaluate(document, supers[at]);
    return of.environment === undefined ? takes : within(takes, of.environment);
  };

  return (of, position) => {
    switch (position) {
      case guardPosition:
        return then(call(of), guardedBy);
      case typePosition:
        return then(held(of), typeHeld);
      default:
        return parameter(of, position);
    }
  };
}

/** Of a function's parameters; what the function is called on stands in front of them, marked. */
function taken(parameters: readonly (Value | undefined)[], position: number): Value | undefined {
  const [first] = parameters;
  const isMark = first?.kind === 'applied' && first.of.kind === 'external' && first.of.name === ':receiver';
  if (position === receiverPosition) return isMark ? first.arguments[0] : undefined;
  return parameters[isMark ? position + 1 : position];
}

/** The type of a value; where it is of a list or may be missing, that of what is in it. */
function typeHeld(value: Value): Value | undefined {
  if (value.kind === 'either') return sameOf(value.options.map(typeHeld));
  if (value.kind !== 'instance') return undefined;
  const { of } = value;
  if (of.kind === 'either') return sameOf(of.options);
  const isAround = of.kind === 'applied' && of.of.kind === 'external' && /^(?:Array|Nullable)$/.test(of.of.name);
  if (isAround) return then(of.arguments[0], inner => typeHeld(instance(inner)));
  return of.kind === 'variable' ? undefined : of;
}

function sameOf([first, ...rest]: readonly (Value | undefined)[]): Value | undefined {
  const isSame = (one: Value | undefined): boolean =>
    one?.kind === 'definition' && first?.kind === 'definition' && one.scope === first.scope && one.tail === first.tail;
  return rest.every(isSame) ? first : undefined;
}
