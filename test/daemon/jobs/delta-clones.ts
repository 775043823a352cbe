import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, type TestContext } from 'node:test';
import type { DeltaArtifact } from '../../../client/protocol/delta.ts';
import { Fault } from '../../../client/protocol/faults.ts';
import type { CheckedDelta } from '../../../daemon/jobs/delta/check-delta.ts';
import type { Published } from '../../../daemon/jobs/engine.ts';
import { type Cleanup, gitRepository, temporaryFolder, type Workspace, workspace } from '../../support/repository.ts';
import { type IndexedTree, indexedTree } from './indexed-tree.ts';

/** A repository with two commits, where CI builds, and a clone of it whose index and tree stand at the first. */
export interface Clones {
  readonly base: string;
  readonly head: string;
  readonly built: DeltaArtifact;
  readonly dev: Workspace;
  readonly index: IndexedTree;
  /** Asks about an artifact; 'refused' where it is none at all. */
  validate(artifact: unknown): Promise<CheckedDelta | 'refused'>;
  ingest(artifact: unknown): Promise<Ingested | 'refused'>;
}

export interface Ingested {
  readonly checked: CheckedDelta;
  readonly published: Published | undefined;
}

const mostBytes = 64 * 1024 * 1024;

interface BuiltAt extends Pick<Clones, 'base' | 'head'> {
  readonly ci: Workspace;
  /** A clone of it that has the first commit alone. */
  readonly before: string;
  readonly artifact: string;
}

const closers: (() => unknown)[] = [];
after(() => {
  for (const close of closers) close();
});
/** What CI has built is the same for all: no test changes it, and each has a clone of its own. */
let built: Promise<BuiltAt> | undefined;

async function build(t: TestContext): Promise<BuiltAt> {
  const scope: Cleanup = { after: close => closers.push(close as () => unknown) };
  const ci = gitRepository(scope, project);
  const base = ci.git('rev-parse', 'HEAD');
  const before = temporaryFolder(scope).path('before');
  ci.git('clone', '--quiet', '--bare', '--no-hardlinks', ci.root, before);
  secondCommit(ci);
  const head = ci.commit('second');
  const there = indexedTree(t, ci.root);
  await there.crawl();
  const output = temporaryFolder(t).path('delta.json');
  const build = { base, head: undefined, output, mostBytes, timestamp: 1 };
  await there.engine.delta(there.repo, { kind: 'build', build });
  return { ci, before, base, head, artifact: readFileSync(output, 'utf8') };
}

export async function clonesOf(t: TestContext): Promise<Clones> {
  built ??= build(t);
  const { ci, before, base, head, artifact } = await built;
  const folder = temporaryFolder(t);
  folder.git('clone', '--quiet', '--no-hardlinks', before, 'dev');
  const dev = workspace(folder.path('dev'));
  dev.git('remote', 'set-url', 'origin', ci.root);
  const index = indexedTree(t, dev.root);
  await index.crawl();
  dev.git('fetch', '--quiet', 'origin');
  const ask = async (kind: 'validate' | 'ingest', artifact: unknown): Promise<Ingested | 'refused'> => {
    const text = artifact instanceof Uint8Array ? artifact : Buffer.from(JSON.stringify(artifact) ?? '');
    try {
      const outcome = await index.engine.delta(index.repo, {
        kind,
        artifact: { text, file: undefined, mostBytes, mostDepth: 64 },
      });
      assert.ok(outcome.kind === 'checked');
      return { checked: outcome.checked, published: outcome.published };
    } catch (error) {
      if (error instanceof Fault && error.reason === 'invalidParameter') return 'refused';
      throw error;
    }
  };
  return {
    base,
    head,
    built: JSON.parse(artifact) as DeltaArtifact,
    dev,
    index,
    validate: async artifact => {
      const answer = await ask('validate', artifact);
      return answer === 'refused' ? answer : answer.checked;
    },
    ingest: artifact => ask('ingest', artifact),
  };
}

/** A small tree with a bit of everything, and what a second commit does to it. */
export const project = `
  -- src/server.ts --
  import { Parser } from './parser';
  import { log } from './log';
  export class Server {
    start(): void {
      new Parser().parse('x');
      log('started');
    }
  }
  -- src/parser.ts --
  /** Reads lines. */
  export class Parser {
    parse(text: string): number { return text.length; }
  }
  -- src/log.ts --
  export function log(text: string): void { console.log(text); }
  -- src/main.ts --
  import { Server } from './server';
  new Server().start();
  -- go/one.go --
  package shapes
  type Shape struct{}
  func area(s Shape) int { return side(s) }
  -- go/two.go --
  package shapes
  func side(s Shape) int { return 2 }
  -- app/models.rb --
  module App
    class Model
      def save; end
    end
  end
  -- app/more.rb --
  module App
    class Other
      def run; Model.new.save; end
    end
  end
  -- notes.md --
  nothing`;

export function secondCommit(ci: Workspace): void {
  ci.write(
    'src/parser.ts',
    'export class Parser {\n  parse(text: string): number { return this.count(text); }\n  count(text: string): number { return text.length; }\n}\n',
  );
  ci.git('mv', 'src/log.ts', 'src/logging.ts');
  ci.write(
    'src/server.ts',
    "import { Parser } from './parser';\nimport { log } from './logging';\nexport class Server {\n  start(): void {\n    log(String(new Parser().count('x')));\n  }\n}\n",
  );
  ci.write('go/three.go', 'package shapes\nfunc volume(s Shape) int { return side(s) * area(s) }\n');
  ci.remove('go/two.go');
  ci.write('app/aaa.rb', 'module App\n  class Model\n    def load; end\n  end\nend\n');
  ci.write('image.bin', new Uint8Array([0, 1, 2]));
  ci.write('notes.md', 'something');
}
