import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { TestContext } from 'node:test';
import { serving } from '../daemon/operations/mirroring.ts';
import { ready } from '../oracle/stored.ts';
import { startDaemon, temporaryHome, until } from '../support/daemon.ts';
import { type Cleanup, gitRepository, type Workspace } from '../support/repository.ts';
import { askEverything } from './ask-everything.ts';

/** A server that nobody has configured, and how often somebody has called it. */
async function trap(t: Cleanup) {
  let calls = 0;
  const server = createServer(socket => {
    calls++;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as { port: number };
  return { host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}`, calls: () => calls };
}

/** A repository that names a server wherever something could be fetched from one. */
function tempting(t: Cleanup, { host, url }: { readonly host: string; readonly url: string }): Workspace {
  const tree = gitRepository(
    t,
    `
    -- a.ts --
    import { x } from 'far';
    export const alpha = x;
    -- package.json --
    { "name": "app", "dependencies": { "far": "${url}/far.tgz" }, "publishConfig": { "registry": "${url}/" } }
    -- .npmrc --
    registry=${url}/
    -- tsconfig.json --
    { "extends": "${url}/tsconfig.json", "compilerOptions": { "allowJs": true } }
    -- deno.json --
    { "imports": { "far": "${url}/far.ts" } }
    -- openapi.yaml --
    openapi: 3.0.3
    info: { title: App, version: "1" }
    servers: [{ url: "${url}" }]
    paths:
      /a: { $ref: "${url}/paths.yaml#/a" }
    -- buf.yaml --
    version: v2
    deps: ["${host}/acme/far"]
    -- requirements.txt --
    --index-url ${url}/simple
    far @ ${url}/far.whl
    -- pyproject.toml --
    [[tool.uv.index]]
    url = "${url}/simple"
    -- go.mod --
    module ${host}/app
    require ${host}/far v1.0.0
    -- pom.xml --
    <project><parent><relativePath>${url}</relativePath></parent><repositories><repository><url>${url}</url></repository></repositories></project>
    -- README.md --
    # App

    ![far](${url}/far.png) and [far](${url}/far.md)
    -- .gitmodules --
    [submodule "far"]
      path = far
      url = ${url}/far.git
    -- CODEOWNERS --
    * @org/far`,
  );
  const settings = {
    'remote.origin.url': `${url}/app.git`,
    'remote.origin.promisor': 'true',
    'remote.origin.partialclonefilter': 'blob:none',
    'http.proxy': url,
    'fetch.recurseSubmodules': 'true',
  };
  for (const [name, value] of Object.entries(settings)) tree.git('config', name, value);
  // What a partial clone lacks, git would fetch.
  tree.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  tree.write('.git/refs/heads/lacking', `${'1'.repeat(40)}\n`);
  return tree;
}

/** Programs and libraries that look into their environment would find it there. */
const leadingTo = (url: string): NodeJS.ProcessEnv => ({
  ...{ HTTP_PROXY: url, HTTPS_PROXY: url, ALL_PROXY: url, http_proxy: url, https_proxy: url, NODE_USE_ENV_PROXY: '1' },
  ...{
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    NPM_CONFIG_REGISTRY: url,
    PIP_INDEX_URL: url,
    GOPROXY: url,
    GIT_PROXY_COMMAND: url,
  },
});

/** Asks everything about a repository that names a server wherever it can, while such indexers run: it must not be called. */
export async function callsNobodyFar(t: TestContext, indexers: string): Promise<void> {
  const { server } = await serving(t);
  const far = await trap(t);
  const tree = tempting(t, far);
  const home = temporaryHome(t, { ...leadingTo(far.url), SVC_INDEX_USE_INDEXERS: indexers });
  const daemon = await startDaemon(t, home);
  const { client } = daemon;
  await until('HTTP listens', async () => (await client.daemon.status({})).http !== null);
  await client.daemon.addRepo({ root: tree.root, id: 'app' });
  await ready(daemon);
  await client.remote.add({ id: 'mirrored', url: server.url, remoteRepo: 'acme/app' });
  await client.federation.create({ name: 'shop' });
  await client.federation.add({ name: 'shop', path: tree.root });
  await client.federation.sync({ name: 'shop' });
  await client.indexing.index({ repo: 'app', force: true });
  await client.pr.summary({ repo: 'app', baseBranch: 'main', headBranch: 'lacking' }).catch(() => {});
  await askEverything(daemon);
  assert.equal(await daemon.stop(), 0);
  assert.ok(server.asked.length > 0, 'that one was called');
  assert.equal(far.calls(), 0);
}
