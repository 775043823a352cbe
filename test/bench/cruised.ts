/** What dependency-cruiser, or an oracle in its manner, says of imports. Paths from the root of a checkout. */
export interface Cruised {
  readonly modules: readonly { readonly source: string; readonly dependencies: readonly CruisedDependency[] }[];
}

interface CruisedDependency {
  readonly module: string;
  readonly resolved: string;
  readonly coreModule: boolean;
  readonly couldNotResolve: boolean;
  readonly dependencyTypes: readonly string[];
}

/** Where built files lie, and where their sources do. */
export interface BuiltFolders {
  readonly built: string;
  readonly sources: string;
}

/** `build/src=src`. */
export function builtFolders(text: string): BuiltFolders {
  const [built = '', sources = ''] = text.split('=');
  return { built, sources };
}

/** The file that a built one is made of, where that is there. */
export function sourceOf(path: string, has: (path: string) => boolean, folders: BuiltFolders | undefined): string {
  if (folders === undefined || has(path)) return path;
  const stem = path.replace(`/${folders.built}/`, `/${folders.sources}/`).replace(/(?:\.d)?\.[cm]?[jt]s$/, '');
  return ['.ts', '.tsx', '.js'].map(suffix => stem + suffix).find(has) ?? path;
}
