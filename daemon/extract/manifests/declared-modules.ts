import { parse as parseToml, TomlError } from 'smol-toml';
import { baseName } from '../../model/paths.ts';
import { maxItems, object, text, texts } from './values.ts';
import { yamlText } from './yaml-text.ts';

/** What a file that is there for it says of a module. */
export interface DeclaredModule {
  /** Path of the module as the file writes it, by the file's folder; '.' for the folder itself. */
  readonly path: string;
  readonly summary: string;
  readonly capabilities: readonly string[];
  /** 0-based. */
  readonly line: number;
}

/**
 * The modules that a declaring file describes: Backstage's `catalog-info.yaml`, the files of OpsLevel, Cortex and Datadog, which
 * are about their own folder, and `MODULES.toml`, a list of modules by `path` or `id`, each with a `summary`, `responsibility`
 * or `description` and, if it likes, `capabilities`. None where the file is broken.
 */
export function declaredModules(path: string, source: string): readonly DeclaredModule[] {
  if (baseName(path) === 'MODULES.toml') return listed(source);
  const keys = described[baseName(path)];
  const found = keys === undefined ? undefined : keys.map(key => yamlText(source, key)).find(one => one !== undefined);
  if (found === undefined) return [];
  return [{ path: '.', summary: found.slice(0, longest), capabilities: [], line: lineOf(found, source) }];
}

/** Past this a summary is something else, as is a capability, and a longer list of these. */
const longest = 4_000;
const longestCapability = 200;
const mostCapabilities = 100;

const backstage = [['metadata', 'description']] as const;

/** Where each says what its service or component is, the first that does. */
const described: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'catalog-info.yaml': backstage,
  'catalog-info.yml': backstage,
  'opslevel.yml': [
    ['service', 'description'],
    ['component', 'description'],
  ],
  'cortex.yaml': [['info', 'description']],
  'service.datadog.yaml': [['description'], ['metadata', 'description']],
};

function listed(source: string): readonly DeclaredModule[] {
  let entries: readonly Entry[];
  try {
    entries = entriesOf(source);
  } catch {
    return [];
  }
  return entries.flatMap(({ path, summary, capabilities }) =>
    path === undefined || summary === undefined
      ? []
      : [{ path, summary: summary.slice(0, longest), line: lineOf(summary, source), capabilities }],
  );
}

/** A module as `MODULES.toml` lists it. */
interface Entry {
  readonly path: string | undefined;
  readonly summary: string | undefined;
  readonly capabilities: readonly string[];
}

/** Throws where the text is no TOML. */
function entriesOf(source: string): readonly Entry[] {
  const file = object(parseToml(source));
  const lists = [file['module'], file['modules']].map(one =>
    Array.isArray(one) ? one : Object.entries(object(one)).map(([id, value]) => ({ id, ...object(value) })),
  );
  return lists
    .flat()
    .slice(0, maxItems)
    .map(value => {
      const one = object(value);
      const capabilities = texts(one['capabilities'] ?? []).slice(0, mostCapabilities);
      return {
        path: text(one['path']) ?? text(one['id']),
        summary: text(one['summary']) ?? text(one['responsibility']) ?? text(one['description']),
        capabilities: capabilities.map(each => each.slice(0, longestCapability)),
      };
    });
}

/** What of a `MODULES.toml` does not count, in public words, to be read behind the file's name. `isHere` tells paths as the file writes them. */
export function modulesFileProblems(source: string, isHere: (path: string) => boolean): readonly string[] {
  let entries: readonly Entry[];
  try {
    entries = entriesOf(source);
  } catch (error) {
    const where = error instanceof TomlError ? ` (line ${error.line})` : '';
    return [`is no TOML${where}: no module is described by it`];
  }
  if (entries.length === 0) return ['lists no [[module]]'];
  return entries.flatMap(({ path, summary }, at) => {
    if (path === undefined) return [`names no path for its module ${at + 1}`];
    const name = JSON.stringify(path.slice(0, longestCapability));
    if (summary === undefined) return [`has no summary for ${name}`];
    return isHere(path) ? [] : [`describes ${name}, which is not there`];
  });
}

function lineOf(words: string, source: string): number {
  const at = source.indexOf(words.split('\n')[0]!.slice(0, 40));
  return at < 0 ? 0 : source.slice(0, at).split('\n').length - 1;
}
