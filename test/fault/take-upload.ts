import { readFileSync, writeSync } from 'node:fs';
import { homeAt, hostedDaemon } from '../support/hosted-daemon.ts';

/** A daemon over the home that the first argument names, which takes the file of the third for an upload of the second, says what was answered, and leaves. */
const [path, repo, file] = process.argv.slice(2) as [string, string, string];
const daemon = await hostedDaemon({ after: () => {} }, { home: homeAt(path) });
writeSync(1, JSON.stringify(await daemon.upload(repo, readFileSync(file), { commit: 'ef'.repeat(20) })));
await daemon.close();
process.exit(0);
