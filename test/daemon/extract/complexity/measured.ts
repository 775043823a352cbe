import { defaultParseSteps } from '../../../../daemon/extract/budget.ts';
import { extract } from '../../../../daemon/extract/syntax.ts';
import type { Dialect } from '../../../../daemon/model/document.ts';
import type { FunctionComplexity } from '../../../../daemon/model/facts.ts';

/** The functions of a source, each as `show` shows it. */
export async function measured(source: string, dialect: string, show = complexityOf): Promise<readonly string[]> {
  const limits = { parseSteps: defaultParseSteps };
  const facts = await extract(new TextEncoder().encode(source), dialect as Dialect, limits);
  return facts.complexity.map(show);
}

/** `name cyclomatic/cognitive`, with ` recursion n` where it calls itself. */
export function complexityOf({ name, container, cyclomatic, cognitive, recursion }: FunctionComplexity): string {
  return `${qualified({ name, container })} ${cyclomatic}/${cognitive}${recursion === 0 ? '' : ` recursion ${recursion}`}`;
}

export function parametersOf({ name, container, parameters }: FunctionComplexity): string {
  return `${qualified({ name, container })} ${parameters}`;
}

/** 1-based. */
export function linesOf({ name, container, line, endLine }: FunctionComplexity): string {
  return `${qualified({ name, container })} ${line + 1}-${endLine + 1}`;
}

function qualified({ name, container }: Pick<FunctionComplexity, 'name' | 'container'>): string {
  return container === '' ? name : `${container}.${name}`;
}
