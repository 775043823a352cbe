import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { InputOf, OutputOf } from '../../../client/protocol/operation.ts';
import type { Operations } from '../../../client/protocol/registry.ts';
import { createTelemetryService } from '../../../daemon/jobs/telemetry/telemetry-service.ts';
import { type AnalysisName, analyse } from '../../../daemon/operations/analysis/analyses.ts';
import type { Asked } from '../../../daemon/operations/symbols/answers.ts';
import type { AskedService, CallsAsked } from '../../../daemon/operations/telemetry/calls-asked.ts';
import { openDaemonDatabase } from '../../../daemon/store/daemon-db.ts';
import type { IndexReader } from '../../../daemon/store/index-reader.ts';
import type { RememberedMatch } from '../../../daemon/store/telemetry/call-store.ts';
import { fakeClock } from '../../support/fake-clock.ts';
import { temporaryFolder } from '../../support/repository.ts';
import { type AnalysedTree, analysedTree } from './analysed-tree.ts';

/** What a service tells of a function on some days; these are counted back from today, which is 0. */
export interface Report {
  readonly service: string;
  /** `file name` of each function, or a name alone. */
  readonly functions: readonly string[];
  /** The first and the last; the day itself where there is one. */
  readonly days: readonly [from: number, until: number] | number;
  readonly calls?: number;
}

/** A tree that is indexed, and of which production tells. */
export interface CalledTree extends AnalysedTree {
  /** daemon.db. */
  readonly file: string;
  report(...reports: readonly Report[]): Promise<void>;
  /** Has it remembered what functions are, as of a repository with that uid. */
  remember(seen: readonly RememberedMatch[]): void;
  askNow<Name extends AnalysisName>(
    operation: Name,
    input: InputOf<Operations[Name]>,
    more?: Partial<CallsAsked>,
  ): OutputOf<Operations[Name]>;
  aboutCalls<T>(work: (reader: IndexReader, asked: Asked) => T, more?: Partial<CallsAsked>): T;
}

const dayMs = 86_400_000;

export async function calledTree(t: TestContext, text: string, by: AskedService['by'] = 'exact'): Promise<CalledTree> {
  const tree = await analysedTree(t, text);
  const file = join(temporaryFolder(t, '').root, 'daemon.db');
  const clock = fakeClock();
  const now = clock.now().getTime();
  const database = openDaemonDatabase(file);
  const service = createTelemetryService(file, clock);
  t.after(() => {
    service.close();
    database.close();
  });
  let reported = 0;
  const asked = (): CallsAsked => ({
    ...{ file, repoUid: 'uid', excludePaths: [], excludeNames: [], version: String(reported) },
    services: database.calls.services().map(({ id, name }) => ({ id, name, folder: '', by })),
  });
  const aboutCalls: CalledTree['aboutCalls'] = (work, more) =>
    tree.about((reader, question) => work(reader, { ...question, now, calls: { ...asked(), ...more } }));
  return {
    ...tree,
    file,
    aboutCalls,
    report: async (...reports) => {
      const calls = reports.flatMap(({ service: service_name, functions, days, calls: call_count = 1 }) => {
        const [from, until] = typeof days === 'number' ? [days, days] : days;
        const ago = Array.from({ length: from - until + 1 }, (_, at) => from - at);
        return functions.flatMap(told => {
          const [function_name, file_path = ''] = told.split(' ').reverse();
          return ago.map(day => ({
            ...{ service_name, function_name, file_path, call_count },
            timestamp: new Date(now - day * dayMs).toISOString(),
          }));
        });
      });
      const bytes = new Uint8Array(Buffer.from(JSON.stringify({ calls, batch_id: String(reported++) })));
      const source = { kind: 'calls', coding: 'identity' } as const;
      const keeping = { limitBytes: 2 ** 26, keptDays: 400, mostFunctions: 10_000 };
      await service.take({ ...keeping, source, bytes, asked: '', key: undefined });
    },
    remember: seen => {
      service.remember(seen);
      reported++;
    },
    askNow: (operation, input, more) =>
      aboutCalls((reader, question) => analyse(reader, { operation, asked: question, input }), more)!,
  };
}
