import { isDeepStrictEqual } from 'node:util';
import { ConfigError, type ConfigSources, type LoadedConfig, loadConfig, valueAt, withValuesOf } from '../config.ts';
import { type Config, type ConfigKey, configKeys, waitsForStart } from '../config-schema.ts';
import type { FileState } from '../operations/process.ts';

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
  /** Reads the file, and leaves in force what is. */
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

function remedyFor(changed: readonly ConfigKey[]): string | undefined {
  if (changed.length === 0) return undefined;
  const waiting = changed.filter(waitsForStart);
  const names = (keys: readonly ConfigKey[]) => keys.map(({ name }) => name).join(', ');
  return waiting.length === 0
    ? `kill -HUP ${process.pid}, or svc daemon restart (${names(changed)})`
    : `svc daemon restart (needed for ${names(waiting)})`;
}
