import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { java } from '../../../daemon/extract/languages/java/java.ts';
import { languageFor } from '../../../daemon/extract/languages.ts';
import { parserFor, renewParsers, UnfitGrammar } from '../../../daemon/extract/parsers.ts';
import { defaultSourceLimits } from '../../../daemon/extract/read-file.ts';
import { createExtractService } from '../../../daemon/jobs/extract-service.ts';
import type { Dialect } from '../../../daemon/model/document.ts';
import { Transferred } from '../../../daemon/workers/port.ts';
import { until } from '../../support/daemon.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { grammarBytes, importing, trapping } from './broken-grammar.ts';

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
  let renewals = 0;
  let last: WeakRef<object> | undefined;
  for (let file = 0; file < 12; file++) {
    const answer = await service.extractBytes(input, { signal: AbortSignal.any([]) });
    assert.ok(answer instanceof Transferred);
    const { result, retire } = answer.value;
    assert.equal(retire, false);
    assert.ok(result.kind === 'facts');
    facts.add(Buffer.from(result.facts).toString('base64'));
    if (file % 3 === 2) continue; // who asked now would be the first to use the new ones
    const now = await memoryInUse();
    if (last?.deref() !== now.deref()) renewals++;
    last = now;
    left.set(now, `after file ${file}`);
  }
  assert.equal(renewals, 4);
  renewParsers();
  assert.equal(facts.size, 1);
  const kept = (): string[] => [...left].flatMap(([one, when]) => (one.deref() === undefined ? [] : [when]));
  await until(`no old memory is held: ${kept()}`, () => {
    collect();
    return kept().length === 0;
  });
});

test('a grammar that calls what its runtime has not is refused when it is loaded, and every one that is installed is not (P43)', async t => {
  const folder = temporaryFolder(t);
  const good = grammarBytes(typescript);
  folder.write('unfit.wasm', importing(good, 'iswblunk', 'iswspace'));
  await assert.rejects(parserFor(folder.path('unfit.wasm')), (error: unknown) => {
    assert.ok(error instanceof UnfitGrammar);
    assert.match(error.message, /calls what its runtime has not: iswblunk$/);
    return true;
  });
  await assert.rejects(parserFor(folder.path('fit.wasm')));
  folder.write('fit.wasm', good); // what failed once is tried again
  assert.notEqual((await parserFor(folder.path('fit.wasm'))).parser.parse('let a;'), null);
  for (const dialect of dialects) {
    const language = (await languageFor(dialect, ''))!;
    assert.notEqual((await parserFor(language.grammar)).parser.parse(''), null, dialect);
  }
});

test('a parse that traps skips its file and retires its worker at once; a worker that runs on is given no other (P43)', async t => {
  const folder = temporaryFolder(t);
  folder.write('trapping.wasm', trapping(grammarBytes(java.grammar)));
  const installed = java.grammar;
  t.after(() => Object.assign(java, { grammar: installed }));
  Object.assign(java, { grammar: folder.path('trapping.wasm') });
  const ask = (dialect: string, text: string) =>
    service.extractBytes(
      { bytes: new TextEncoder().encode(text), dialect: dialect as Dialect, parseSteps: 1000 },
      { signal: AbortSignal.any([]) },
    );
  const service = createExtractService({
    filesPerParser: 100,
    maxMemoryBytes: Number.POSITIVE_INFINITY,
    parseSteps: 1000,
    sourceLimits: defaultSourceLimits,
  });
  const kindOf = async (asked: ReturnType<typeof ask>) => {
    const answer = await asked;
    assert.ok(answer instanceof Transferred);
    const { result, retire } = answer.value;
    return [result.kind === 'skipped' ? result.reason : result.kind, retire];
  };
  assert.deepEqual(await kindOf(ask('typescript', 'let a;')), ['facts', false]);
  assert.deepEqual(await kindOf(ask('java', 'class A {}')), ['parser_trap', 'at once']);
  const next = await Promise.race([ask('typescript', 'let a;'), new Promise(resolve => setImmediate(resolve, 'none'))]);
  assert.equal(next, 'none');
});

const dialects = [
  'typescript',
  'tsx',
  'javascript',
  'python',
  'go',
  'rust',
  'java',
  'kotlin',
  'c',
  'cpp',
  'dart',
  'ruby',
  'csharp',
  'php',
];

async function memoryInUse(): Promise<WeakRef<object>> {
  return new WeakRef((await parserFor(typescript)).runtime);
}
