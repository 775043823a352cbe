/**
 * The lexical scopes of a walk. A name is bound to an expression index, or to a function that gives it when first
 * needed (a local's type may hang on names declared further down); -1 is "bound here, value unknown".
 */
export interface Scopes {
  /** Runs `body` in a new innermost scope. `isFunction` tells where hoisted declarations (`var`) stop. */
  inside(kind: ScopeKind, body: () => void): void;
  declare(name: string, value: Binding, kind?: BindingKind): void;
  /** Declares in the nearest function scope. */
  hoist(name: string, value: Binding, kind?: BindingKind): void;
  /** The innermost binding of a name, or undefined where no scope of the file binds it. */
  resolve(name: string): Resolution | undefined;
}

export type ScopeKind = 'file' | 'function' | 'class' | 'block';
export type Binding = number | (() => number);
/** A `local` is a parameter or variable inside a function: uses of it leave no reference. A `global` is a definition or an import. */
export type BindingKind = 'local' | 'global';

export interface Resolution {
  readonly kind: BindingKind;
  /** What the name denotes, -1 where that is not known. */
  readonly expression: number;
}

interface Bound {
  readonly kind: BindingKind;
  value: Binding;
  isBeingFound: boolean;
}

export function createScopes(): Scopes {
  const stack: { readonly kind: ScopeKind; readonly names: Map<string, Bound> }[] = [
    { kind: 'file', names: new Map() },
  ];
  const bind = (depth: number, name: string, value: Binding, kind: BindingKind): void => {
    stack[depth]!.names.set(name, { kind, value, isBeingFound: false });
  };
  return {
    inside(kind, body) {
      stack.push({ kind, names: new Map() });
      body();
      stack.pop();
    },
    declare: (name, value, kind = 'local') => bind(stack.length - 1, name, value, kind),
    hoist(name, value, kind = 'local') {
      let depth = stack.length - 1;
      while (depth > 0 && stack[depth]!.kind !== 'function') depth--;
      bind(depth, name, value, kind);
    },
    resolve(name) {
      for (let depth = stack.length - 1; depth >= 0; depth--) {
        const bound = stack[depth]!.names.get(name);
        if (bound !== undefined) return { kind: bound.kind, expression: settle(bound) };
      }
      return undefined;
    },
  };
}

/** `const x = f(x)` asks for itself: the inner question gets "unknown". */
function settle(bound: Bound): number {
  if (typeof bound.value === 'number') return bound.value;
  if (bound.isBeingFound) return -1;
  bound.isBeingFound = true;
  bound.value = bound.value();
  bound.isBeingFound = false;
  return bound.value;
}
