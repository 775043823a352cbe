import type { FactsBuilder } from '../../builder.ts';
import { javascriptComplexity } from '../../complexity/javascript.ts';
import type { Language } from '../../language.ts';
import type { SyntaxTree } from '../../tree.ts';
import { frontMatterOf, hasElements, importsOf, scriptsOf } from './components.ts';
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
/** Components of frameworks, by their dialects: see `components.ts`. */
export function componentIn(dialect: keyof typeof codeIn, source: string): Language {
  const { grammar, prepare } = dialect !== 'mdx' && hasElements(source) ? tsx : typescript;
  return {
    ...typescript,
    grammar,
    prepare: text => prepare!(codeIn[dialect](text)),
    walk: dialect === 'mdx' ? walkProgram : walkComponent,
  };
}

const codeIn = { vue: scriptsOf, svelte: scriptsOf, astro: frontMatterOf, mdx: importsOf };

/** What a component is, whoever imports it takes by default, though nothing in it may say so. */
function walkComponent(tree: SyntaxTree, facts: FactsBuilder): void {
  walkProgram(tree, facts);
  if (facts.hasExport('default')) return;
  let nameNode = 0;
  for (let node = 0; node >= 0; node = tree.firstChild(node)) nameNode = node;
  const slot = facts.define({
    ...{ name: 'default', kind: 'constant', suffix: 'term', nameNode, node: nameNode },
    ...{ exported: true, hasBody: true },
  });
  facts.addExport('default', facts.slot(slot));
}

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
