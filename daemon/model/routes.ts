/** A route of HTTP that a repository serves. */
export interface KnownRoute {
  /** In capitals; '' where any may be meant. */
  readonly method: string;
  /** With `{}` for each parameter. */
  readonly path: string;
  /** Its last parameter may stand for several segments. */
  readonly isOpen?: true;
}

/** What one file tells of the routes that are served: a pure function of its path and text. */
export interface SeenRoutes {
  readonly routes: readonly KnownRoute[];
  /** Paths that something may be mounted at, below which routes of other files stand. */
  readonly mounts: readonly string[];
}

export const noRoutes: SeenRoutes = { routes: [], mounts: [] };

/** Whether a file is an OpenAPI document by its name: `openapi.yaml`, `orders.openapi.json`, `swagger.yml`. */
export function isOpenApiName(path: string): boolean {
  return /(?:^|[/._-])(?:openapi|swagger)(?:[._-][\w.-]{1,60})?\.(?:ya?ml|json)$/i.test(path);
}
