import { invalid } from '../../client/protocol/faults.ts';
import type { InputOf } from '../../client/protocol/operation.ts';
import type { Operations } from '../../client/protocol/registry.ts';
import { symbolId } from '../model/identity.ts';
import type { AnalysisName } from './analysis/analyses.ts';
import { askedPath } from './analysis/asked-path.ts';
import { complexityAnswer } from './analysis/complexity.ts';
import { type EncodedAnswer, encodedAnswer, type Handlers, type RequestContext } from './handler.ts';
import { notReady, snapshotFor } from './symbols/answers.ts';
import type { Asking } from './symbols/asking.ts';

export type AnalysisHandlers = Pick<
  Handlers,
  Exclude<AnalysisName, 'telemetry.deadCode'> | 'analysis.complexity' | 'analysis.affected'
>;

/** Analyses of a snapshot: the read worker makes them, here is only settled what they are about; what one file says is read here. */
export function analysisHandlers(asking: Asking): AnalysisHandlers {
  const { asked, forget, headSettings, identified, notHere, read, readPool, watched } = asking;
  /** Whether the snapshot has a file at a path, or some below it. */
  const isHere = (context: RequestContext, path: string): boolean =>
    read(context, reader => {
      const { key } = asked(context).repo;
      const { seq } = snapshotFor(reader, asked(context));
      return reader.file(key, seq, path) !== undefined || reader.filesBelow(key, seq, path, 1).length > 0;
    });
  /** One about the symbol that an input names. */
  const ofSymbol =
    <Name extends NamesSymbol>(operation: Name) =>
    (input: InputOf<Operations[Name]>, context: RequestContext) =>
      watched<EncodedAnswer>(context, () =>
        identified(idIn(input), context, async (hash, question) => {
          const id = symbolId(question.repo.id, hash);
          const whole = 'id' in input ? { ...input, id } : { ...input, symbolId: id };
          const bytes = await readPool.analyse({ operation, asked: question, input: whole }, context.signal);
          return bytes === undefined ? notHere(context, hash, question) : encodedAnswer(bytes);
        }),
      );
  const ofRepository = <Name extends OfRepository>(operation: Name) => repositoryHandler(asking, operation);
  return {
    'analysis.unwired': ofRepository('analysis.unwired'),
    'responsibilities.get': ofRepository('responsibilities.get'),
    'analysis.architecture': async (input, context) => {
      if (input.refresh) await forget(context.repository.indexFile);
      return ofRepository('analysis.architecture')(input, context);
    },
    'analysis.impact': ofSymbol('analysis.impact'),
    'telemetry.usage': ofSymbol('telemetry.usage'),
    'analysis.callgraph': ofSymbol('analysis.callgraph'),
    'analysis.trace': (input, context) =>
      watched<EncodedAnswer>(context, () =>
        identified(input.from, context, (from, question) =>
          identified(input.to, context, async to => {
            const [fromId, toId] = [from, to].map(hash => symbolId(question.repo.id, hash)) as [string, string];
            const whole = { ...input, from: fromId, to: toId };
            const bytes = await readPool.analyse(
              { operation: 'analysis.trace', asked: question, input: whole },
              context.signal,
            );
            if (bytes !== undefined) return encodedAnswer(bytes);
            const { key } = question.repo;
            const isHere = read(
              context,
              reader => reader.symbol(key, snapshotFor(reader, question).seq, from) !== undefined,
            );
            return notHere(context, isHere ? to : from, question);
          }),
        ),
      ),
    'analysis.affected': (input, context) =>
      watched(context, async () => {
        const changed = whatChanged(input, path => isHere(context, path));
        if (context.snapshot === undefined) throw notReady();
        const call = { asked: asked(context), input: changed, head: headSettings(context) };
        const { bytes } = await readPool.affected(call, context.signal);
        return encodedAnswer(bytes);
      }),
    'analysis.complexity': (input, context) =>
      watched(context, () => read(context, reader => complexityAnswer(reader, asked(context), input))),
  };
}

/** What answers one about the repository. */
export function repositoryHandler<Name extends OfRepository>({ asked, readPool, watched }: Asking, operation: Name) {
  return (input: InputOf<Operations[Name]>, context: RequestContext) =>
    watched<EncodedAnswer>(context, async () => {
      if (context.snapshot === undefined) throw notReady();
      const bytes = await readPool.analyse({ operation, asked: asked(context), input }, context.signal);
      if (bytes === undefined) throw notReady();
      return encodedAnswer(bytes);
    });
}

type AffectedInput = InputOf<Operations['analysis.affected']>;

/** The input, its paths as the index has them. Throws where it says twice what has changed, or not at all. */
function whatChanged(input: AffectedInput, isHere: (path: string) => boolean): AffectedInput {
  const { files, base, head } = input;
  const refuse = (path: string, message: string) => invalid('invalidBody', [{ path, message }]);
  if (files === undefined && base === undefined) throw refuse('files', 'either these or a base is to be given');
  if (files !== undefined && base !== undefined)
    throw refuse('files', 'go without a base: either says what has changed');
  if (head !== undefined && base === undefined) throw refuse('head', 'goes with a base');
  if (files === undefined) return input;
  return {
    ...input,
    files: files.map((path, at) => askedPath(path, { field: `files[${at}]`, refusal: 'invalidBody', isHere })),
  };
}

type OfRepository = 'analysis.architecture' | 'analysis.unwired' | 'responsibilities.get' | 'telemetry.deadCode';
/** Those whose input names a symbol. */
type NamesSymbol = 'analysis.impact' | 'analysis.callgraph' | 'telemetry.usage';

function idIn(input: InputOf<Operations[NamesSymbol]>): string {
  return 'id' in input ? input.id : input.symbolId;
}
