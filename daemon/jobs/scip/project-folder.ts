import { fileURLToPath } from 'node:url';

/**
 * In which folder of a repository the paths of an index begin (`''`, or one that ends in a slash), by the folder in which
 * the indexer ran. That may have been on another machine: then it is one of the folders that its last names spell, the
 * longest in which the tree has the path that is asked for, and the one of the path before where that will do.
 */
export function folderOfProject(
  projectRoot: string,
  root: string,
  has: (path: string) => boolean,
): (path: string) => string {
  const folders = foldersOf(projectRoot, root);
  let likely: string | undefined;
  return path => {
    if (likely !== undefined && has(likely + path)) return likely;
    likely = folders.find(folder => has(folder + path)) ?? likely;
    return likely ?? folders[0];
  };
}

function foldersOf(projectRoot: string, root: string): readonly [string, ...string[]] {
  const folder = folderAt(projectRoot);
  if (folder === root || folder === '') return [''];
  if (folder.startsWith(`${root}/`)) return [`${folder.slice(root.length + 1)}/`];
  const names = folder.split('/').filter(name => name !== '');
  const [longest = '', ...others] = names.map((_, at) => `${names.slice(at).join('/')}/`);
  return [longest, ...others, ''];
}

function folderAt(projectRoot: string): string {
  try {
    return fileURLToPath(projectRoot).replace(/\/+$/, '');
  } catch {
    return projectRoot.startsWith('/') ? projectRoot.replace(/\/+$/, '') : '';
  }
}
