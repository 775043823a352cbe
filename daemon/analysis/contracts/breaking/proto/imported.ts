/** Which files of a repository an import may mean: that of the path, or those below a folder that imports are looked for in. */
export interface ImportIndex {
  /** In order; none where no file is meant. */
  filesOf(written: string): readonly string[];
}

/** Of the files at these paths. */
export function importIndex(paths: Iterable<string>): ImportIndex {
  const byName = new Map<string, string[]>();
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const same = byName.get(name);
    if (same === undefined) byName.set(name, [path]);
    else same.push(path);
  }
  const known = new Map<string, readonly string[]>();
  const found = (written: string): readonly string[] => {
    const same = byName.get(written.slice(written.lastIndexOf('/') + 1)) ?? [];
    return same.includes(written) ? [written] : same.filter(path => path.endsWith(`/${written}`)).sort();
  };
  return {
    filesOf(written) {
      const files = known.get(written) ?? found(written);
      known.set(written, files);
      return files;
    },
  };
}
