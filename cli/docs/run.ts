import { pathInTree } from '../repository.ts';
import { withAsk } from '../run.ts';
import type { Session } from '../session.ts';
import { checkDocs } from './check.ts';
import type { CheckAsked, FixAsked } from './commands.ts';
import { fixDocs } from './fix.ts';

/** `svc docs check`: resolves with the exit code. */
export function checkDocsCommand(session: Session, asked: CheckAsked): Promise<number> {
  return withAsk(session, { repo: asked.repo, sync: true }, async (ask, caller) =>
    checkDocs(session, asked, await placed(session, asked, caller), ask),
  );
}

/** `svc docs fix`: resolves with the exit code. */
export function fixDocsCommand(session: Session, asked: FixAsked): Promise<number> {
  return withAsk(session, { repo: asked.repo, sync: true }, async (ask, caller) =>
    fixDocs(session, asked, await placed(session, asked, caller), ask),
  );
}

/** As seen from where the caller stands, unless another repository is named. */
async function placed(
  { directory }: Session,
  { path, repo }: Pick<FixAsked, 'path' | 'repo'>,
  caller: Parameters<typeof pathInTree>[0],
): Promise<string | undefined> {
  return path === undefined || repo !== undefined ? path : pathInTree(caller, directory, path);
}
