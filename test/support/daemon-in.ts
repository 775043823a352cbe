import { homedir } from 'node:os';
import { placesOf } from '../../client/paths.ts';
import { runDaemon } from '../../daemon/main.ts';

/**
 * A daemon as a client starts it, but for the folder of short-lived things: the argument stands for `/tmp`, where the
 * daemon of whoever runs the tests may have its own.
 */
const { env } = process;
process.umask(0o077);
const exitCode = await runDaemon({
  places: placesOf({ env, uid: process.getuid?.() ?? 0, home: homedir(), temporary: process.argv[2]! }),
  environment: env,
  version: '0.1.0',
  build: 'test',
  isAutoStarted: true,
  onControls: ({ leave }) => process.on('SIGTERM', () => leave('SIGTERM')),
});
process.exit(exitCode);
