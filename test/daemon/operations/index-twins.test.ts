import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListAsked } from '../../../daemon/operations/index-server/list-call.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { indexedTree } from '../jobs/indexed-tree.ts';
import { place } from '../jobs/uploads.ts';
import { type Answer, everyCall, everyRef, everySymbol, noFilter, servedLists } from './served-lists.ts';
import { guesses, type Kept, scipOf, settings, sourcesOf } from './twins.ts';

for (const [what, privacy, one, other] of settings) {
  const privacyOf = ({ prefix }: Kept) => (prefix === undefined ? privacy : { ...privacy, pathPrefixStrip: prefix });
  test(`of an upload, ${what} that are kept back make no difference to any answer (P50)`, async t => {
    const twins = await Promise.all(
      [one, other].map(async (kept, at) => {
        const here = place(t);
        await here.upload({ documents: scipOf(kept) });
        return answersOf(servedLists(t, here.indexFile, { privacy: privacyOf(kept), secret: `${at}d`.repeat(32) }));
      }),
    );
    assert.deepEqual(twins[0], twins[1]);
  });

  test(`of a work tree, ${what} that are kept back make no difference to any answer (P50)`, async t => {
    const twins = await Promise.all(
      [one, other].map(async (kept, at) => {
        const folder = temporaryFolder(t);
        for (const [path, text] of sourcesOf(kept)) folder.write(path, text);
        const { repo, crawl } = indexedTree(t, folder.root);
        await crawl();
        const secret = `${at}d`.repeat(32);
        const lists = servedLists(t, repo.indexFile, { privacy: privacyOf(kept), secret, key: repo.worktreeKey });
        return answersOf(lists);
      }),
    );
    assert.deepEqual(twins[0], twins[1]);
  });
}

test('the answers that are compared say something: what is shown makes a difference (P50)', async t => {
  const [, , one, other] = settings[2]!;
  const answers = await Promise.all(
    [one, other].map(async kept => {
      const here = place(t);
      await here.upload({ documents: scipOf(kept) });
      return answersOf(servedLists(t, here.indexFile));
    }),
  );
  assert.notDeepEqual(answers[0], answers[1]);
});

/** Of every list, page by page, with every filter that a guess may stand in. */
function answersOf(lists: ReturnType<typeof servedLists>): string {
  const asked: ListAsked[] = [{ kind: 'files' }, everySymbol, everyRef, everyCall];
  const ids = lists.walk(everySymbol).map(one => one['id'] as string);
  asked.push({ kind: 'batch', ids });
  for (const id of ids) {
    asked.push({ ...everyRef, to: id }, { ...everyCall, caller: id }, { ...everyCall, callee: id });
  }
  for (const guess of guesses) {
    asked.push(
      { kind: 'symbols', ...noFilter, file: guess },
      { ...everyRef, fromFile: guess },
      { ...everyCall, callerFile: guess },
      { kind: 'search files', query: guess },
      { kind: 'search symbols', query: guess, language: undefined, symbolKind: undefined },
    );
  }
  for (const query of ['e', 'he', 'Store', 'open', 'a', 'index'])
    asked.push({ kind: 'search symbols', query, language: undefined, symbolKind: undefined });
  const answers: Answer[] = [];
  for (const list of asked) {
    for (const limit of [3, 1000]) {
      for (let cursor: string | undefined, isMore = true; isMore; ) {
        const answer = lists.ask(list, limit, cursor);
        answers.push(answer);
        cursor = answer.meta['cursor'] as string | undefined;
        isMore = answer.meta['has_more'] === true;
      }
    }
  }
  return canonical(JSON.stringify(answers, null, 1));
}

/** Ids, hashes and cursors say nothing but whether they are the same: each is its number in the order of their coming. */
function canonical(text: string): string {
  const known = new Map<string, string>();
  const numbered = (prefix: string) => (value: string) => {
    if (!known.has(value)) known.set(value, `${prefix}${known.size}`);
    return known.get(value)!;
  };
  return text
    .replace(/svc:acme\/x:sym:[0-9a-f]{32}/g, numbered('id '))
    .replace(/\b[0-9a-f]{64}\b/g, numbered('hash '))
    .replace(/"cursor": "[^"]+"/g, '"cursor": "…"');
}
