import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { type Cleanup, gitRepository, temporaryFolder, type Workspace } from '../support/repository.ts';
import {
  branchNamed,
  committedTree,
  damaged,
  fifo,
  file,
  folder,
  garbage,
  gitFile,
  gone,
  hole,
  indexNaming,
  link,
  type Make,
  more,
  movedGit,
  pipe,
  reftable,
  secrets,
  without,
} from './odd-git.ts';

/** What is to be found in a work tree, whatever became of its git folder. */
export const mine = 'export const mine = 1;\n';
/** What lies outside, and may be in no answer. */
export const canary = 'canary_of_the_outside';

/** A repository that somebody made odd, and what is known of it. */
export interface OddRepository {
  readonly what: string;
  /** `tree` has two commits of `a.ts` and `src/b.ts`; `outside` has the canary. Gives the root, where that is another. */
  readonly make: Make;
  /** Whether there is a repository, whether its HEAD is known, and how many commits HEAD came from; `failed` where git can't tell. */
  readonly is: 'none' | `${Kind} unknown` | `${Kind} ${number}` | `${Kind} failed`;
  /** `a.ts` lies elsewhere, or there is no work tree. */
  readonly lists?: string | undefined;
}

type Kind = 'main' | 'worktree' | 'submodule' | 'bare';

function both(first: Make, second: Make): Make {
  return (tree, outside) => {
    first(tree, outside);
    second(tree, outside);
  };
}

/** A pipe, a hole, a link, a folder and bytes in the place of a file of git's. */
function inPlaceOf(path: string, is: OddRepository['is'], but: Partial<Record<string, OddRepository['is']>> = {}) {
  const kinds: readonly (readonly [string, Make])[] = [
    ['absent', without(`.git/${path}`)],
    ['empty', file(`.git/${path}`, '')],
    ['a pipe', pipe(`.git/${path}`)],
    ['a folder', folder(`.git/${path}`)],
    ['a hole of a terabyte', hole(`.git/${path}`, 2 ** 40)],
    ['a link to a file outside', link(`.git/${path}`, secrets)],
    ['a link to itself', link(`.git/${path}`, path.split('/').at(-1)!)],
    ['garbage', file(`.git/${path}`, garbage)],
  ];
  return kinds.map(([kind, make]): OddRepository => ({ what: `${path} is ${kind}`, make, is: but[kind] ?? is }));
}

export const oddRepositories: readonly OddRepository[] = [
  { what: 'nothing is odd', make: () => {}, is: 'main 2' },

  // What stands for the git folder.
  { what: '.git is a file that names its folder', make: gitFile(path => `gitdir: ${path}\n`), is: 'main 2' },
  { what: '.git is a file with Windows’ line end', make: gitFile(path => `gitdir: ${path}\r\n`), is: 'main 2' },
  { what: '.git is a file that names nothing', make: gitFile(() => 'gitdir: nowhere\n'), is: 'none' },
  {
    what: '.git is a file that names a file',
    make: gitFile((_, { path }) => `gitdir: ${path('secret.ts')}\n`),
    is: 'none',
  },
  { what: '.git is a file that names itself', make: gitFile(() => 'gitdir: .git\n'), is: 'none' },
  { what: '.git is a file that names a device', make: gitFile(() => 'gitdir: /dev/zero\n'), is: 'none' },
  { what: '.git is a file of two lines', make: gitFile(path => `gitdir: ${path}\ngitdir: /etc\n`), is: 'none' },
  { what: '.git is a file with a NUL', make: gitFile(path => `gitdir: ${path}\0\n`), is: 'none' },
  { what: '.git is a large file', make: gitFile(path => `gitdir: ${path}${' '.repeat(1e6)}\n`), is: 'none' },
  { what: '.git is an empty file', make: gitFile(() => ''), is: 'none' },
  {
    what: '.git is a file that names a folder with such a file, which names the first',
    make: (tree, outside) => {
      movedGit(tree, outside);
      outside.write('ring/.git', `gitdir: ${tree.path('.git')}\n`);
      tree.write('.git', `gitdir: ${outside.path('ring/.git')}\n`);
    },
    is: 'none',
  },
  {
    what: '.git is a link to its folder',
    make: (tree, outside) => symlinkSync(movedGit(tree, outside), tree.path('.git')),
    is: 'main 2',
  },
  { what: '.git is a link to itself', make: link('.git', '.git'), is: 'none' },
  { what: '.git is a link to a folder that is none', make: link('.git', '/etc'), is: 'none' },
  {
    what: '.git is a link to a pipe',
    make: (tree, outside) => {
      fifo(outside.path('pipe'));
      link('.git', outside.path('pipe'))(tree, outside);
    },
    is: 'none',
  },
  { what: '.git is a pipe', make: pipe('.git'), is: 'none' },
  { what: '.git is an empty folder', make: folder('.git'), is: 'none' },
  { what: 'objects are not there', make: without('.git/objects'), is: 'none' },
  { what: 'refs are a file', make: both(without('.git/refs'), file('.git/refs', '')), is: 'none' },
  { what: 'refs are a link to themselves', make: link('.git/refs', 'refs'), is: 'none' },
  { what: 'the common folder is the folder itself', make: file('.git/commondir', '.\n'), is: 'main 2' },
  { what: 'the common folder is not there', make: file('.git/commondir', 'nowhere\n'), is: 'main 2' },
  { what: 'the common folder is none', make: file('.git/commondir', '/etc\n'), is: 'none' },
  { what: 'what names the common folder is a pipe', make: pipe('.git/commondir'), is: 'main 2' },

  // HEAD and refs.
  ...inPlaceOf('HEAD', 'main unknown', { absent: 'none' }),
  { what: 'HEAD leads out of refs', make: file('.git/HEAD', 'ref: refs/heads/../../config\n'), is: 'main unknown' },
  {
    what: 'HEAD leads to a commit that is not there',
    make: file('.git/HEAD', `${'a'.repeat(40)}\n`),
    is: 'main failed',
  },
  { what: 'HEAD is a blob', make: tree => tree.write('.git/HEAD', tree.git('rev-parse', 'HEAD:a.ts')), is: 'main 0' },
  {
    what: 'refs lead in a circle',
    make: tree => {
      tree.write('.git/refs/heads/main', 'ref: refs/heads/other\n');
      tree.write('.git/refs/heads/other', 'ref: refs/heads/main\n');
    },
    is: 'main unknown',
  },
  ...inPlaceOf('refs/heads/main', 'main unknown'),
  ...inPlaceOf('packed-refs', 'main 2'),
  {
    what: 'refs are packed, a hundred thousand of them',
    make: tree => {
      const commit = tree.git('rev-parse', 'HEAD');
      const lines = Array.from({ length: 100_000 }, (_, n) => `${commit} refs/heads/b${n}\n`);
      tree.write(
        '.git/packed-refs',
        `# pack-refs with: peeled fully-peeled sorted\n${lines.join('')}${commit} refs/heads/main\n`,
      );
      tree.remove('.git/refs/heads/main');
    },
    is: 'main 2',
  },
  { what: 'a branch looks like an option', make: branchNamed('--upload-pack=touch'), is: 'main 2' },
  { what: 'a branch is called as objects are', make: branchNamed('a'.repeat(40)), is: 'main 2' },
  { what: 'a branch has an escape in its name', make: branchNamed('\u001b[31mred'), is: 'main 2' },
  { what: 'a branch has a name of no UTF-8', make: branchNamed(Buffer.from([0x62, 0xff])), is: 'main unknown' },
  { what: 'FETCH_HEAD is a pipe', make: pipe('.git/FETCH_HEAD'), is: 'main 2' },
  { what: 'a commit is replaced by another', make: tree => void tree.git('replace', 'HEAD', 'HEAD~1'), is: 'main 2' },
  {
    what: 'grafts make a history without end',
    make: tree =>
      tree.write('.git/info/grafts', `${tree.git('rev-parse', 'HEAD~1')} ${tree.git('rev-parse', 'HEAD')}\n`),
    is: 'main 2',
  },

  // The index.
  ...inPlaceOf('index', 'main 2'),
  { what: 'the index is cut off', make: tree => truncateSync(tree.path('.git/index'), 60), is: 'main 2' },
  { what: 'the index is of version 4', make: tree => void tree.git('update-index', '--index-version=4'), is: 'main 2' },
  {
    what: 'the index lacks its other half',
    make: tree => {
      tree.git('update-index', '--split-index');
      execFileSync('sh', ['-c', 'rm .git/sharedindex.*'], { cwd: tree.root });
    },
    is: 'main 2',
  },
  {
    what: 'the index names what lies above and in .git',
    make: tree => indexNaming(tree, ['../secret.ts', '.git/config', 'x//y']),
    is: 'main 2',
  },

  // Objects.
  ...inPlaceOf('objects/info/alternates', 'main 2', {
    'a pipe': 'main failed',
    'a hole of a terabyte': 'main failed',
    'a folder': 'main failed',
  }),
  {
    what: 'objects borrow from themselves',
    make: file('.git/objects/info/alternates', '../objects\n./\n'),
    is: 'main 2',
  },
  {
    what: 'objects borrow from a folder outside',
    make: file('.git/objects/info/alternates', '/etc\n"/proc\\n"\n'),
    is: 'main 2',
  },
  { what: 'the newest commit is garbage', make: tree => damaged(tree, 'HEAD'), is: 'main failed' },
  { what: 'the first commit is gone', make: tree => gone(tree, 'HEAD~1'), is: 'main failed' },
  { what: 'a tree is gone', make: tree => gone(tree, 'HEAD^{tree}'), is: 'main failed' },
  {
    what: 'packs are garbage',
    make: tree => {
      tree.write(`.git/objects/pack/pack-${'1'.repeat(40)}.idx`, garbage);
      tree.write(`.git/objects/pack/pack-${'1'.repeat(40)}.pack`, garbage);
    },
    is: 'main 2',
  },
  // git itself gives up there.
  {
    what: 'the index over packs is garbage',
    make: file('.git/objects/pack/multi-pack-index', garbage),
    is: 'main failed',
  },
  { what: 'the commit-graph is garbage', make: file('.git/objects/info/commit-graph', garbage), is: 'main 2' },
  {
    what: 'a tree has entries that lead out of it',
    make: tree => committedTree(tree, ['..', '.git', 'a/b', '-rf']),
    is: 'main 3',
  },

  // Configuration, attributes, what is ignored.
  ...inPlaceOf('config', 'main 2'),
  {
    what: 'the configuration includes itself',
    make: more('.git/config', '[include]\n\tpath = config\n'),
    is: 'main 2',
  },
  {
    what: 'the work tree is said to be elsewhere',
    make: more('.git/config', '[core]\n\tworktree = /etc\n'),
    is: 'main 2',
  },
  { what: 'it is said to be bare', make: more('.git/config', '[core]\n\tbare = true\n'), is: 'main 2' },
  {
    what: 'its format is of the future',
    make: more('.git/config', '[core]\n\trepositoryformatversion = 99\n'),
    is: 'main 2',
  },
  {
    what: 'its hashes are of a kind that nobody has',
    make: more('.git/config', '[extensions]\n\tobjectFormat = sha512\n'),
    is: 'main 2',
  },
  {
    what: 'its hashes are said to be of another kind',
    make: more('.git/config', '[extensions]\n\tobjectFormat = sha256\n'),
    is: 'main failed',
  },
  { what: 'its refs are said to be a table', make: reftable, is: 'main unknown' },
  {
    what: 'what is ignored is a device',
    make: more('.git/config', '[core]\n\texcludesFile = /dev/zero\n'),
    is: 'main 2',
  },
  { what: 'attributes are a pipe', make: pipe('.gitattributes'), is: 'main 2' },
  {
    what: 'attributes are defined by themselves',
    make: file('.gitattributes', '[attr]one two\n[attr]two one\n* one\n'),
    is: 'main 2',
  },
  {
    what: 'ignore rules are pipes',
    make: both(pipe('.gitignore'), pipe('.git/info/exclude')),
    is: 'main 2',
  },
  { what: '.mailmap is a pipe', make: pipe('.mailmap'), is: 'main 2' },
  { what: 'hooks are a pipe', make: pipe('.git/hooks'), is: 'main 2' },

  // Clones that have less, and more than one work tree.
  {
    what: 'the clone is shallow',
    make: (tree, outside) => {
      outside.git('clone', '--quiet', '--depth=1', `file://${tree.root}`, 'clone');
      return outside.path('clone');
    },
    is: 'main 1',
  },
  ...inPlaceOf('shallow', 'main 2', { 'a hole of a terabyte': 'main failed', garbage: 'main failed' }),
  { what: 'it is cut off at what nobody has', make: file('.git/shallow', `${'b'.repeat(40)}\n`), is: 'main 2' },
  {
    what: 'the clone is partial, and what it lacks is to be fetched by a program',
    make: tree => {
      more(
        '.git/config',
        `[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\tpromisor = true\n\turl = ext::touch pwned\n`,
      )(tree);
      gone(tree, 'HEAD~1:a.ts');
    },
    is: 'main 2',
  },
  {
    what: 'the work tree is a second one',
    make: (tree, outside) => {
      tree.git('worktree', 'add', '--quiet', outside.path('second'));
      return outside.path('second');
    },
    is: 'worktree 2',
  },
  {
    what: 'the work tree is a second one, and the first is gone',
    make: (tree, outside) => {
      tree.git('worktree', 'add', '--quiet', outside.path('second'));
      tree.remove('.git');
      return outside.path('second');
    },
    is: 'none',
  },
  {
    what: 'the work tree is a second one whose common folder is its own',
    make: (tree, outside) => {
      tree.git('worktree', 'add', '--quiet', outside.path('second'));
      tree.write('.git/worktrees/second/commondir', '.\n');
      return outside.path('second');
    },
    is: 'none',
  },
  {
    what: 'it is a submodule',
    make: (tree, outside) => {
      outside.git('init', '--quiet');
      outside.git('submodule', '--quiet', 'add', tree.root, 'module');
      return outside.path('module');
    },
    is: 'submodule 2',
  },
  {
    what: 'submodules are named and placed outside',
    make: tree => {
      tree.write(
        '.gitmodules',
        '[submodule "../../x"]\n\tpath = ../x\n\turl = --upload-pack=touch\n\tupdate = !touch pwned\n',
      );
      tree.write('module/.git', 'gitdir: ../../..\n');
      tree.git('update-index', '--add', '--cacheinfo', `160000,${'c'.repeat(40)},-module`);
    },
    is: 'main 2',
  },
  {
    what: 'it is bare',
    make: (tree, outside) => {
      outside.git('clone', '--quiet', '--bare', tree.root, 'bare.git');
      return outside.path('bare.git');
    },
    is: 'bare 2',
    lists: 'HEAD',
  },
  {
    what: 'a folder of it looks like a bare one',
    make: tree => cpSync(tree.path('.git'), tree.path('inner.git'), { recursive: true }),
    is: 'main 2',
  },

  // Names.
  {
    what: 'names of files are odd',
    make: tree => {
      for (const name of [
        'new\nline.ts',
        '--help.ts',
        '-rf',
        ' .ts',
        'a\\b.ts',
        'C:\\x.ts',
        '\u001b[2J.ts',
        ':(top)a.ts',
        '.git .ts',
        'x'.repeat(252).concat('.ts'),
      ])
        tree.write(name, mine);
      writeFileSync(Buffer.concat([Buffer.from(`${tree.root}/`), Buffer.from([0xff, 0xfe]), Buffer.from('.ts')]), mine);
      tree.commit();
    },
    is: 'main 3',
  },
  {
    what: 'it lies in a folder with an odd name',
    make: (tree, outside) => {
      const place = outside.path('"quoted"\n -x \\ü');
      renameSync(tree.root, place);
      mkdirSync(tree.root);
      return place;
    },
    is: 'main 2',
  },
];

/** Makes a repository odd, a copy of `base`. Gives its root. */
export function oddRepository(test: Cleanup, base: Workspace, { make }: OddRepository): string {
  const tree = temporaryFolder(test);
  cpSync(base.root, tree.root, { recursive: true, preserveTimestamps: true });
  const outside = temporaryFolder(test, `-- secret.ts --\nexport const ${canary} = 1;\n`);
  const root = make(tree, outside);
  return typeof root === 'string' ? root : tree.root;
}

/** What all of them are copies of. */
export function plainRepository(test: Cleanup): Workspace {
  const tree = gitRepository(test, `-- a.ts --\n${mine}-- src/b.ts --\nexport const b = 1;\n`);
  tree.write('a.ts', `// more\n${mine}`);
  tree.commit('second');
  return tree;
}
