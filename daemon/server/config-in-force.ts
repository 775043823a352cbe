import { statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { type ConfigSources, type LoadedConfig, loadConfig, valueAt, withValuesOf } from '../config.ts';
import { type Config, type ConfigKey, configKeys, waitsForStart } from '../config-schema.ts';
import { isOutOfDescriptors } from '../model/shortage.ts';
import type { FileState } from '../operations/process.ts';
import { ConfigError } from '../toml-file.ts';

/** The configuration in force. */
export interface ConfigInForce {
  values(): Config;
  loaded(): LoadedConfig;
  /**
   * Reads the file anew and takes it over, but for the keys that wait for the next start. What is wrong with the file
   * leaves all as it was, and is told by `problem`.
   */
  reload(): void;
  /** Why the last `reload` changed nothing; undefined when it did, or none was asked for. */
  problem(): string | undefined;
  /** Reads the file, and leaves in force what is. Throws where descriptors ran out. */
  fileState(): FileState;
}

/** Throws `ConfigError` for a configuration to begin with that can't be used. */
export function openConfig(sources: ConfigSources): ConfigInForce {
  let loaded = loadConfig(sources);
  let problem: string | undefined;
  return {
    values: () => loaded.values,
    loaded: () => loaded,
    problem: () => problem,
    fileState() {
      try {
        const file = loadConfig(sources).values;
        const differs = ({ path }: ConfigKey) => !isDeepStrictEqual(valueAt(file, path), valueAt(loaded.values, path));
        return { problem: undefined, remedy: remedyFor(configKeys.filter(differs)) };
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        if (isOutOfDescriptors(error.cause)) throw error.cause;
        return { problem: error.message, remedy: undefined };
      }
    },
    reload() {
      try {
        loaded = withValuesOf(
          loaded,
          loadConfig(sources),
          configKeys.filter(key => !waitsForStart(key)),
        );
        problem = undefined;
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        problem = error.message;
      }
    },
  };
}

/**
 * To be called now and then: calls back once the file, or what stands where it links to, has changed, and has rested since
 * the call before. Nobody means a file half written.
 */
export function changesOf(file: string, onChange: () => void): () => void {
  let taken = stampOf(file);
  let before = taken;
  return () => {
    const now = stampOf(file);
    const hasSettled = now === before;
    before = now;
    if (!hasSettled || now === taken) return;
    taken = now;
    onChange();
  };
}

function stampOf(file: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs } = statSync(file);
    return [ino, size, mtimeMs, ctimeMs].join();
  } catch {
    return '';
  }
}

function remedyFor(changed: readonly ConfigKey[]): string | undefined {
  const waiting = changed.filter(waitsForStart).map(({ name }) => name);
  return waiting.length === 0 ? undefined : `svc daemon restart (needed for ${waiting.join(', ')})`;
}
