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
  /** -1 until it has been found. */
  expression: number;
  /** What finds it, where nobody has asked yet. */
  find: (() => number) | undefined;
  /** Bound further out, too: what it is found to be as far as this scope goes. */
  readonly isNarrowing: boolean;
}

interface Scope {
  readonly kind: ScopeKind;
  /** None before the first name: many a block binds nothing. */
  names: Map<string, Bound> | undefined;
}

/**
 * The lexical scopes of a walk. A name is bound to an expression index, or to a function that gives it when first
 * needed (a local's type may hang on names declared further down); -1 is "bound here, value unknown".
 *
 * A class, as is all that walks ask again and again: of a function that is made anew for each file, what the engine has
 * compiled is garbage when it collects any between two files.
 */
export class Scopes {
  readonly #stack: Scope[] = [{ kind: 'file', names: undefined }];
  /** What is found for a name further out is no narrower for where it is first asked for. */
  #narrowest = Number.POSITIVE_INFINITY;

  /** Runs `body` in a new innermost scope. `isFunction` tells where hoisted declarations (`var`) stop. */
  inside(kind: ScopeKind, body: () => void): void {
    this.#stack.push({ kind, names: undefined });
    body();
    this.#stack.pop();
  }

  declare(name: string, value: Binding, kind: BindingKind = 'local'): void {
    bind(this.#stack[this.#stack.length - 1]!, name, value, kind);
  }

  /** Declares in the nearest function scope. */
  hoist(name: string, value: Binding, kind: BindingKind = 'local'): void {
    let depth = this.#stack.length - 1;
    while (depth > 0 && this.#stack[depth]!.kind !== 'function') depth--;
    bind(this.#stack[depth]!, name, value, kind);
  }

  /** Says more of a local that is bound already, up to the end of the innermost scope. */
  narrow(name: string, value: number): void {
    const scope = this.#stack[this.#stack.length - 1]!;
    scope.names ??= new Map();
    scope.names.set(name, { kind: 'local', expression: value, find: undefined, isNarrowing: true });
  }

  /**
   * The innermost binding of a name, or undefined where no scope of the file binds it; `isMeant` tells of those of a
   * language in which a name is several things.
   */
  resolve(name: string, isMeant?: (bound: Resolution) => boolean): Resolution | undefined {
    for (let depth = this.#stack.length - 1; depth >= 0; depth--) {
      const bound = this.#stack[depth]!.names?.get(name);
      if (bound === undefined || (bound.isNarrowing && depth > this.#narrowest)) continue;
      if (bound.find !== undefined) this.#settle(bound, bound.find, depth);
      if (isMeant === undefined || isMeant(bound)) return bound;
    }
    return undefined;
  }

  /** `const x = f(x)` asks for itself: the inner question gets "unknown". */
  #settle(bound: Bound, find: () => number, depth: number): void {
    const outer = this.#narrowest;
    this.#narrowest = depth;
    bound.find = undefined;
    bound.expression = find();
    this.#narrowest = outer;
  }
}

function bind(scope: Scope, name: string, value: Binding, kind: BindingKind): void {
  const isFound = typeof value === 'number';
  scope.names ??= new Map();
  scope.names.set(name, {
    kind,
    expression: isFound ? value : -1,
    find: isFound ? undefined : value,
    isNarrowing: false,
  });
}
