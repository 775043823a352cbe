import { amount } from '../../client/protocol/amount.ts';
import type { OutputOf } from '../../client/protocol/operation.ts';
import { qualifiedName } from '../../client/protocol/qualified-name.ts';
import type { Operations } from '../../client/protocol/registry.ts';
import { metrics, type Thresholds } from './thresholds.ts';

/** Something that a gate counts. */
export interface Finding {
  /** `complexity/cognitive`, `unwired`. */
  readonly rule: string;
  /** From the repository's root. */
  readonly path: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units, where it is told: where the name begins, and behind its end. */
  readonly column?: number;
  readonly endColumn?: number;
  readonly name: string;
  readonly message: string;
  /** An error where it is not said. */
  readonly level?: 'error' | 'warning';
  /** What is measured, and the most that it may be. */
  readonly value?: number;
  readonly limit?: number;
  /** The hash of the symbol, which is the same wherever the repository lies. */
  readonly id?: string;
}

type Complexity = OutputOf<Operations['analysis.complexity']>;

/** The functions of a file that have more than they may, by line and metric. */
export function complexityFindings({ filePath, functions = [] }: Complexity, thresholds: Thresholds): Finding[] {
  const found = functions.flatMap(one =>
    metrics.flatMap((metric): Finding[] => {
      const limit = thresholds[metric];
      const value = one[metric];
      if (limit === undefined || value <= limit) return [];
      const name = qualifiedName(one);
      const message = `${name}: ${wordsOf[metric](value)}, ${limit} at most`;
      return [{ rule: `complexity/${metric}`, path: filePath, line: one.line, name, message, value, limit }];
    }),
  );
  return found.sort((a, b) => a.line - b.line);
}

type Unwired = OutputOf<Operations['analysis.unwired']>;

/** Exported symbols that nothing reaches. */
export function unwiredFindings({ unwiredModules }: Unwired): Finding[] {
  return unwiredModules.flatMap(({ symbols }) =>
    symbols.map(({ symbolId, name, kind, filePath, line, confidence, reason }) => ({
      ...{ rule: 'unwired', path: filePath, line, name, id: symbolId.slice(symbolId.lastIndexOf(':') + 1) },
      message: `${kind} ${name} is exported, and no entrypoint reaches it: ${reason} (confidence ${confidence})`,
    })),
  );
}

const wordsOf = {
  cyclomatic: (value: number): string => `cyclomatic complexity ${value}`,
  cognitive: (value: number): string => `cognitive complexity ${value}`,
  lines: (value: number): string => amount(value, 'line'),
  parameters: (value: number): string => amount(value, 'parameter'),
};

/** By path, line and rule. */
export function inOrder(findings: readonly Finding[]): readonly Finding[] {
  return [...findings].sort(
    (a, b) => compare(a.path, b.path) || a.line - b.line || compare(a.rule, b.rule) || compare(a.name, b.name),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
