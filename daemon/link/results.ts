import type { MountedDocument } from '../model/document.ts';
import type { Cells } from './cells.ts';
import type { CellsOfDefinitions } from './definition-cells.ts';
import { substituted, through, within } from './environments.ts';
import { foreignResult } from './foreign.ts';
import { instance, isSelf } from './instances.ts';
import { resultOf } from './library.ts';
import { either, first, optionsOf, then } from './options.ts';
import { hasAccessor, heldBy, inCallersEyes, isResult, isType, roleOf } from './roles.ts';
import type { DefinitionValue, Value } from './values.ts';

export interface Results {
  /** The value of a variable, the result of a function, what an alias stands for. */
  typeOf(of: DefinitionValue): Value | undefined;
  /** The function that a value of a type is; what a function makes, which is of the function itself, is none. */
  signatureOf(of: DefinitionValue): Value | undefined;
  /** What calling a value gives. */
  call(of: Value): Value | undefined;
  /** What a variable holds; anything else is itself. */
  held(of: Value | undefined): Value | undefined;
}

interface Sources {
  readonly cells: Cells<Value, MountedDocument>;
  readonly cellsOf: CellsOfDefinitions;
  evaluate(document: MountedDocument, index: number): Value | undefined;
}

export function createResults({ cells, cellsOf, evaluate }: Sources): Results {
  const typeOf = (of: DefinitionValue): Value | undefined => {
    const bare = cells.get(cellsOf({ scope: of.scope, tail: of.tail }).facets, 'type', () =>
      first(inCallersEyes(of), ({ document, slot }) => {
        const { type } = document.facts.definitions[slot]!;
        return type < 0
          ? undefined
          : either(optionsOf(evaluate(document, type)).filter(one => isResult(of, one) || !isSelf(of, one)));
      }),
    );
    return of.environment === undefined ? bare : within(bare, of.environment);
  };

  const signatureOf = (of: DefinitionValue): Value | undefined => (roleOf(of) === 'callable' ? undefined : typeOf(of));

  const call = (of: Value): Value | undefined => {
    switch (of.kind) {
      case 'definition':
        // A named type that is called converts to itself (Go, C++), whatever calling a value of it gives.
        return roleOf(of) === 'alias' ? instance(of) : callDefinition(of);
      case 'function':
        return of.of;
      case 'either':
        return first(of.options, call);
      case 'method':
        return resultOf(of.receiver, of.name) ?? foreignResult(of, '()');
      case 'applied':
        if (of.of.kind === 'method') return resultOf(of.of.receiver, of.of.name, of.arguments[0]);
        if (of.of.kind === 'external') return undefined;
        if (of.of.kind !== 'definition') return call(of.of);
        return isType(of.of) ? instance(of) : substituted(call(of.of), of);
      case 'instance':
        return through(of.of, type =>
          roleOf(type) === 'alias' ? callDefinition(type) : then(signatureOf(type), call),
        );
      case 'external':
        return foreignResult(of, '()');
      case 'variable':
      case 'module':
      case 'scope':
        return undefined;
    }
  };

  const callDefinition = (of: DefinitionValue): Value | undefined =>
    cells.get(cellsOf(of).facets, 'call', () => resultOfDefinition(of));

  const resultOfDefinition = (of: DefinitionValue): Value | undefined => {
    switch (roleOf(of)) {
      case 'type':
        return instance(of);
      case 'callable':
        return typeOf(of);
      case 'value':
      case 'alias':
        return then(typeOf(of), call) ?? (hasAccessor(of) ? typeOf(of) : undefined);
      case 'place':
        return undefined;
    }
  };

  const held = (of: Value | undefined): Value | undefined => {
    const value = heldBy(of, typeOf);
    return value?.kind === 'method' ? resultOf(value.receiver, value.name) : value;
  };

  return { typeOf, signatureOf, call, held };
}
