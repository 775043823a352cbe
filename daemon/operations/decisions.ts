import { Fault, invalid, type Problem } from '../../client/protocol/faults.ts';
import type { InputOf } from '../../client/protocol/operation.ts';
import type { Operations } from '../../client/protocol/registry.ts';
import { createDecisionWriter, mostDocumentBytes, TooLargeDocument } from '../jobs/decisions/create-decision.ts';
import { type NewDecision, tidied } from '../jobs/decisions/decision-document.ts';
import { UnfitFolder } from '../jobs/decisions/real-folder.ts';
import { rootGone } from '../jobs/standing-root.ts';
import { repoPath } from '../model/paths.ts';
import type { RepositoryRecord } from '../model/repository.ts';
import { publicTroubles, type StoreTrouble } from '../store/store-faults.ts';
import type { DecisionGround, DecisionSurvey, DecisionsQuestion } from './decisions/decision-answers.ts';
import { gitFolderAround } from './doctor/git-folder.ts';
import { encodedAnswer, type Handlers, type RequestContext } from './handler.ts';
import type { ReadPool } from './readers/read-pool.ts';
import { isGone, type ServedRepositories, servedOf } from './served-repository.ts';
import type { Asking } from './symbols/asking.ts';

export type DecisionsHandlers = Pick<Handlers, Extract<keyof Handlers, `decisions.${string}`>>;

export interface DecisionsOptions {
  readonly repositories: Pick<ServedRepositories, 'get'>;
  readonly asking: Pick<Asking, 'asked' | 'readPool' | 'watched'>;
  /** The configured folder; empty: none. */
  readonly decisionsFolder: () => string;
}

/** Decisions are read by the read worker, from the disk; writing one is waiting for the disk, which holds up nobody here. */
export function decisionsHandlers(options: DecisionsOptions): DecisionsHandlers {
  const { asking } = options;
  const writer = createDecisionWriter();
  const ask = (question: DecisionsQuestion, context: RequestContext): ReturnType<ReadPool['decisions']> => {
    const { record } = standing(options, context);
    const call = { repo: record, folder: options.decisionsFolder(), now: context.now.toISOString(), question };
    return asking.readPool.decisions(call, context.signal);
  };
  const answer = async (question: DecisionsQuestion, context: RequestContext) => {
    const { bytes, treeId } = await ask(question, context);
    return encodedAnswer(bytes, treeId);
  };
  return {
    'decisions.list': (input, context) =>
      asking.watched(context, () => answer({ kind: 'list', input, asked: asking.asked(context) }, context)),
    'decisions.get': ({ id }, context) => answer({ kind: 'get', id }, context),
    'decisions.create': async ({ dryRun, ...input }, context) => {
      const decision = accepted(input);
      const { record } = standing(options, context);
      refuseGitFolder(record);
      const ground = valueIn<DecisionGround>(await ask({ kind: 'ground' }, context));
      const { folder } = ground;
      if (folder === undefined) throw unfit(record, ground.why.message, ground.why.reason);
      const order = { ...ground, folder, root: record.root, decision, ...momentOf(context) };
      try {
        const { id, path, text } = await (dryRun ? writer.plan(order) : writer.store(order));
        return {
          ...{ id, path, status: dryRun ? ('dry-run' as const) : ('created' as const), dryRun },
          ...(dryRun ? { content: text } : {}),
          timestamp: context.now.toISOString(),
        };
      } catch (error) {
        throw writingFault(error, record, folder);
      }
    },
  };
}

/** What the doctor is told of a repository's decisions. */
export async function surveyDecisions(
  { asking, decisionsFolder }: Omit<DecisionsOptions, 'repositories'>,
  { repo, now, signal }: { readonly repo: RepositoryRecord; readonly now: Date; readonly signal: AbortSignal },
): Promise<DecisionSurvey> {
  const call = { repo, folder: decisionsFolder(), now: now.toISOString(), question: { kind: 'survey' } as const };
  return valueIn(await asking.readPool.decisions(call, signal));
}

function valueIn<Value>({ bytes }: { readonly bytes: Uint8Array }): Value {
  return JSON.parse(new TextDecoder().decode(bytes)) as Value;
}

function standing({ repositories }: DecisionsOptions, context: RequestContext) {
  const repository = servedOf(repositories, context);
  if (isGone(repository)) throw rootGone(repository.record);
  return repository;
}

function momentOf({ now, signal }: RequestContext) {
  return { date: now.toISOString().slice(0, 10), signal };
}

/** Of all texts together; over HTTP a body may be larger, for other operations. */
const mostBytes = 256 * 1024;

type CreateInput = Omit<InputOf<Operations['decisions.create']>, 'dryRun' | 'repo' | 'sync'>;

/** Neither a space nor one of those that only shape what is around them. */
const seen = /[^\p{Z}\p{C}\p{M}]/u;

/** What the schema can't say. Throws `tooLarge` and `invalidBody`. */
function accepted({ affectedModules, ...given }: CreateInput): NewDecision {
  const bytes = Buffer.byteLength(JSON.stringify({ affectedModules, ...given }));
  if (bytes > mostBytes) throw tooLarge({ bytes, limit: mostBytes });
  const problems: Problem[] = [
    ...given.consequences.flatMap((text, at) =>
      text.includes('\0') ? [{ path: `consequences[${at}]`, message: 'must not contain a NUL character' }] : [],
    ),
    ...affectedModules.flatMap((module, at) =>
      isModule(module)
        ? []
        : [{ path: `affectedModules[${at}]`, message: 'must be the id of a module: a path from the root, or @root' }],
    ),
  ];
  const decision = tidied({ ...given, modules: affectedModules });
  if (!seen.test(decision.title)) problems.push({ path: 'title', message: 'must have a character that can be seen' });
  if (problems.length > 0) throw invalid('invalidBody', problems.slice(0, 50));
  return decision;
}

function isModule(text: string): boolean {
  return text === '@root' || (repoPath(text) !== undefined && !/\p{Cc}/u.test(text) && text.trim() === text);
}

function tooLarge(details: Readonly<Record<string, number>>): Fault {
  return new Fault('tooLarge', `A decision has ${mostBytes / 1024} KiB at most`, { details, suggestedFixes: [] });
}

/** In a folder of git's own nothing is a file of the repository. */
function refuseGitFolder(repo: RepositoryRecord): void {
  if (gitFolderAround(repo.root) === undefined) return;
  throw unfit(repo, `${repo.id} has no work tree to write into`, 'bare');
}

function writingFault(error: unknown, repo: RepositoryRecord, folder: string): unknown {
  if (error instanceof TooLargeDocument) return tooLarge({ limit: mostDocumentBytes });
  if (error instanceof UnfitFolder) return unfitFolder(error, repo, folder);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const trouble = troubles[code];
  if (trouble !== undefined) return notStored(trouble, error);
  return refusals.has(code) ? unfit(repo, `${folder} can’t be written (${code})`, 'read_only') : error;
}

const troubles: Readonly<Record<string, StoreTrouble>> = { ENOSPC: 'diskFull', EDQUOT: 'diskFull', EIO: 'ioError' };
/** What the system says of a folder that takes no writing; the last of one that takes no second names. */
const refusals: ReadonlySet<string> = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK']);

function notStored(trouble: StoreTrouble, cause: unknown): Fault {
  const { reason, words } = publicTroubles[trouble];
  return new Fault('storageFailed', `The decision could not be stored: ${words}`, {
    details: { reason },
    retryAfterSeconds: 5,
    cause,
  });
}

function unfitFolder({ message, reason }: UnfitFolder, repo: RepositoryRecord, folder: string): Fault {
  const place = message === repo.root ? repo.id : message.slice(repo.root.length + 1) || folder;
  switch (reason) {
    case 'symlink':
      return unfit(repo, `${place} is a symbolic link: decisions are written into real folders alone`, reason);
    case 'not_a_folder':
      return unfit(repo, `${place} is no folder`, reason);
    case 'another_device':
      return unfit(repo, `${place} lies on another device than the repository`, reason);
    case 'missing':
      return message === repo.root ? rootGone(repo) : unfit(repo, `${place} has gone in the meantime`, reason);
  }
}

function unfit({ id }: RepositoryRecord, message: string, reason: string): Fault {
  return new Fault('preconditionFailed', message, { details: { reason, repo: id } });
}
