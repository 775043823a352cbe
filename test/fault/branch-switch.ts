import assert from 'node:assert/strict';
import { ready } from '../oracle/stored.ts';
import { type Home, startDaemon, type TestDaemon, temporaryHome } from '../support/daemon.ts';
import { type Cleanup, temporaryFolder, type Workspace } from '../support/repository.ts';

interface Publication {
  readonly snapshotId: string;
  readonly filesParsed: number;
}

/**
 * Switches a repository of so many files between two branches in which all of them differ. A switch must be at most two
 * publications, each of them one of the two trees and never a mixture, no answer may be of a mixture either, and what
 * was parsed once is not parsed again.
 */
export async function switchBranches(t: Cleanup, files: number): Promise<void> {
  const workspace = twoBranches(t, files);
  const home = temporaryHome(t, { SVC_HTTP_ENABLED: 'false', SVC_LOG_FILE_BYTES: String(2 ** 30) });
  const daemon = await startDaemon(t, home);
  await daemon.client.daemon.addRepo({ root: workspace.root, id: 'app' });
  await ready(daemon, 600_000);
  const main = await syncedId(daemon);

  const there = await during(home, daemon, files, () => workspace.git('checkout', '--quiet', 'other'));
  const other = await syncedId(daemon);
  assert.notEqual(main, other);
  assert.ok(there.length >= 1 && there.length <= 2, `${there.length} publications`);
  for (const { snapshotId } of there) assert.ok([main, other].includes(snapshotId), 'a mixed tree was published');
  assert.equal(
    there.reduce((sum, { filesParsed }) => sum + filesParsed, 0),
    files,
  );

  const back = await during(home, daemon, files, () => workspace.git('checkout', '--quiet', 'main'));
  assert.equal(await syncedId(daemon), main);
  assert.ok(back.length >= 1 && back.length <= 2, `${back.length} publications`);
  for (const { snapshotId, filesParsed } of back) {
    assert.ok([main, other].includes(snapshotId), 'a mixed tree was published');
    assert.equal(filesParsed, 0, 'known contents were parsed again');
  }
}

/** What is published while something is done to the tree and until that is in the index; asks all the while. */
async function during(home: Home, daemon: TestDaemon, files: number, act: () => void): Promise<readonly Publication[]> {
  const before = publications(home).length;
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const { total } = await daemon.client.symbols.search({ q: 'onMain', repo: 'app', limit: 1 });
      assert.ok(total === 0 || total === files, `an answer of a mixed tree: ${total} of ${files}`);
    }
  })();
  act();
  await syncedId(daemon);
  isOver = true;
  await asking;
  return publications(home).slice(before);
}

function publications(home: Home): readonly Publication[] {
  return home.log().filter(({ msg }) => msg === 'snapshot.published') as unknown as readonly Publication[];
}

async function syncedId({ client }: TestDaemon): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    try {
      return (await client.symbols.search({ q: 'onMain', repo: 'app', limit: 1, sync: true })).snapshotId;
    } catch (error) {
      // Large trees take longer than a query may.
      if (attempt > 20 || !/behind|not watched/.test(String(error))) throw error;
      await new Promise(resolve => setTimeout(resolve, 100));
    }
  }
}

function twoBranches(t: Cleanup, files: number): Workspace {
  const workspace = temporaryFolder(t);
  workspace.git('init', '--quiet', '--initial-branch=main');
  const fill = (name: string) => {
    for (let file = 0; file < files; file++) {
      const before = file === 0 ? '' : `import { shared${file - 1} } from './f${file - 1}';\nshared${file - 1}();\n`;
      workspace.write(
        `src/${file % 40}/f${file}.ts`,
        `${before}export function ${name}() { return ${file}; }\nexport function shared${file}() {}\n`,
      );
    }
    workspace.commit(name);
  };
  fill('onMain');
  workspace.git('checkout', '--quiet', '-b', 'other');
  fill('elsewhere');
  workspace.git('checkout', '--quiet', 'main');
  return workspace;
}
