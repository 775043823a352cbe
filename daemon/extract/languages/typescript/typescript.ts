import { javascriptComplexity } from '../../complexity/javascript.ts';
import type { Language } from '../../language.ts';
import { respellKeywordNames } from './keyword-names.ts';
import { endSignatures } from './signatures.ts';
import { walkProgram } from './walk.ts';

/** TypeScript, TSX and JavaScript: three grammars whose trees name things alike, one walk. */
export const typescript: Language = {
  name: 'typescript',
  grammar: grammar('typescript'),
  prepare: source => respellKeywordNames(endSignatures(source)),
  walk: walkProgram,
  complexity: javascriptComplexity,
};
export const tsx: Language = {
  name: 'typescript',
  grammar: grammar('tsx'),
  prepare: respellKeywordNames,
  walk: walkProgram,
  complexity: javascriptComplexity,
};
/** Where comments give types, and assignments fields. */
export const javascript: Language = {
  name: 'javascript',
  grammar: grammar('javascript'),
  walk: (tree, facts) => walkProgram(tree, facts, true),
  complexity: javascriptComplexity,
};

function grammar(name: string): string {
  return `@repomix/tree-sitter-wasms/out/tree-sitter-${name}.wasm`;
}
