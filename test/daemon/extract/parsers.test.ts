import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { languageFor } from '../../../daemon/extract/languages.ts';
import { parserFor, renewParsers } from '../../../daemon/extract/parsers.ts';
import { defaultSourceLimits } from '../../../daemon/extract/read-file.ts';
import { createExtractService } from '../../../daemon/jobs/extract-service.ts';
import type { Dialect } from '../../../daemon/model/document.ts';
import { Transferred } from '../../../daemon/workers/port.ts';
import { until } from '../../support/daemon.ts';

const typescript = (await languageFor('typescript', ''))!.grammar;

test('parsers of one thread share their runtime, and renewed ones have another', async () => {
  const { parser, runtime } = await parserFor(typescript);
  assert.equal((await parserFor(typescript)).parser, parser);
  const python = await parserFor((await languageFor('python', ''))!.grammar);
  assert.equal(python.runtime, runtime);
  renewParsers();
  const renewed = await parserFor(typescript);
  assert.notEqual(renewed.runtime, runtime);
  assert.notEqual(renewed.parser, parser);
  const text = 'let a = () => [1, { b }];';
  assert.equal(renewed.parser.parse(text)!.rootNode.toString(), parser.parse(text)!.rootNode.toString());
});

test('a worker renews its parsers as it is told, stays itself, and nothing keeps the memory of the old ones', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const service = createExtractService({
    filesPerParser: 3,
    maxMemoryBytes: Number.POSITIVE_INFINITY,
    parseSteps: 1000,
    sourceLimits: defaultSourceLimits,
  });
  const bytes = new TextEncoder().encode('export function f(a: number) { return a; }\n');
  const input = { bytes, dialect: 'typescript' as Dialect, parseSteps: 1000 };
  const left = new Map<WeakRef<object>, string>();
  const facts = new Set<string>();
  for (let file = 0; file < 12; file++) {
    const answer = await service.extractBytes(input, { signal: AbortSignal.any([]) });
    assert.ok(answer instanceof Transferred);
    const { result, retire } = answer.value;
    assert.equal(retire, false);
    assert.ok(result.kind === 'facts');
    facts.add(Buffer.from(result.facts).toString('base64'));
    if (file % 3 < 2) left.set(await memoryInUse(), `after file ${file}`);
  }
  renewParsers();
  assert.equal(facts.size, 1);
  const kept = (): string[] => [...left].flatMap(([one, when]) => (one.deref() === undefined ? [] : [when]));
  await until(`no old memory is held: ${kept()}`, () => {
    collect();
    return kept().length === 0;
  });
});

async function memoryInUse(): Promise<WeakRef<object>> {
  return new WeakRef((await parserFor(typescript)).runtime);
}
