import type { Worker } from 'node:worker_threads';

/** From now on, how many of the workers that this thread starts are alive. */
export function countWorkers(): () => number {
  let alive = 0;
  process.on('worker', (worker: Worker) => {
    alive++;
    worker.once('exit', () => alive--);
  });
  return () => alive;
}
