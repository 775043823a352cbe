import type { Value } from '../values.ts';
import { packageNamed } from './node-manifests.ts';

/**
 * Whose a module is that is none of the repository: a package of npm or JSR, without its version; a part of Node.js, Bun,
 * Deno or Cloudflare's workers; the host that serves it. Undefined where no registry would take the name: what it stands for
 * some configuration or a bundler's plugin says, or none that is read.
 */
export function dependencyNamed(specifier: string): Value | undefined {
  const [, scheme, rest = ''] = /^([a-z][a-z\d+.-]*):(.*)$/s.exec(specifier) ?? [];
  switch (scheme) {
    case undefined:
      return ofRegistry(specifier);
    case 'node':
    case 'bun':
    case 'deno':
    case 'cloudflare':
      return external(scheme, rest);
    case 'npm':
    case 'jsr':
      return external(scheme, withoutVersion(rest.replace(/^\//, '')));
    case 'http':
    case 'https': {
      const host = /^\/\/(?:[^/?#]*@)?([^/?#]+)/.exec(rest)?.[1];
      return host === undefined ? undefined : external('url', host.toLowerCase());
    }
    default:
      return undefined;
  }
}

function ofRegistry(specifier: string): Value | undefined {
  if (builtins.has(specifier)) return external('node', specifier);
  if (specifier === 'bun') return external('bun', specifier);
  return isAlias.test(specifier) ? undefined : external('npm', packageNamed(specifier).name);
}

/** Names that no registry would take: `@/x`, `~/x`, `#x`. */
const isAlias = /^(?:$|@(?:\/|$)|[~#])/;

/** Of `@std/path@^1/posix` the package. */
function withoutVersion(specifier: string): string {
  return packageNamed(specifier).name.replace(/(?<=.)@.*$/, '');
}

function external(manager: string, name: string): Value {
  return { kind: 'external', manager, package: name, name: '' };
}

/** Modules of Node.js that are named without `node:` as well: it looks for no package of their name. */
const builtins: ReadonlySet<string> = new Set(
  `assert assert/strict async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns
  dns/promises domain events fs fs/promises http http2 https inspector inspector/promises module net os path path/posix
  path/win32 perf_hooks process punycode querystring readline readline/promises repl stream stream/consumers
  stream/promises stream/web string_decoder sys timers timers/promises tls trace_events tty url util util/types v8 vm wasi
  worker_threads zlib`.split(/\s+/),
);
