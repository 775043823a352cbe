import { createIndexEngine } from '../../daemon/jobs/engine.ts';
import type { RepositoryRecord } from '../../daemon/model/repository.ts';

/**
 * Takes in an artifact and ends: a process that a test may kill on the way.
 *
 *   node take-delta.js <repository as JSON> <folder for git's shadow> <artifact>
 */
const [repository = '{}', shadowFolder = '', file = ''] = process.argv.slice(2);
const engine = createIndexEngine({ extractWorkers: 1, shadowFolder });
const artifact = { text: undefined, file, mostBytes: 2 ** 20, mostDepth: 64 };
const outcome = await engine.delta(JSON.parse(repository) as RepositoryRecord, { kind: 'ingest', artifact });
await engine.close();
process.exitCode = outcome.kind === 'checked' && outcome.checked.problems.length === 0 ? 0 : 1;
