import { baseName, join } from '../../model/paths.ts';
import { said, text, texts } from './content.ts';
import { codeAt, codeIn, type EntryContext, type Found, stemOf } from './entry-context.ts';
import type { Package } from './packages.ts';

/** A gem's commands (those that it lists, else all in `exe`), and what `require` of its name loads; of a program of Ruby its commands and Rails' own start. */
export function* gemEntries({ tree, configuration }: EntryContext, one: Package): Iterable<Found> {
  const { directory, name } = one;
  const content = configuration(one.manifest);
  const isGem = one.manifest.endsWith('.gemspec');
  if (isGem && name !== undefined) {
    for (const place of new Set([name, name.replaceAll('-', '/'), name.replaceAll('-', '_')])) {
      const path = codeAt(tree, directory, `lib/${place}.rb`);
      if (path !== undefined) yield { path, name, kind: 'library', because: 'gemspec name' };
    }
  }
  const folder = text(said(content, 'folder'));
  for (const command of texts(said(content, 'commands') ?? [])) {
    for (const place of folder === undefined ? ['exe', 'bin'] : [folder]) {
      const path = codeAt(tree, directory, `${place}/${command}`);
      if (path !== undefined) yield { path, name: command, kind: 'cli', because: 'gemspec executables' };
    }
  }
  for (const place of ['exe', 'bin']) {
    for (const path of codeIn(tree, join(directory, place) ?? '')) {
      yield { path, name: baseName(path), kind: place === 'exe' ? 'cli' : 'script', because: `${place} convention` };
    }
  }
  for (const place of ['config/application.rb', 'config/environment.rb', 'app.rb', 'main.rb']) {
    const path = codeAt(tree, directory, place);
    if (path !== undefined) yield { path, name: stemOf(path), kind: 'server', because: `${place} convention` };
  }
}

/** A package of PHP: its commands, files that are always loaded, and where a web server or a console begins. */
export function* composerEntries({ tree, configuration }: EntryContext, one: Package): Iterable<Found> {
  const { directory } = one;
  const content = configuration(one.manifest);
  for (const command of texts(said(content, 'bin') ?? [])) {
    const path = codeAt(tree, directory, command);
    if (path !== undefined) yield { path, name: baseName(path), kind: 'cli', because: 'composer.json bin' };
  }
  // Nobody requires a project.
  const kind = text(said(content, 'type')) === 'project' ? 'script' : 'library';
  for (const file of texts(said(content, 'files') ?? [])) {
    const path = codeAt(tree, directory, file);
    if (path !== undefined)
      yield { path, name: one.name ?? stemOf(path), kind, because: 'composer.json autoload.files' };
  }
  for (const [place, kind] of phpStarts) {
    const path = codeAt(tree, directory, place);
    if (path !== undefined) yield { path, name: stemOf(path), kind, because: `${place} convention` };
  }
}

const phpStarts: readonly (readonly [string, Found['kind']])[] = [
  ['public/index.php', 'server'],
  ['web/index.php', 'server'],
  ['index.php', 'server'],
  ['bin/console', 'cli'],
  ['artisan', 'cli'],
];

/** What a module of Go offers is its root package: the file that is called as it is, else `doc.go`, else the first. */
export function* goEntries({ tree }: EntryContext, one: Package, isProgram: boolean): Iterable<Found> {
  if (isProgram) return;
  const files = codeIn(tree, one.directory).filter(path => path.endsWith('.go'));
  const name = baseName((one.name ?? one.directory).replace(/\/v\d+$/, ''));
  const path = files.find(file => stemOf(file) === name) ?? files.find(file => baseName(file) === 'doc.go') ?? files[0];
  if (path !== undefined) yield { path, name: one.name ?? name, kind: 'library', because: 'go.mod root package' };
}
