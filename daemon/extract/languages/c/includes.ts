import { lineAt } from '../../tree.ts';
import type { Walk } from './walk.ts';

/**
 * `#include "a.h"` shows all that is declared there, to whoever includes this file, too. Read off the text: what the parser
 * could not read around it must not cost the names of a whole header.
 */
export function include({ tree, facts }: Walk): void {
  for (const { index, 1: quoted, 2: angled } of tree.source.matchAll(directives)) {
    const one = facts.addImport({
      specifier: quoted ?? angled!,
      name: '*',
      local: '',
      wildcard: true,
      typeOnly: false,
      line: lineAt(tree, index),
    });
    facts.addExport('*', facts.imported(one));
  }
}

const directives = /^[ \t]*#[ \t]*include(?:_next)?[ \t]*(?:"([^"\n]+)"|(<[^>\n]+>))/gm;
