import { parse as parseToml } from 'smol-toml';
import { defined, maxItems, object, type Reading, said, text, texts } from './values.ts';

/**
 * Cargo.toml. Of the project: `isWorkspace`, `isKept` where it is not to be published, and `keepsMembers` where those are not
 * that leave that to the workspace; what the workspace leaves out, and the targets that it names with their kind; of one
 * without a path, Cargo's own places tell.
 */
export function readCargo(source: string): Reading {
  const file = object(parseToml(source));
  const crate = object(file['package']);
  const { name } = crate;
  const library = object(file['lib']);
  const workspace = object(file['workspace']);
  const { members } = workspace;
  const lists = [file, workspace, ...Object.values(object(file['target'])).map(object)].flatMap(one =>
    ['dependencies', 'dev-dependencies', 'build-dependencies'].map(key => object(one[key])),
  );
  const entries = lists.flatMap(list => Object.entries(list));
  const dependencies = Object.fromEntries(
    entries.flatMap(([key, value]) => {
      const { path } = object(value);
      return typeof path === 'string' ? [[key, path]] : [];
    }),
  );
  const requires = [...new Set(entries.map(([key]) => key))].sort();
  const renamed = Object.fromEntries(
    entries.flatMap(([key, value]) => {
      const { package: name } = object(value);
      return typeof name === 'string' && name !== key ? [[key, name]] : [];
    }),
  );
  const binaries = Array.isArray(file['bin']) ? file['bin'].map(one => object(one)['path']) : undefined;
  const content = defined({
    name,
    libraryName: library['name'],
    libraryPath: library['path'],
    binaries,
    members,
    dependencies,
    requires,
    renamed: Object.keys(renamed).length === 0 ? undefined : renamed,
  });
  const project = said({
    isKept: object(crate['publish'])['workspace'] === true ? 'as the workspace' : isKept(crate['publish']) || undefined,
    keepsMembers: isKept(object(workspace['package'])['publish']) || undefined,
    isWorkspace: file['workspace'] === undefined ? undefined : true,
    exclude: texts(workspace['exclude'] ?? []),
    build: text(crate['build']),
    targets: ['bin', 'example', 'bench', 'test'].flatMap(kind => targetsOf(kind, file[kind])),
  });
  return { scope: typeof name === 'string' ? `cargo:${name}` : '', content, project };
}

/** `publish = false`, or a list of registries with none in it. */
function isKept(publish: unknown): boolean {
  return publish === false || (Array.isArray(publish) && publish.length === 0);
}

function targetsOf(kind: string, value: unknown): readonly Record<string, unknown>[] {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, maxItems)
    .map(one => said({ kind, name: text(object(one)['name']), path: text(object(one)['path']) }));
}
