export const symbolKinds = [
  'function',
  'method',
  'constructor',
  'class',
  'interface',
  'struct',
  'enum',
  'enum-member',
  'trait',
  'type',
  'variable',
  'constant',
  'field',
  'property',
  'module',
  'namespace',
  'package',
  'macro',
  'parameter',
  'type-parameter',
  'event',
  'object',
] as const;
export type SymbolKind = (typeof symbolKinds)[number];

export const visibilities = ['public', 'internal', 'private'] as const;
export type Visibility = (typeof visibilities)[number];
