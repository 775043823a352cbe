import type { IndexerName } from '../indexer-names.ts';

/** A program that writes SCIP indexes, as far as running it goes. */
export interface Indexer {
  readonly name: IndexerName;
  /** Languages as snapshots count them. */
  readonly languages: readonly string[];
  /** What it is called on PATH. */
  readonly program: string;
  /** The npm package that it comes in, and the script there; found beside this program or in the data folder. */
  readonly npm?: { readonly package: string; readonly version: string; readonly script: string };
  readonly versionArguments: readonly string[];
  /** Whether code of the repository, or a program that it names, may run with it: then the user must trust the repository. */
  readonly runsCode: boolean;
  /**
   * Names of the files that make a project, endings with a `*` before them. It runs in each outermost folder that has one;
   * without any listed, at the root.
   */
  readonly projectFiles: readonly string[];
  /** What it reads: the work tree, into which it writes nothing, or a copy of its files, in which it may do as it likes. */
  readonly reads: 'tree' | 'copy';
  /** Folders that git ignores and it can't do without: they go into the copy too. */
  readonly alsoCopied?: readonly string[];
  /** Names of files that git ignores and it can't do without, wherever they are. */
  readonly alsoCopiedFiles?: RegExp;
  readonly arguments: (run: IndexerPlace) => readonly string[];
  /** Where it writes, if it can't be told. */
  readonly writes?: string;
  /** What people run to have it. */
  readonly install: string;
}

export interface IndexerPlace {
  /** Absolute: what is indexed, which is also the folder that the program runs in. */
  readonly folder: string;
  /** Absolute: the file that it is to write. */
  readonly output: string;
  /** Absolute: a folder of ours for whatever it needs beside. */
  readonly scratch: string;
  /** Names the repository to indexers that want a package's name. */
  readonly project: string;
}

/**
 * Arguments are those of the indexers' own documentation and sources. scip-typescript is asked by project files of ours
 * (`typescript-projects.ts`): its own `--infer-tsconfig` writes into the work tree, and by itself it passes JavaScript over.
 */
export const indexers: readonly Indexer[] = [
  {
    name: 'scip-typescript',
    languages: ['typescript', 'javascript'],
    program: 'scip-typescript',
    npm: { package: '@sourcegraph/scip-typescript', version: '0.4.0', script: 'dist/src/main.js' },
    versionArguments: ['--version'],
    runsCode: false,
    projectFiles: [],
    reads: 'tree',
    arguments: ({ folder, output }) => [
      'index',
      '--cwd',
      folder,
      '--output',
      output,
      '--no-progress-bar',
      '--max-file-byte-size',
      '2mb',
    ],
    install: 'npm install --global @sourcegraph/scip-typescript@0.4.0',
  },
  {
    name: 'scip-python',
    languages: ['python'],
    program: 'scip-python',
    npm: { package: '@sourcegraph/scip-python', version: '0.6.6', script: 'index.js' },
    versionArguments: ['--version'],
    runsCode: false,
    projectFiles: [],
    reads: 'tree',
    // Without a version it asks git, without an environment pip: programs that may heed what lies in the folder.
    arguments: ({ folder, output, scratch, project }) => [
      'index',
      '--cwd',
      folder,
      '--output',
      output,
      '--project-name',
      project,
      '--project-version',
      '0',
      '--environment',
      `${scratch}/no-packages.json`,
      '--quiet',
    ],
    install: 'npm install --global @sourcegraph/scip-python@0.6.6',
  },
  {
    name: 'scip-go',
    languages: ['go'],
    program: 'scip-go',
    versionArguments: ['--version'],
    runsCode: true,
    projectFiles: ['go.mod'],
    reads: 'copy',
    arguments: ({ folder, output, project }) => [
      '--output',
      output,
      '--project-root',
      folder,
      '--module-root',
      folder,
      '--repository-root',
      folder,
      '--repository-remote',
      project,
      '--module-version',
      '0',
      '--quiet',
    ],
    install: 'go install github.com/sourcegraph/scip-go/cmd/scip-go@latest',
  },
  {
    name: 'rust-analyzer',
    languages: ['rust'],
    program: 'rust-analyzer',
    versionArguments: ['--version'],
    runsCode: true,
    projectFiles: ['Cargo.toml'],
    reads: 'copy',
    arguments: ({ folder, output }) => ['scip', folder, '--output', output, '--exclude-vendored-libraries'],
    install: 'rustup component add rust-analyzer',
  },
  {
    name: 'scip-java',
    languages: ['java', 'kotlin'],
    program: 'scip-java',
    versionArguments: ['--version'],
    runsCode: true,
    projectFiles: [
      'settings.gradle',
      'settings.gradle.kts',
      'build.gradle',
      'build.gradle.kts',
      'gradlew',
      'pom.xml',
      'build.sbt',
    ],
    reads: 'copy',
    arguments: ({ output }) => ['index', '--output', output],
    install: 'coursier install --contrib scip-java',
  },
  {
    name: 'scip-clang',
    languages: ['c', 'cpp'],
    program: 'scip-clang',
    versionArguments: ['--version'],
    runsCode: true,
    projectFiles: ['compile_commands.json'],
    // What the database names absolutely is named anew (`compilations.ts`).
    reads: 'copy',
    // A build generates headers, and sources too, where git ignores them.
    alsoCopiedFiles: /\.(?:[ch]|cc|hh|[ch](?:pp|xx|\+\+)|inc|inl|ipp|tcc|tpp|txx|def|cuh?|rsp|modulemap)$/i,
    arguments: ({ folder, output, scratch }) => [
      `--compdb-path=${folder}/compile_commands.json`,
      `--index-output-path=${output}`,
      `--temporary-output-dir=${scratch}`,
      '--no-progress-report',
    ],
    install: 'see https://github.com/sourcegraph/scip-clang/releases',
  },
  {
    name: 'scip-ruby',
    languages: ['ruby'],
    program: 'scip-ruby',
    versionArguments: ['--version'],
    runsCode: true,
    projectFiles: ['Gemfile', '*.gemspec'],
    reads: 'copy',
    arguments: ({ output, project }) => ['--index-file', output, '--gem-metadata', `${project}@0`, '.'],
    install: 'gem install scip-ruby',
  },
  {
    name: 'scip-dotnet',
    languages: ['csharp'],
    program: 'scip-dotnet',
    versionArguments: ['--version'],
    runsCode: true,
    projectFiles: ['*.sln', '*.slnx', '*.csproj'],
    reads: 'copy',
    arguments: ({ folder, output }) => ['index', '--working-directory', folder, '--output', output],
    install: 'dotnet tool install --global scip-dotnet',
  },
  {
    name: 'scip-php',
    languages: ['php'],
    program: 'scip-php',
    versionArguments: ['--help'],
    runsCode: true,
    projectFiles: ['composer.json'],
    reads: 'copy',
    alsoCopied: ['vendor'],
    arguments: () => ['--memory-limit=2G'],
    writes: 'index.scip',
    install: 'composer global require davidrjenni/scip-php',
  },
  {
    name: 'scip-dart',
    languages: ['dart'],
    program: 'scip_dart',
    versionArguments: ['--version'],
    runsCode: true,
    projectFiles: ['pubspec.yaml'],
    reads: 'copy',
    alsoCopied: ['.dart_tool'],
    arguments: ({ folder, output }) => ['--output', output, folder],
    install: 'dart pub global activate scip_dart',
  },
];

/** Whether a file of this name makes a project of the indexer. */
export function isProjectFile({ projectFiles }: Indexer, name: string): boolean {
  return projectFiles.some(wanted => (wanted.startsWith('*') ? name.endsWith(wanted.slice(1)) : name === wanted));
}
