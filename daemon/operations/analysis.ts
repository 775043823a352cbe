import type { InputOf } from '../../client/protocol/operation.ts';
import type { Operations } from '../../client/protocol/registry.ts';
import { symbolId } from '../model/identity.ts';
import type { AnalysisInputs, AnalysisName } from './analysis/analyses.ts';
import { type EncodedAnswer, encodedAnswer, type Handlers, type RequestContext } from './handler.ts';
import type { Asked } from './symbols/answers.ts';
import type { Asking } from './symbols/asking.ts';

export type AnalysisHandlers = Pick<Handlers, AnalysisName>;

/** Analyses of a snapshot: the read worker makes them, here is only settled what they are about. */
export function analysisHandlers(asking: Asking): AnalysisHandlers {
  const { identified, notHere, readPool, watched } = asking;
  /** One about the symbol that an input names. */
  const ofSymbol =
    <Name extends NamesSymbol>(operation: Name) =>
    (input: InputOf<Operations[Name]>, context: RequestContext) =>
      watched<EncodedAnswer>(context, () =>
        identified(input.id, context, async (hash, question) => {
          const whole = { ...input, id: symbolId(question.repo.id, hash) };
          const bytes = await readPool.analyse(callOf(operation, question, whole), context.signal);
          return bytes === undefined ? notHere(context, hash, question) : encodedAnswer(bytes);
        }),
      );
  return { 'analysis.impact': ofSymbol('analysis.impact') };
}

/** Those whose input names a symbol by `id`. */
type NamesSymbol = 'analysis.impact';

function callOf<Name extends AnalysisName>(operation: Name, asked: Asked, input: AnalysisInputs[Name]) {
  return { operation, asked, input };
}
