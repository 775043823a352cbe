import { durationText } from '../../client/protocol/duration.ts';
import { queueDocsJob } from '../jobs/docs-job.ts';
import type { JobQueue } from '../jobs/queue.ts';
import { symbolId } from '../model/identity.ts';
import type { DaemonDatabase } from '../store/daemon-db.ts';
import { endOf, jobFailed } from './awaited-job.ts';
import type { DocsName, DocsQuestion } from './docs/docs-answers.ts';
import { askDocs, type DocsIndexed } from './docs/docs-job.ts';
import { type EncodedAnswer, encodedAnswer, type Handlers, type RequestContext } from './handler.ts';
import { type ServedRepositories, servedOf } from './served-repository.ts';
import { type Asked, hashOfId, notReady, snapshotFor } from './symbols/answers.ts';
import { type Asking, isId } from './symbols/asking.ts';

export type DocsHandlers = Pick<Handlers, DocsName | 'docs.index'>;

export interface DocsOptions {
  readonly repositories: Pick<ServedRepositories, 'get'>;
  readonly asking: Pick<Asking, 'asked' | 'notHere' | 'read' | 'readPool' | 'watched'>;
  readonly jobs: JobQueue;
  readonly database: Pick<DaemonDatabase, 'goneDefinitions' | 'movedDocuments' | 'goneVersion'>;
}

/** What documents mention: the read worker answers, of a snapshot and of what was there before it. */
export function docsHandlers({ repositories, asking, jobs, database }: DocsOptions): DocsHandlers {
  const answer = (question: DocsQuestion, context: RequestContext) =>
    asking.watched<EncodedAnswer>(context, async () => {
      if (context.snapshot === undefined) throw notReady();
      const { uid } = servedOf(repositories, context).registered;
      const call = { asked: asking.asked(context), question };
      if (question.operation === 'docs.symbol') await refuseGone(question.input.name, call.asked, context);
      const { bytes, treeId } = await askDocs({ readPool: asking.readPool, database }, uid, call, context.signal);
      return encodedAnswer(bytes, treeId);
    });
  /** An id that the repository has no more leads on to what has. */
  const refuseGone = async (name: string, asked: Asked, context: RequestContext): Promise<void> => {
    const { id, key } = asked.repo;
    if (!isId(name) || name !== symbolId(id, hashOfId(name))) return;
    const hash = hashOfId(name);
    const row = asking.read(context, reader => reader.symbol(key, snapshotFor(reader, asked).seq, hash));
    if (row === undefined) await asking.notHere(context, hash, asked);
  };
  return {
    'docs.index': async ({ force }, context) => {
      if (context.snapshot === undefined) throw notReady();
      const ended = await endOf(jobs, queueDocsJob(jobs, context.repository.id, { force }).id, context);
      if (ended.state !== 'completed') throw jobFailed(ended, 'The documents could not be read');
      const { durationMs, passedOver, ...told } = ended.result as unknown as DocsIndexed;
      return {
        ...told,
        passedOver: [...passedOver],
        duration: durationText(durationMs),
        timestamp: new Date(context.now.getTime() + durationMs).toISOString(),
      };
    },
    'docs.symbol': (input, context) => answer({ operation: 'docs.symbol', input }, context),
    'docs.file': (input, context) => answer({ operation: 'docs.file', input }, context),
    'docs.stale': (input, context) => answer({ operation: 'docs.stale', input }, context),
    'docs.coverage': (input, context) => answer({ operation: 'docs.coverage', input }, context),
    'docs.module': (input, context) => answer({ operation: 'docs.module', input }, context),
  };
}
