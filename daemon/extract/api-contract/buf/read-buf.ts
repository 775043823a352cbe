import type { BufModules, ContractFacts, ContractUse } from '../../../model/contract.ts';
import { at, type DocumentNode, itemsOf, mapOf, textOf, textsOf } from '../document/nodes.ts';
import { readYaml } from '../document/read-yaml.ts';

/** Whether a file is one of buf's, as its name says: `buf.yaml`, `buf.gen.go.yaml` … */
export function isBufFile(path: string): boolean {
  return kindOf(path) !== undefined;
}

type BufFileKind = 'module' | 'workspace' | 'lock' | 'generator';

/** Larger than any: lock files have a few lines for each dependency. */
const mostBytes = 1024 * 1024;

/** What one of buf's files says; its modules and what it depends upon, or what it generates code from. */
export function bufIn(path: string, bytes: Uint8Array): ContractFacts {
  if (bytes.length > mostBytes)
    return { uses: [], problem: { line: 1, message: 'the file is too large for one of buf’s' } };
  const source = new TextDecoder().decode(bytes);
  const [first] = readYaml(source);
  const problem = first?.problem;
  const seen = seenIn(source.split(/\r?\n/));
  const told = toldBy(kindOf(path) ?? 'module', first?.root, seen);
  return { ...told, ...(problem === undefined ? {} : { problem }) };
}

function kindOf(path: string): BufFileKind | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === 'buf.yaml' || name === 'buf.yml' || name === 'buf.mod') return 'module';
  if (name === 'buf.work.yaml' || name === 'buf.work.yml' || name === 'buf.work') return 'workspace';
  if (name === 'buf.lock') return 'lock';
  return /^buf\.gen(?:\.[\w-]{1,60}){0,3}\.(?:yaml|yml|json)$/.test(name) ? 'generator' : undefined;
}

type Seen = (line: number) => string;

function seenIn(lines: readonly string[]): Seen {
  return line => (lines[line - 1] ?? '').trim().slice(0, 200);
}

function toldBy(kind: BufFileKind, root: DocumentNode | undefined, seen: Seen): ContractFacts {
  switch (kind) {
    case 'module':
      return { uses: dependenciesOf(root, seen), buf: modulesOf(root) };
    case 'workspace':
      return { uses: [], buf: { roots: textsOf(at(root, 'directories')).map(plainPath), names: [] } };
    case 'lock':
      return { uses: dependenciesOf(root, seen) };
    case 'generator':
      return { uses: generatorsOf(root, seen) };
  }
}

/** Version 2 lists its modules; before it the file's folder is one, or has `roots` (v1beta1). */
function modulesOf(root: DocumentNode | undefined): BufModules {
  const modules = itemsOf(at(root, 'modules'));
  const names = [root, ...modules].flatMap(one => textOf(at(one, 'name')) ?? []);
  const roots =
    modules.length > 0
      ? modules.map(one => textOf(at(one, 'path')) ?? '.')
      : textsOf(at(at(root, 'build'), 'roots')).slice();
  return { roots: roots.length === 0 ? ['.'] : [...new Set(roots.map(plainPath))], names: [...new Set(names)] };
}

/** `./proto/` as `proto`. */
function plainPath(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end--;
  const plain = path.slice(path.startsWith('./') ? 2 : 0, end);
  return plain === '' ? '.' : plain;
}

function dependenciesOf(root: DocumentNode | undefined, seen: Seen): readonly ContractUse[] {
  return inOrder(
    itemsOf(at(root, 'deps')).flatMap(one => {
      const module = one.kind === 'scalar' ? textOf(one) : lockedName(one);
      const lines = linesOf(one);
      const line = lines.at(-1) ?? one.line;
      return module === undefined || module === ''
        ? []
        : [
            {
              kind: 'dependency' as const,
              language: 'configuration',
              line,
              seen: lines.map(seen).join(' ').slice(0, 200),
              module: unpinned(module),
            },
          ];
    }),
  );
}

/** `name` in version 2, before it in parts. */
function lockedName(dependency: DocumentNode): string | undefined {
  const parts = ['remote', 'owner', 'repository'].flatMap(key => textOf(at(dependency, key)) ?? []);
  return textOf(at(dependency, 'name')) ?? (parts.length === 3 ? parts.join('/') : undefined);
}

/** Which lines tell it: of one in parts those of its owner and its repository, as the first is alike in all. */
function linesOf(dependency: DocumentNode): readonly number[] {
  const parts = ['owner', 'repository'].flatMap(key => mapOf(dependency).entries.get(key)?.line ?? []);
  const isInParts = textOf(at(dependency, 'name')) === undefined && parts.length === 2;
  return isInParts ? [...new Set(parts)].sort((a, b) => a - b) : [dependency.line];
}

/** `buf.build/acme/petapis:v1.2.0` without what stands for a version. */
function unpinned(module: string): string {
  const [name = ''] = module.split(':', 1);
  return name;
}

/**
 * A use for each input, or for each of the paths in it that are taken, of modules of a registry as of what is depended upon; where
 * none is named, buf takes the folder, and a plugin shows that code is generated.
 */
function generatorsOf(root: DocumentNode | undefined, seen: Seen): readonly ContractUse[] {
  const generator = { kind: 'generator', language: 'configuration' } as const;
  const inputs = itemsOf(at(root, 'inputs')).flatMap((input): readonly ContractUse[] => {
    const told = inputOf(input);
    if (told === undefined) return [];
    const kind = told.module === undefined ? generator.kind : 'dependency';
    const whole = { ...generator, kind, line: input.line, seen: seen(input.line), ...told } as const;
    const parts = itemsOf(at(input, 'paths')).flatMap(part => {
      const file = partOf(told, textOf(part) ?? '');
      return file === undefined ? [] : [{ ...whole, file, line: part.line, seen: seen(part.line) }];
    });
    return parts.length > 0 ? parts : [whole];
  });
  if (inputs.length > 0) return inOrder(inputs);
  const plugins = itemsOf(at(root, 'plugins')).map(({ line }) => ({ ...generator, line, seen: seen(line), file: '.' }));
  return inOrder([...plugins, ...managedOf(root, seen)]);
}

/** Of a module as it is called there; of a folder from where that is, though it may be told from within. */
function partOf({ module, file }: Pick<ContractUse, 'file' | 'module'>, written: string): string | undefined {
  const part = plainPath(written);
  if (written === '' || file?.endsWith('.proto') === true) return undefined;
  const isInside = module !== undefined || file === undefined || file === '.' || part.startsWith(`${file}/`);
  return isInside ? part : `${file}/${part}`;
}

/** Version 1 has no inputs, but tells apart modules whose options it sets otherwise: `go_package_prefix: {except: […]}`. */
function managedOf(root: DocumentNode | undefined, seen: Seen): readonly ContractUse[] {
  const kept = [...mapOf(at(root, 'managed')).entries.values()].flatMap(({ value }) => [
    ...itemsOf(at(value, 'except')).map(one => ({ module: textOf(one) ?? '', line: one.line })),
    ...[...mapOf(at(value, 'override')).entries].map(([module, { line }]) => ({ module, line })),
  ]);
  return kept
    .filter(({ module }) => /^[\w-]{1,60}(?:\.[\w-]{1,60}){1,6}\/[\w-]{1,60}\/[\w.-]{1,100}$/.test(module))
    .map(({ module, line }) => ({ kind: 'dependency', language: 'configuration', line, seen: seen(line), module }));
}

function inputOf(input: DocumentNode): Pick<ContractUse, 'file' | 'module' | 'from'> | undefined {
  const directory = textOf(at(input, 'directory'));
  const file = textOf(at(input, 'proto_file'));
  const module = textOf(at(input, 'module'));
  const git = textOf(at(input, 'git_repo'));
  if (directory !== undefined) return { file: plainPath(directory) };
  if (file !== undefined) return { file: plainPath(file) };
  if (module !== undefined) return { module: unpinned(module) };
  if (git !== undefined) return { from: git, file: plainPath(textOf(at(input, 'subdir')) ?? '.') };
  const [archive] = ['tarball', 'zip_archive', 'binary_image', 'json_image', 'txt_image', 'yaml_image'].flatMap(
    key => textOf(at(input, key)) ?? [],
  );
  return archive === undefined && mapOf(input).entries.size === 0 ? undefined : { file: archive ?? '.' };
}

function inOrder(uses: readonly ContractUse[]): readonly ContractUse[] {
  return [...uses].sort((a, b) => a.line - b.line);
}
