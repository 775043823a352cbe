import type { SymbolKind } from '../model/symbol.ts';

/** What ranks one definition among those whose names match. */
export interface RankInputs {
  readonly kind: SymbolKind;
  readonly exported: boolean;
  readonly hasBody: boolean;
  readonly isTest: boolean;
}

/**
 * The name decides; among equal names what a reader is more likely to mean comes first: exported before hidden, types and
 * functions before fields and variables, product code before tests. At most a twentieth of the score, so that no
 * prefix passes an exact match. Between 0.95 and 1.
 */
export function weightOf(inputs: RankInputs): number {
  const worth =
    0.3 * (inputs.exported ? 1 : 0) +
    0.35 * kindWeight(inputs.kind) +
    0.25 * (inputs.isTest ? 0 : 1) +
    0.1 * (inputs.hasBody ? 1 : 0);
  return 0.95 + 0.05 * worth;
}

/** What a definition gets of 10,000 points: whole ones, that a reader can compare. */
export function pointsOf(nameScore: number, weight: number): number {
  return Math.round(nameScore * weight * most);
}

/** Points as a score, 0 to 1. */
export function scoreOf(points: number): number {
  return points / most;
}

const most = 10_000;

function kindWeight(kind: SymbolKind): number {
  switch (kind) {
    case 'class':
    case 'interface':
    case 'struct':
    case 'trait':
    case 'enum':
    case 'type':
    case 'function':
      return 1;
    case 'method':
    case 'constructor':
    case 'macro':
      return 0.85;
    case 'module':
    case 'namespace':
    case 'package':
    case 'object':
    case 'constant':
      return 0.7;
    case 'enum-member':
    case 'property':
    case 'field':
    case 'event':
      return 0.5;
    case 'variable':
      return 0.4;
    case 'parameter':
    case 'type-parameter':
      return 0.1;
  }
}
