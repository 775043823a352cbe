import { ConfigError, type ConfigSources, type LoadedConfig, loadConfig } from '../config.ts';
import type { Config } from '../config-schema.ts';

/** The configuration as it stands now. Parts ask for what they need when they need it, so that a reload reaches them. */
export interface ConfigInForce {
  values(): Config;
  loaded(): LoadedConfig;
  /** Reads the file anew. What is wrong with it leaves the old values in force, and is told by `problem`. */
  reload(): void;
  /** Undefined when what the file says is in force. */
  problem(): string | undefined;
}

/** Throws `ConfigError` for a configuration to begin with that can't be used. */
export function openConfig(sources: ConfigSources): ConfigInForce {
  let loaded = loadConfig(sources);
  let problem: string | undefined;
  return {
    values: () => loaded.values,
    loaded: () => loaded,
    problem: () => problem,
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
