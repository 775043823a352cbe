import { defaultParseSteps } from '../../../../daemon/extract/budget.ts';
import { extract } from '../../../../daemon/extract/syntax.ts';
import type { Dialect } from '../../../../daemon/model/document.ts';

/** The functions of a source, each as `name cyclomatic/cognitive`, with ` recursion n` where it calls itself. */
export async function measured(source: string, dialect: string): Promise<readonly string[]> {
  const limits = { parseSteps: defaultParseSteps };
  const facts = await extract(new TextEncoder().encode(source), dialect as Dialect, limits);
  return facts.complexity.map(({ name, cyclomatic, cognitive, recursion }) => {
    const ofItself = recursion === 0 ? '' : ` recursion ${recursion}`;
    return `${name} ${cyclomatic}/${cognitive}${ofItself}`;
  });
}
