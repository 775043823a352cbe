/** The languages whose functions are measured, as facts name them; TSX counts as TypeScript. */
export const measuredLanguages: readonly string[] = [
  'go',
  'java',
  'javascript',
  'kotlin',
  'python',
  'rust',
  'typescript',
];
