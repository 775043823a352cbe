import { isDeepStrictEqual } from 'node:util';
import { ConfigError, type ConfigSources, type LoadedConfig, loadConfig } from '../config.ts';
import type { Config } from '../config-schema.ts';

/** The configuration as it stands now. Parts ask for what they need when they need it, so that a reload reaches them. */
export interface ConfigInForce {
  values(): Config;
  loaded(): LoadedConfig;
  /** Reads the file anew. What is wrong with it leaves the old values in force, and is told by `problem`. */
  reload(): void;
  /** Why the last `reload` changed nothing; undefined when it did, or none was asked for. */
  problem(): string | undefined;
  /** Reads the file, and leaves in force what is. */
  fileState(): FileState;
}

export interface FileState {
  /** What is wrong with the file: place, key and remedy. */
  readonly problem: string | undefined;
  /** It says other things than are in force. */
  readonly hasChanged: boolean;
}

/** How a changed file comes into force. */
export function bringIntoForce(): string {
  return `kill -HUP ${process.pid}, or svc daemon restart`;
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
        const { values } = loadConfig(sources);
        return { problem: undefined, hasChanged: !isDeepStrictEqual(values, loaded.values) };
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        return { problem: error.message, hasChanged: true };
      }
    },
    reload() {
      try {
        loaded = loadConfig(sources);
        problem = undefined;
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        problem = error.message;
      }
    },
  };
}
