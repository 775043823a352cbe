import type { NodeKind, Noun, Picture, PictureEdge, PictureNode } from '../pictures/picture.ts';
import type { DirectoryView } from './directories.ts';
import type { FileView } from './files.ts';
import type { ModuleView } from './modules.ts';

/** A view of what the repository consists of. */
export type View =
  | ({ readonly granularity: 'module' } & ModuleView)
  | ({ readonly granularity: 'directory' } & DirectoryView)
  | ({ readonly granularity: 'file' } & FileView);

/** A view as boxes and arrows; packages of others that it lists have boxes of their own. */
export function pictureOf(view: View, title: string): Picture {
  switch (view.granularity) {
    case 'module': {
      const nodes = view.modules.map(({ id, name, path, isTest, ...rest }) =>
        node(id, { ...rest, label: path === '' ? name : path, path, isTest }),
      );
      const edges = view.dependencies.map(({ production, ...rest }) => ({ ...rest, isFaint: production === 0 }));
      return joined(title, { one: 'module', many: 'modules' }, nodes, edges);
    }
    case 'directory': {
      const nodes = view.directories.map(({ path, ...rest }) =>
        node(path, { ...rest, label: path === '.' ? '. (root)' : path, path }),
      );
      const edges = view.directoryDependencies.map(({ importCount, production, ...rest }) => ({
        ...rest,
        strength: importCount,
        isFaint: production === 0,
      }));
      return joined(title, { one: 'directory', many: 'directories' }, nodes, edges);
    }
    case 'file': {
      const nodes = view.files.map(({ path, ...rest }) => node(path, { ...rest, label: path, path, fileCount: 1 }));
      const edges = view.fileDependencies
        .filter(({ resolved }) => resolved)
        .map(({ typeOnly, ...rest }) => ({ ...rest, strength: 1, isFaint: typeOnly }));
      return joined(title, { one: 'file', many: 'files' }, nodes, edges);
    }
  }
}

interface NamedNode {
  readonly key: string;
  readonly node: PictureNode;
}

interface NamedEdge extends Omit<PictureEdge, 'from' | 'to'> {
  readonly from: string;
  readonly to: string;
}

interface Told {
  readonly label: string;
  readonly path: string;
  readonly fileCount: number;
  readonly loc: number;
  readonly outside: boolean;
  readonly isTest?: boolean;
}

function node(key: string, { label, path, fileCount, loc, outside, isTest }: Told): NamedNode {
  const kind: NodeKind = outside ? 'outside' : isTest === true ? 'test' : 'inside';
  const place = path === '' || path === '.' ? [] : path.split('/');
  return { key, node: { label, place, fileCount, loc, kind } };
}

function joined(title: string, noun: Noun, nodes: readonly NamedNode[], edges: readonly NamedEdge[]): Picture {
  const numbers = new Map(nodes.map(({ key }, at) => [key, at]));
  const all = nodes.map(one => one.node);
  for (const { to } of edges) {
    if (numbers.has(to)) continue;
    numbers.set(to, all.length);
    all.push(packageNode(to));
  }
  const drawn = edges.flatMap(({ from, to, strength, isFaint, inCycle }): PictureEdge[] => {
    const source = numbers.get(from);
    // Of a view that was cut its source may be gone.
    return source === undefined ? [] : [{ from: source, to: numbers.get(to)!, strength, isFaint, inCycle }];
  });
  return { title, noun, nodes: all, edges: drawn };
}

/** `npm:@scope/name` stands with all that npm has. */
function packageNode(id: string): PictureNode {
  const colon = id.indexOf(':');
  return { label: id, place: [id.slice(0, colon + 1), id.slice(colon + 1)], fileCount: 0, loc: 0, kind: 'package' };
}
