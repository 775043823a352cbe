import type { Client } from '../../../client/client.ts';
import { until } from '../../support/daemon.ts';
import { type Cleanup, gitRepository } from '../../support/repository.ts';

/** A repository of `tree` that the client's daemon has indexed and follows; its root. */
export async function indexedBy(context: Cleanup, client: Client, id: string): Promise<string> {
  const { root } = gitRepository(context, tree);
  await client.daemon.addRepo({ root, id });
  await until(`${id} is ready and watched`, async () => {
    const { repos } = await client.daemon.listRepos({});
    const repo = repos.find(one => one.id === id);
    return repo?.status === 'ready' && repo.watching !== 'off' && repo.pendingChanges === 0;
  });
  return root;
}

export const tree = '-- a.ts --\nexport function alpha() {}\n-- b.ts --\nimport { alpha } from "./a.ts";\nalpha();\n';

/** So many that no run is faster than its cancellation. */
export const largeTree = Array.from({ length: 400 }, (_, n) => {
  const functions = Array.from({ length: 5 }, (_, m) => `export function f${m}() { return f${(m + 1) % 5}(); }`);
  return `-- d${n % 20}/f${n}.ts --\n// ${n}\n${functions.join('\n')}`;
}).join('\n');
