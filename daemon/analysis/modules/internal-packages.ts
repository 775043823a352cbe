import { moduleIdOf } from '../../model/module.ts';
import { directoryOf, join } from '../../model/paths.ts';
import { isShowing } from '../beside.ts';
import { record, said, text, texts } from './content.ts';
import { type EntryContext, type Found, packageAround } from './entry-context.ts';
import type { Configurations, Package } from './packages.ts';

/**
 * Packages that nobody gets but the programs of the repository, as `<id> <family of languages>`: nothing says that they are
 * published, and one of these programs is built with them (of Gradle, which is not asked that far, lies in the same build).
 */
export function internalPackagesOf(context: EntryContext, entrypoints: readonly Found[]): ReadonlySet<string> {
  const programs = new Set<Package>();
  for (const { path, kind } of entrypoints) {
    if (kind === 'library' || kind === 'script' || isShowing(path) || context.tree.file(path)?.isTest !== false)
      continue;
    for (const ecosystem of ['nuget', 'cargo', 'gradle'] as const) {
      const around = packageAround(context, ecosystem, path);
      if (around !== undefined && isProgram(context, around)) programs.add(around);
    }
  }
  const used = usedBy(context, programs);
  const publishing = publishingEcosystems(context);
  const found = context.packages.filter(
    one => !programs.has(one) && used.has(one) && !publishing.has(one.ecosystem) && !isPublished(context, one),
  );
  return new Set(found.map(({ directory, ecosystem }) => `${moduleIdOf(directory)} ${families[ecosystem]}`));
}

const families: Partial<Readonly<Record<Package['ecosystem'], string>>> = {
  nuget: 'csharp',
  cargo: 'rust',
  gradle: 'jvm',
};

/** Of Gradle its plugins tell: a `main` that stands anywhere may be for trying something out. */
function isProgram({ configuration }: EntryContext, { ecosystem, manifest }: Package): boolean {
  if (ecosystem !== 'gradle') return true;
  const content = configuration(manifest);
  const plugins = texts(said(content, 'plugins') ?? []);
  return texts(said(content, 'mainClasses') ?? []).length > 0 || plugins.some(id => runningPlugin.test(id));
}

const runningPlugin = /(?:^|[.-])application$|^war$|^org\.springframework\.boot$/;

/** Packages that others are built with, at whatever distance. */
function usedBy(context: EntryContext, programs: ReadonlySet<Package>): ReadonlySet<Package> {
  const byManifest = new Map(context.packages.map(one => [one.manifest, one]));
  const found = new Set(programs);
  // A set is gone through with what is put into it meanwhile.
  for (const one of found) {
    for (const manifest of manifestsUsed(context, one)) {
      const next = byManifest.get(manifest);
      if (next !== undefined) found.add(next);
    }
  }
  return found;
}

function manifestsUsed(context: EntryContext, one: Package): readonly string[] {
  const content = context.configuration(one.manifest);
  switch (one.ecosystem) {
    case 'nuget':
      return projectsReferred(content).flatMap(path => join(one.directory, path) ?? []);
    case 'cargo':
      return texts(content?.['requires'] ?? []).flatMap(name => cratePath(context, one, name) ?? []);
    case 'gradle':
      return context.packages.flatMap(other =>
        other.ecosystem === 'gradle' && other.workspace === one.workspace ? [other.manifest] : [],
      );
    default:
      return [];
  }
}

/** What a project of C# refers to, as it is written. */
function projectsReferred(content: ReturnType<Configurations>): readonly string[] {
  const says = content?.['says'];
  return (Array.isArray(says) ? says : []).flatMap(one => text(record(one)['refer']) ?? []);
}

/** The manifest of a crate that lies in the repository, as the package or the workspace says where. */
function cratePath({ configuration }: EntryContext, one: Package, name: string): string | undefined {
  for (const manifest of [one.manifest, one.workspace]) {
    const path = manifest === undefined ? undefined : text(record(configuration(manifest)?.['dependencies'])[name]);
    const place = path === undefined ? undefined : join(directoryOf(manifest!), `${path}/Cargo.toml`);
    if (place !== undefined) return place;
  }
  return undefined;
}

/**
 * Those of which a file that packages share says that something is published: which of them share it is not asked. Of Gradle
 * any script of a build is such a file, and what its plugins are called.
 */
function publishingEcosystems({ tree, configuration }: EntryContext): ReadonlySet<Package['ecosystem']> {
  const found = new Set<Package['ecosystem']>();
  for (const { path } of tree.files) {
    if (/\.nuspec$/.test(path)) found.add('nuget');
    else if (/\.(?:props|targets)$/.test(path)) {
      if (said(configuration(path), 'isPacked') === 'true') found.add('nuget');
    } else if (/\.gradle(?:\.kts)?$/.test(path)) {
      if (said(configuration(path), 'publishes') === true) found.add('gradle');
    } else if (/(?:^|\/)(?:buildSrc|build-[\w-]+|gradle)\/(?:.*\/)?[^/]*publish[^/]*$/i.test(path)) found.add('gradle');
  }
  return found;
}

/** What a package says of itself. */
function isPublished({ configuration }: EntryContext, { ecosystem, manifest, workspace }: Package): boolean {
  const content = configuration(manifest);
  if (ecosystem === 'nuget') return said(content, 'isPacked') === 'true';
  if (ecosystem !== 'cargo') return false;
  const kept = said(content, 'isKept');
  const members = workspace === undefined ? undefined : said(configuration(workspace), 'keepsMembers');
  return kept !== true && !(kept === 'as the workspace' && members === true);
}
