import type { Language } from '../../language.ts';

const grammar = (name: string): string => `@repomix/tree-sitter-wasms/out/tree-sitter-${name}.wasm`;

export const typescript: Language = { name: 'typescript', grammar: grammar('typescript'), walk: () => {} };
export const tsx: Language = { name: 'typescript', grammar: grammar('tsx'), walk: () => {} };
export const javascript: Language = { name: 'javascript', grammar: grammar('javascript'), walk: () => {} };
