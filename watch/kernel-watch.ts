import { watch } from 'node:fs';
import { isOutOfWatches, type WatchBudget } from './budget.ts';
import { isClosed } from './file-system.ts';

/** The kernel's watch on one folder. */
export interface KernelWatch {
  close(): void;
}

export interface KernelWatchListener {
  /** Something happened to an entry; null where the kernel doesn't say to which. `isWritten`: to what stands there. */
  onEntry(name: string | null, isWritten: boolean): void;
  /** It has come to an end. */
  onError(): void;
}

/** Undefined where the kernel has none for us; `closed` where it would have one, and somebody's rights keep us from it. */
export function openKernelWatch(
  folder: string,
  budget: WatchBudget,
  listener: KernelWatchListener,
): KernelWatch | 'closed' | undefined {
  if (!budget.available()) return undefined;
  try {
    const watcher = watch(folder, (event, name) => listener.onEntry(name, event === 'change'));
    watcher.on('error', () => listener.onError());
    budget.taken();
    return {
      close() {
        watcher.close();
        budget.released();
      },
    };
  } catch (error) {
    if (isClosed(error)) return 'closed';
    if (isOutOfWatches(error)) budget.refused();
    return undefined;
  }
}
