import { baseName, directoryOf } from '../../model/paths.ts';

/** Why a file may make a difference to all that is done below a folder, tests among it. */
export interface Everything {
  /** '' for the whole repository. */
  readonly directory: string;
  readonly because: string;
}

/**
 * What a file settles for all code around it, whoever imports it: dependencies, how sources are compiled, how tests are run,
 * what runs them. Told by its name. Undefined where it settles nothing of the kind.
 */
export function everythingBy(path: string): Everything | undefined {
  if (ofTheRepository.test(path)) return { directory: '', because: 'how CI runs' };
  const name = baseName(path);
  const found = kinds.find(([, names]) => names.test(name));
  return found === undefined ? undefined : { directory: directoryOf(path), because: found[0] };
}

/** Whether a file is code that a runner of tests loads before any of them. */
export function runsTests(path: string): boolean {
  return howTestsRun.test(baseName(path));
}

const ofTheRepository =
  /^(?:\.github\/(?:workflows|actions)\/|\.circleci\/|\.buildkite\/|\.gitlab-ci\.ya?ml$|\.gitlab\/|\.travis\.yml$|azure-pipelines\.ya?ml$|Jenkinsfile$|bitbucket-pipelines\.yml$|\.woodpecker|\.drone\.yml$|appveyor\.yml$)/;

const howTestsRun =
  /^(?:(?:jest|vitest|karma|playwright|cypress|wdio|ava|web-test-runner|stryker)(?:\.[\w-]+)*\.(?:config|conf|workspace|setup|projects)(?:\.[\w-]+)*\.(?:[cm]?[jt]s|json)|(?:vite|babel)\.config\.(?:[cm]?[jt]s|json)|\.mocharc(?:\.\w+)?|setupTests\.[jt]sx?|conftest\.py|pytest\.ini|tox\.ini|noxfile\.py|\.coveragerc|phpunit\.xml(?:\.dist)?|\.rspec|\.nycrc(?:\.json)?|dart_test\.yaml|junit-platform\.properties|nextest\.toml)$/;

/** What each settles, and how files that do are called. */
const kinds: readonly (readonly [because: string, names: RegExp])[] = [
  ['how tests are run', howTestsRun],
  [
    'dependencies and scripts',
    /^(?:package\.json|pnpm-workspace\.yaml|lerna\.json|nx\.json|turbo\.json|rush\.json|deno\.jsonc?|go\.(?:mod|work)|Cargo\.toml|pyproject\.toml|setup\.(?:py|cfg)|requirements[\w.-]*\.(?:txt|in)|Pipfile|environment\.ya?ml|pom\.xml|(?:build|settings)\.gradle(?:\.kts)?|gradle\.properties|libs\.versions\.toml|Gemfile|[\w.-]+\.gemspec|composer\.json|[\w.-]+\.(?:cs|fs|vb)proj|[\w.-]+\.slnx?|Directory\.(?:Build|Packages)\.(?:props|targets)|packages\.config|pubspec\.yaml|melos\.yaml|conanfile\.(?:py|txt)|vcpkg\.json)$/,
  ],
  [
    'versions of dependencies',
    /^(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|deno\.lock|go(?:\.work)?\.sum|Cargo\.lock|poetry\.lock|uv\.lock|pdm\.lock|Pipfile\.lock|gradle\.lockfile|Gemfile\.lock|composer\.lock|packages\.lock\.json|pubspec\.lock|conan\.lock)$/,
  ],
  [
    'how sources are compiled',
    /^(?:[tj]sconfig(?:\.[\w-]+)*\.json|\.babelrc(?:\.\w+)?|\.swcrc|CMakeLists\.txt|CMakePresets\.json|meson\.build|configure\.ac|Makefile|makefile|GNUmakefile|Rakefile|Taskfile\.ya?ml|justfile|BUILD(?:\.bazel)?|WORKSPACE(?:\.bazel)?|MODULE\.bazel|build\.rs|build\.xml|webpack\.config\.[cm]?[jt]s|rollup\.config\.[cm]?[jt]s|tsup\.config\.[cm]?[jt]s)$/,
  ],
  [
    'versions of tools',
    /^(?:\.nvmrc|\.node-version|\.python-version|\.ruby-version|\.java-version|\.tool-versions|rust-toolchain(?:\.toml)?|global\.json|mise\.toml|\.npmrc|\.yarnrc(?:\.yml)?|\.bazelversion|gradle-wrapper\.properties)$/,
  ],
  [
    'what tests run in',
    /^(?:Dockerfile(?:\.[\w-]+)?|Containerfile|(?:docker-)?compose(?:\.[\w-]+)?\.ya?ml|\.env(?:\.[\w-]+)?|flake\.(?:nix|lock)|shell\.nix|devcontainer\.json)$/,
  ],
];
