import { isCode } from '../../model/families.ts';
import { baseName } from '../../model/paths.ts';
import { said, text, texts } from './content.ts';
import { type EntryContext, type Found, stemOf } from './entry-context.ts';
import { filesOfJvm, type NamedFile } from './named-files.ts';

interface Framework {
  readonly name: string;
  /** A file that each of its projects has, and by which the project's folder is known. */
  readonly mark: string;
  /** Of paths below that folder: what answers requests, and what the framework loads besides, without anybody's naming it. */
  readonly serves: RegExp;
  readonly loads: RegExp;
}

/** Frameworks whose projects look alike, whatever manifest they have. Those of JavaScript are told by their packages. */
const frameworks: readonly Framework[] = [
  {
    name: 'Django',
    mark: 'manage.py',
    serves: /(?:^|\/)(?:urls|routing)(?:\/\w+)?\.py$/,
    loads:
      /(?:^|\/)(?:models|admin|apps|signals|receivers|checks|tasks|celery|translation|search_indexes|sitemaps|feeds|context_processors|middleware|settings\w*|\w+_settings)\.py$|(?:^|\/)(?:models|admin|settings|management\/commands|migrations|templatetags|tasks|signals)\/(?:[^/]+\/)*[^/]+\.py$/,
  },
  {
    name: 'Rails',
    mark: 'config/application.rb',
    serves: /^app\/(?:controllers|channels|mailboxes)\/.*\.rb$/,
    loads:
      /^(?:app\/(?:helpers|models|mailers|jobs|policies|serializers|components|views|validators|inputs|graphql|decorators|presenters|admin|dashboards)|config|db|lib\/tasks|lib\/generators)\/.*\.rb$|^app\/javascript\/(?:[^/]+|(?:packs|entrypoints|controllers|channels)\/.*)\.[cm]?[jt]sx?$/,
  },
  {
    name: 'Laravel',
    mark: 'artisan',
    serves: /^routes\/.*\.php$/,
    loads:
      /^(?:app\/(?:Console|Providers|Listeners|Policies|Observers|Livewire|Filament|Nova|View|Exceptions)|bootstrap|config|database|lang|resources)\/.*\.php$|^app\/Http\/(?:Kernel|Livewire\/.*)\.php$/,
  },
  {
    name: 'Symfony',
    mark: 'bin/console',
    serves: /^src\/(?:.*\/)?Controller\/.*\.php$/,
    loads:
      /^(?:config|migrations|public)\/.*\.php$|^src\/(?:.*\/)?(?:Kernel\.php|(?:Command|EventListener|EventSubscriber|Form|Security|Twig|Entity|Repository|MessageHandler|DataFixtures|Validator|ApiResource|State)\/.*\.php)$/,
  },
];

interface Placed {
  readonly framework: Framework;
  readonly path: string;
  /** Below the project's folder. */
  readonly inside: string;
}

function* placedFiles({ tree }: EntryContext): Iterable<Placed> {
  for (const framework of frameworks) {
    for (const { path: mark, isTest } of tree.filesNamed(baseName(framework.mark))) {
      if (isTest || !`/${mark}`.endsWith(`/${framework.mark}`)) continue;
      const root = mark.slice(0, -framework.mark.length);
      for (const { path, language, isTest: isOfTests } of tree.below(root.replace(/\/$/, ''))) {
        if (isCode(language) && !isOfTests) yield { framework, path, inside: path.slice(root.length) };
      }
    }
  }
}

/** What answers requests by the customs of a framework. */
export function* servedEntries(context: EntryContext): Iterable<Found> {
  for (const { framework, path, inside } of placedFiles(context)) {
    if (framework.serves.test(inside))
      yield { path, name: stemOf(path), kind: 'server', because: `${framework.name} convention` };
  }
  yield* controllersOfDotnet(context);
  yield* partsOfAndroid(context);
}

/** What frameworks load besides. */
export function* filesOfFrameworks(context: EntryContext): Iterable<NamedFile> {
  for (const { framework, path, inside } of placedFiles(context)) {
    if (framework.loads.test(inside)) yield { path, key: `${framework.name} convention` };
  }
}

/** Controllers of a project of ASP.NET: classes that end so, wherever they lie. */
function* controllersOfDotnet({ tree, packages, configuration }: EntryContext): Iterable<Found> {
  for (const { ecosystem, directory, manifest } of packages) {
    if (ecosystem !== 'nuget' || text(configuration(manifest)?.['sdk']) !== 'Microsoft.NET.Sdk.Web') continue;
    for (const { path, isTest } of tree.below(directory)) {
      if (!isTest && path.endsWith('Controller.cs'))
        yield { path, name: stemOf(path), kind: 'server', because: 'ASP.NET convention' };
    }
  }
}

/** What Android starts, as manifests name it. */
function* partsOfAndroid(context: EntryContext): Iterable<Found> {
  for (const { path: manifest, isTest } of context.tree.filesNamed('AndroidManifest.xml')) {
    if (isTest) continue;
    for (const name of texts(said(context.configuration(manifest), 'loadedClasses') ?? [])) {
      for (const path of filesOfJvm(context, name))
        yield { path, name: stemOf(path), kind: 'main', because: 'AndroidManifest.xml' };
    }
  }
}
