import { lineOf } from '../../tree.ts';
import type { Walk } from './context.ts';

/** `/// <reference path="a.d.ts" />` and `/// <reference types="x" />` above a file's first statement: for types alone. */
export function declareReferenceDirectives({ tree, facts }: Walk): void {
  for (const node of tree.namedChildren(0)) {
    if (!/^(?:comment|hash_bang_line)$/.test(tree.kind(node))) return;
    const [, kind, written] = directive.exec(tree.text(node)) ?? [];
    if (kind === undefined || written === undefined) continue;
    const specifier = kind === 'path' && !/^[./]/.test(written) ? `./${written}` : written;
    facts.addImport({ specifier, name: '', local: '', wildcard: false, typeOnly: true, line: lineOf(tree, node) });
  }
}

const directive = /^\/\/\/\s*<reference\s+(path|types)\s*=\s*["']([^"']+)["']/;
