import { renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { copyFile, tableOfRegistry } from './table.ts';

/*
 * Run by the build, behind the compiler. Finding and reading many small files takes longer than what they say: the schema
 * library, the command, the daemon and each worker become one file, and the registry JSON beside the commands.
 */

const inOneFile = { bundle: true, platform: 'node', target: 'node20', logLevel: 'warning' } as const;

const mentionsReader = 'daemon/extract/documents/read-document.js';

await putIntoOneFile('client/protocol/schemas.js', []);
// What it shares with the parts that it loads when asked stays apart: two copies of `Fault` would not know each other.
await putIntoOneFile('cli/main.js', [
  'cli/daemon.js',
  'client/http.js',
  // It has the schemas, which are one file already.
  'client/protocol/delta.js',
  'client/protocol/registry.js',
  'client/protocol/expectation.js',
  'client/protocol/faults.js',
]);
// What HTTP serves is the daemon's too, and workers are found beside the file that names them.
await putIntoOneFile('cli/daemon.js', ['client/protocol/*', 'http/*', 'daemon/workers/entry.js'], 'external');
// Markdown's parser is eighty files, and is loaded when the first document comes.
await putIntoOneFile(mentionsReader, []);
for (const worker of [
  'compare',
  'copy',
  'extract',
  'federation',
  'history',
  'hosted',
  'link',
  'read',
  'telemetry',
  'watch',
  'write',
]) {
  // The schemas are loaded when one is asked for, and are one file already.
  const apart = ['client/protocol/delta.js', 'client/protocol/schemas.js', mentionsReader];
  await putIntoOneFile(`daemon/workers/${worker}.js`, apart, 'external');
}
await build({
  ...{ entryPoints: ['fast-json-stringify'], outfile: built('client/protocol/json-stringify.cjs') },
  ...inOneFile,
  format: 'cjs',
});
await writeTable();

async function putIntoOneFile(
  path: string,
  without: readonly string[],
  packages: 'bundle' | 'external' = 'bundle',
): Promise<void> {
  await build({
    entryPoints: [built(path)],
    outfile: built(path),
    allowOverwrite: true,
    ...inOneFile,
    external: without.map(built),
    packages,
    format: 'esm',
    sourcemap: true,
    // CommonJS packages ask for Node.js's own modules.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
  });
}

async function writeTable(): Promise<void> {
  const beside = `${copyFile}.${process.pid}`;
  writeFileSync(beside, JSON.stringify(await tableOfRegistry()));
  renameSync(beside, copyFile);
}

function built(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
