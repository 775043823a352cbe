import type { OpenApiOutline } from '../../model/contract.ts';
import { isOpenApiName, type KnownRoute, noRoutes, type SeenRoutes } from '../../model/routes.ts';
import { contractIn } from '../api-contract/contract-in.ts';
import { contractUsesIn } from './contract-uses.ts';
import { readerOf } from './readers.ts';
import { normalPath, withHoles } from './routes/written-path.ts';

/** Raised whenever the same file tells other routes. */
export const routesVersion = 2;

/** Of one file. */
const mostRoutes = 1000;
const mostMounts = 200;

/** Whether a file may tell of routes that are served, by its name. */
export function mayServe(path: string): boolean {
  const language = readerOf(path)?.language;
  return isOpenApiName(path) || (language !== undefined && language !== 'configuration');
}

/** The routes that a file serves, or as an OpenAPI document says, and what it may mount routes of others at. */
export function routesIn(path: string, text: string): SeenRoutes {
  if (isOpenApiName(path)) {
    const outline = contractIn(path, new TextEncoder().encode(text))?.outline;
    return outline?.type === 'openapi' ? { routes: documentRoutes(outline), mounts: [] } : noRoutes;
  }
  const served = contractUsesIn(path, text).flatMap(({ kind, method = '', path: template, seen }): KnownRoute[] =>
    kind !== 'route' || template === undefined
      ? []
      : [{ method, path: template, ...(template.endsWith('{}') && many.test(seen) ? { isOpen: true as const } : {}) }],
  );
  const mounts = mountsIn(text);
  return served.length + mounts.length === 0 ? noRoutes : { routes: distinct(served), mounts };
}

/** How a parameter is written that takes all that is left of a path. */
const many = /\*|\.\.\.|:path\b|\.\+/;

function documentRoutes({ operations, basePaths }: OpenApiOutline): readonly KnownRoute[] {
  const bases = [...new Set(['', ...basePaths])].slice(0, 5);
  return distinct(
    operations.flatMap(({ method, path }) =>
      bases.flatMap(base => {
        const written = normalPath(withHoles(`${base}${path}`));
        return written === undefined ? [] : [{ method, path: written.path }];
      }),
    ),
  );
}

function distinct(routes: readonly KnownRoute[]): readonly KnownRoute[] {
  return [...new Map(routes.map(one => [`${one.method} ${one.path}`, one])).values()].slice(0, mostRoutes);
}

/** `app.use('/users', users)`, `include_router(users, prefix="/users")`, `r.Group("/users")`, `nest("/users", …)`. */
const mount =
  /(?:\b|_)(?:use|mount|nest|nest_service|group|prefix|url_prefix|register|route|router|include|scope|namespace|path|basepath|mapgroup)["']?\s{0,4}[:=(]\s{0,4}[\w.]{0,40}["'`](\/?[\w\-./{}:<>]{2,100})["'`]/gi;

function mountsIn(text: string): readonly string[] {
  const found = new Set<string>();
  for (const [, written] of text.matchAll(mount)) {
    if (found.size >= mostMounts) break;
    const path = normalPath(withHoles(written!), true)?.path;
    if (path !== undefined && /[^/{}]/.test(path)) found.add(path);
  }
  return [...found];
}
