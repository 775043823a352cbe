/** The files of a folder that tell how an environment of Python is made. */
export interface PythonProject {
  /** Names of regular files in it, sorted. */
  readonly files: readonly string[];
  /** Files of requirements, in it or in a folder of that name: `requirements.txt` first. */
  readonly requirements: readonly string[];
  /** What its pyproject.toml holds; '' where there is none that can be read. */
  readonly pyproject: string;
  /** The packages that it needs. */
  readonly requires: readonly string[];
  /** As conda's file of the environment calls that. */
  readonly condaName: string | undefined;
}

/** What lies in a work tree of Python environments and of the files that tell how they are made. Nothing of it is run. */
export interface PythonFolder extends PythonProject {
  /** Folders that hold an environment, relative to the root: those of the root first, as custom calls them. */
  readonly environments: readonly string[];
  /** Where the root says nothing of how: the folders right below it that do. */
  readonly projects: readonly (PythonProject & { readonly folder: string })[];
}
