/** What tells an operation from others, the names of parameters left out: `GET /carts/{}`. */
export function operationKey({ method, path }: { readonly method: string; readonly path: string }): string {
  return `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;
}

/** In an operation's key: whichever it is asked by. */
export const anyMethod = '*';

/** The names of a path's parameters, in its order. */
export function parametersIn(path: string): readonly string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name!);
}
