import { createHash } from 'node:crypto';
import type { ScopeKey } from './document.ts';

/** Identity of a definition inside a repository: 32 hex digits over scope key and tail. */
export function symbolHash(scope: ScopeKey, tail: string): string {
  return createHash('sha256').update(`${scope}\0${tail}`).digest('hex').slice(0, 32);
}

/** `svc:<repo>:sym:<hash>`. */
export function symbolId(repository: string, hash: string): string {
  return `svc:${repository}:sym:${hash}`;
}

/** Suffixes of SCIP's descriptor grammar. */
export type DescriptorSuffix =
  | 'namespace'
  | 'type'
  | 'term'
  | 'method'
  | 'type-parameter'
  | 'parameter'
  | 'meta'
  | 'macro';

/**
 * One SCIP descriptor: `name/`, `name#`, `name.`, `name(disambiguator).`, `[name]`, `(name)`, `name:`, `name!`.
 * A name that is no simple identifier stands in backticks, a backtick in it doubled.
 */
export function descriptor(name: string, suffix: DescriptorSuffix, disambiguator = ''): string {
  const text = /^[\w+\-$]+$/.test(name) ? name : `\`${name.replaceAll('`', '``')}\``;
  switch (suffix) {
    case 'namespace':
      return `${text}/`;
    case 'type':
      return `${text}#`;
    case 'term':
      return `${text}.`;
    case 'method':
      return `${text}(${disambiguator}).`;
    case 'type-parameter':
      return `[${text}]`;
    case 'parameter':
      return `(${text})`;
    case 'meta':
      return `${text}:`;
    case 'macro':
      return `${text}!`;
  }
}
