import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDaemon, svc } from '../../support/daemon.ts';
import { afterAll } from '../../support/repository.ts';
import { overHttp, shopOf } from '../../support/shop.ts';

const daemon = await startDaemon(afterAll);
const { client, home } = daemon;
const http = await overHttp(afterAll, daemon);
await shopOf(afterAll, daemon);
const name = 'shop';

const media = { json: 'application/json', svg: 'image/svg+xml', dot: 'text/vnd.graphviz', mermaid: 'text/vnd.mermaid' };

test('the picture is the same however it is asked for', async () => {
  for (const [format, accept] of Object.entries(media) as [keyof typeof media, string][]) {
    const said = await client.contracts.graph({ name, format });
    const shapes = [
      await http.send('GET', `/federations/shop/contracts/graph?format=${format}`),
      await http.send('GET', '/federations/shop/contracts/graph', undefined, { Accept: accept }),
    ];
    for (const { status, text, headers } of shapes) {
      assert.equal(status, 200);
      assert.match(headers.get('content-type') ?? '', new RegExp(`^${accept.replace(/[+.]/g, '\\$&')}`));
      assert.deepEqual(
        format === 'json' ? timeless(JSON.parse(text)) : text,
        format === 'json' ? timeless(said) : said,
      );
    }
    const atShell = await svc(home, ['contracts', 'graph', 'shop', '--format', format]);
    assert.deepEqual(
      format === 'json' ? timeless(JSON.parse(atShell.stdout)) : atShell.stdout,
      format === 'json' ? timeless(said) : said,
      format,
    );
  }
  const drawn = String(await client.contracts.graph({ name, format: 'svg', includeHeuristic: true }));
  assert.match(drawn, />contracts</);
  assert.doesNotMatch(drawn, /import|outside of what/, 'these are no modules');
  const refused = await http.send('GET', '/federations/shop/contracts/graph', undefined, { Accept: 'image/png' });
  assert.equal(refused.status, 406);
});

test('socket, HTTP and command line have the same bodies', async () => {
  const { edges } = await client.contracts.edges({ name, tier: 'heuristic' });
  const { edgeId } = edges[0]!;
  const asked: readonly (readonly [
    said: Promise<object>,
    method: string,
    target: string,
    body: unknown,
    words: string[],
  ])[] = [
    [client.federation.list({}), 'GET', '/federations', undefined, ['federation', 'list']],
    [client.federation.status({ name }), 'GET', '/federations/shop/status', undefined, ['federation', 'status', name]],
    [
      client.federation.repos({ name, includeCompatibility: true }),
      'GET',
      '/federations/shop/repos?includeCompatibility=true',
      undefined,
      ['federation', 'repos', name, '--include-compatibility'],
    ],
    [
      client.federation.modules({ name, q: 'redis', tags: ['back', 'go'] }),
      'GET',
      '/federations/shop/modules?q=redis&tags=back,go',
      undefined,
      ['federation', 'modules', name, '--q', 'redis', '--tags', 'back,go'],
    ],
    [
      client.federation.ownership({ name, path: 'proto/**' }),
      'GET',
      '/federations/shop/ownership?path=proto/**',
      undefined,
      ['federation', 'ownership', name, '--path', 'proto/**'],
    ],
    [
      client.federation.hotspots({ name, minScore: 0 }),
      'GET',
      '/federations/shop/hotspots?minScore=0',
      undefined,
      ['federation', 'hotspots', name, '--min-score', '0'],
    ],
    [
      client.federation.decisions({ name, status: ['accepted'] }),
      'GET',
      '/federations/shop/decisions?status=accepted',
      undefined,
      ['federation', 'decisions', name, '--status', 'accepted'],
    ],
    [
      client.contracts.list({ name, contractType: 'proto' }),
      'GET',
      '/federations/shop/contracts?contractType=proto',
      undefined,
      ['contracts', 'list', name, '--contract-type', 'proto'],
    ],
    [
      client.contracts.edges({ name, repoId: 'web' }),
      'GET',
      '/federations/shop/contracts/edges?repoId=web',
      undefined,
      ['contracts', 'edges', name, '--repo-id', 'web'],
    ],
    [
      client.contracts.stats({ name }),
      'GET',
      '/federations/shop/contracts/stats',
      undefined,
      ['contracts', 'stats', name],
    ],
    [
      client.contracts.deps({ name, repoId: 'checkout' }),
      'GET',
      '/federations/shop/contracts/deps?repoId=checkout',
      undefined,
      ['contracts', 'deps', name, 'checkout'],
    ],
    [
      client.contracts.impact({ name, repoId: 'cart', path: 'proto/cart.proto' }),
      'POST',
      '/federations/shop/contracts/impact',
      { repoId: 'cart', path: 'proto/cart.proto' },
      ['contracts', 'impact', name, 'cart', 'proto/cart.proto'],
    ],
    [
      client.contracts.suppress({ name, edgeId, reason: 'x y' }),
      'POST',
      `/federations/shop/contracts/edges/${edgeId}/suppress`,
      { reason: 'x y' },
      ['contracts', 'suppress', name, String(edgeId), '--reason', 'x y'],
    ],
    [
      client.contracts.unsuppress({ name, edgeId }),
      'DELETE',
      `/federations/shop/contracts/edges/${edgeId}/suppress`,
      undefined,
      ['contracts', 'unsuppress', name, String(edgeId)],
    ],
  ];
  for (const [said, method, target, body, words] of asked) {
    const expected = timeless(await said);
    const answer = await http.send(method, target, body);
    assert.deepEqual([answer.status, timeless(answer.body as object)], [200, expected], target);
    const { code, stdout, stderr } = await svc(home, [...words, '--json']);
    assert.deepEqual([code, stderr, timeless(JSON.parse(stdout))], [0, '', expected], words.join(' '));
  }
});

function timeless(answer: unknown): object {
  const { timestamp: _, ...rest } = answer as { readonly timestamp?: string };
  return rest;
}
