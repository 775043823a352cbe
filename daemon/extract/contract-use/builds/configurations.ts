import { type Found, inCode, type Source } from '../text/source.ts';
import { sideBeside } from './openapi-sides.ts';

/** `<Protobuf Include="..\protos\demo.proto" GrpcServices="Client" />`, `<OpenApiReference Include="api.json" />`. */
export function* msbuildGenerators(source: Source): Iterable<Found> {
  for (const match of source.readable.matchAll(
    /<(Protobuf|OpenApiReference|OpenApiProjectReference)\b([^<>]{1,2000})/g,
  )) {
    const [, element, attributes] = match;
    const [, included] = /\b(?:Include|Update)\s{0,5}=\s{0,5}["']([^"']{1,600})["']/.exec(attributes!) ?? [];
    const around = source.readable.slice(match.index, match.index + 600).replace(/<\/Protobuf>[\s\S]*$/, '');
    const [, services] = /\bGrpcServices(?:\s{0,5}=\s{0,5}["']|>\s{0,20})(\w{1,20})/.exec(around) ?? [];
    // Of what is left out of a glob no side is made.
    const isWhole = !/\bExclude\s{0,5}=/.test(attributes!);
    const role = element === 'Protobuf' && isWhole ? roleOf(services) : {};
    for (const one of included?.split(';') ?? []) {
      const file = one
        .trim()
        .replaceAll('\\', '/')
        .replace(/^\$\((?:MSBuildProjectDirectory|MSBuildThisFileDirectory|ProjectDir|SolutionDir)\)\/?/, '');
      if (file !== '') yield { kind: 'generator', at: match.index, file, ...role };
    }
  }
}

/** `<Using Include="Acme.Crm.V1" />`: a namespace that is open in all files of a project. */
export function* msbuildUsings(source: Source): Iterable<Found> {
  for (const match of source.readable.matchAll(/<Using\s{1,20}Include\s{0,5}=\s{0,5}["']([A-Z][\w.]{1,300})["']/g))
    yield { kind: 'type-import', at: match.index, from: match[1]! };
}

/** Without the attribute both sides are made; `None` makes messages alone. */
function roleOf(services: string | undefined): Pick<Found, 'role'> {
  const role = services?.toLowerCase();
  if (role === 'client' || role === 'server' || role === 'both') return { role };
  return role === undefined ? { role: 'both' } : {};
}

/** Maven: `protoSourceRoot` of the plugin for protobuf, `inputSpec` of the one for OpenAPI, and the registry's modules. */
export function* mavenGenerators(source: Source): Iterable<Found> {
  for (const match of source.readable.matchAll(
    /<(?:protoSourceRoot|protoSourceDirectory|sourceDirectory|inputSpec|inputSpecRootDirectory)>\s{0,40}([^<]{1,400}?)\s{0,40}<\//g,
  )) {
    const path = match[1]!.replace(
      /^\$\{(?:(?:project\.)?(?:parent\.)?basedir|maven\.multiModuleProjectDirectory)\}\//,
      '',
    );
    const isOfOpenApi = match[0].startsWith('<inputSpec');
    const side = isOfOpenApi ? sideBeside(source.readable, match.index) : {};
    if (isOfOpenApi || /proto/i.test(path)) yield { kind: 'generator', at: match.index, file: path, ...side };
  }
  for (const match of source.readable.matchAll(
    /<groupId>\s{0,20}build\.buf\.gen\s{0,20}<\/groupId>\s{0,60}<artifactId>\s{0,20}([\w-]{1,200})/g,
  )) {
    yield* dependency(match.index, match[1]!);
  }
}

/** ScalaPB: `Compile / PB.protoSources := Seq(file("../protos"))`, `+= baseDirectory.value / ".." / "protos"`. */
export function* scalaGenerators(source: Source): Iterable<Found> {
  for (const { index: at } of inCode(source, /\bPB\.protoSources\b/g)) {
    const from = at + 'PB.protoSources'.length;
    const setting = source.readable.slice(from, settingEnd(source.code, from));
    for (const match of setting.matchAll(
      /\bfile\(\s{0,10}"([^"\n]{1,300})"|\bbaseDirectory\)?\.value((?:\s{0,10}\/\s{0,10}"[^"\n]{1,200}"){1,12})/g,
    )) {
      const folders = [...(match[2] ?? '').matchAll(/"([^"]{1,200})"/g)].map(([, folder]) => folder!);
      yield { kind: 'generator', at: from + match.index, file: match[1] ?? folders.join('/') };
    }
  }
}

/** Of a setting of sbt, whose name may stand in brackets: where its line ends, unless it goes on with what is missing there. */
function settingEnd(code: string, from: number): number {
  const most = Math.min(code.length, from + 1_000);
  let depth = code[from] === ')' ? 1 : 0;
  let last = '';
  for (let i = from; i < most; i++) {
    const one = code[i]!;
    if ('([{'.includes(one)) depth++;
    else if (')]}'.includes(one) && --depth < 0) return i;
    else if (depth === 0 && (one === ',' || (one === '\n' && !'=/+'.includes(last || ' ')))) return i;
    if (one.trim() !== '') last = one;
  }
  return most;
}

/** Gradle: `proto { srcDir '…' }`, `inputSpec = "…"`, and the registry's modules. */
export function* gradleGenerators(source: Source): Iterable<Found> {
  for (const match of inCode(source, /\bproto\s{0,5}\{((?:[^{}$]|\$\{[^{}]{0,80}\}|\$(?!\{)){0,600})\}/g)) {
    for (const one of match[1]!.matchAll(
      /\bsrcDirs?\b\s{0,5}[(=]?\s{0,5}\[?\s{0,5}(?:(?:\w{1,40}\.)?file\(\s{0,5})?["']([^"'\n]{1,300})["']/g,
    )) {
      yield {
        kind: 'generator',
        at: match.index + match[0].indexOf(match[1]!) + one.index,
        file: one[1]!.replace(/^\$\{?(?:(?:root)?[pP]roject\.)?(?:projectDir|rootDir)\}?\//, ''),
      };
    }
  }
  for (const match of inCode(
    source,
    /\b(?:inputSpec|remoteInputSpec)(?:\.set)?\s{0,5}[(=]?\s{0,5}(?:"([^"\n]{1,300})"|'([^'\n]{1,300})'|[^\n"']{1,60}["']([^"'\n]{1,300})["'])/g,
  )) {
    const file = (match[1] ?? match[2] ?? match[3])!;
    yield {
      kind: 'generator',
      at: match.index,
      file: file.replace(/^\$\{?(?:projectDir|rootDir|rootProject\.\w+|layout[\w.]*)\}?\//, ''),
      ...sideBeside(source.readable, match.index),
    };
  }
  for (const match of source.readable.matchAll(/\bbuild\.buf\.gen:([\w-]{1,200})/g))
    yield* dependency(match.index, match[1]!);
}

/** `acme_petapis_protocolbuffers_java` → `buf.build/acme/petapis`. */
function* dependency(at: number, artifact: string): Iterable<Found> {
  const [, owner, name] =
    /^([a-z\d-]{1,60})_([a-z\d-]{1,100})_(?:[a-z\d-]{1,60}_)?[a-z\d-]{1,60}$/.exec(artifact) ?? [];
  if (owner !== undefined) yield { kind: 'dependency', at, module: `buf.build/${owner}/${name!}` };
}

/** Modules of a schema registry, in manifests of Go, npm, PyPI, Cargo and Swift. */
export function* registryModules(source: Source): Iterable<Found> {
  const { text } = source;
  for (const pattern of modules) {
    for (const match of text.matchAll(pattern)) {
      const { host = 'buf.build', owner, name } = match.groups!;
      yield { kind: 'dependency', at: match.index, module: `${host}/${owner!}/${name!}` };
    }
  }
}

const modules: readonly RegExp[] = [
  /(?<host>[\w.-]{1,100})\/gen\/go\/(?<owner>[\w-]{1,60})\/(?<name>[\w-]{1,100})\//g,
  /["']@buf\/(?<owner>[a-z\d-]{1,60}?)_(?<name>[a-z\d-]{1,100})\.[\w-]{1,60}["']/g,
  /(?<![\w-])(?<owner>[a-z\d]{1,60})-(?<name>[a-z\d][a-z\d-]{0,100}?)-(?:protocolbuffers|grpc)-(?:python|pyi)(?![\w-])/g,
  /^(?<owner>[a-z\d-]{1,60})_(?<name>[a-z\d-]{1,100})_community_neoeinstein-(?:prost|tonic)\b/gm,
  /(?<host>[\w.-]{1,100})\/gen\/swift\/git\/(?<owner>[a-z\d]{1,60})[-_](?<name>[a-z\d-]{1,100}?)(?:[-_](?:apple|connectrpc|grpc)[\w-]{0,60})?\.git/g,
];

/** Strings that end in `.proto`, of files that configure nothing but builds: CMake, `build.rs`, Bazel, Meson. */
export function* namedProtos(source: Source): Iterable<Found> {
  for (const match of source.readable.matchAll(
    /(?<![\w$})/.*-])((?:\$\{\w{1,80}\}\/)?(?:\/?(?:\.{1,2}\/){1,12}|\/|:)?[\w*][\w./*+-]{0,300}\.proto)(?![\w.])/g,
  )) {
    const file = match[1]!.replace(/^\$\{\w{1,80}\}\/|^:|^\/(?=\.)/, '');
    yield { kind: 'generator', at: match.index, file };
  }
}

/** `"inputSpec": "api.yaml"`, of files of settings for generators of OpenAPI. */
export function* openApiSettings(source: Source): Iterable<Found> {
  const pattern =
    /(?:["']?(?:inputSpec|input|target|specFile|documentPath|schemaFile|openapi|descriptionLocation)["']?|"url")\s{0,5}:\s{0,10}["'`]([^"'`\n]{1,300})["'`]/g;
  for (const match of source.readable.matchAll(pattern)) {
    if (
      /\.(?:ya?ml|json)(?:$|[?#])|^https?:\/\/|openapi|swagger/i.test(match[1]!) &&
      !/\.schema\.json$|generated/.test(match[1]!)
    ) {
      const file = match[1]!.replace(/^#\{cwd\}\//, '');
      yield { kind: 'generator', at: match.index, file, ...sideBeside(source.readable, match.index) };
    }
  }
}

/** Files for openapi-generator, whatever they are called: `inputSpec` beside `generatorName`, in YAML or JSON. */
export function* openApiGeneratorSettings(source: Source): Iterable<Found> {
  const { text } = source;
  if (!/(?:^[ \t]{0,40}(?:-[ \t]{1,5})?|[{,]\s{0,60}")["']?generatorName["']?[ \t]{0,10}:/m.test(text)) return;
  const pattern =
    /(?:^[ \t]{0,40}(?:-[ \t]{1,5})?["']?|[{,]\s{0,60}")inputSpec["']?[ \t]{0,10}:[ \t]{0,10}(?:"([^"\n]{1,300})"|'([^'\n]{1,300})'|(?<=[ \t])([^\s"'{}[\],#&*!|>%@][^\s"'{}[\],]{0,299})(?=[ \t]{0,20}(?:$|[\r#])))/gm;
  for (const match of text.matchAll(pattern)) {
    const file = (match[1] ?? match[2] ?? match[3])!.trim();
    const at = match.index + match[0].indexOf('inputSpec');
    if (file === '') continue;
    const written = file.replace(/^(?:\$\{\w{1,80}\}|\$\w{1,80})\//, '');
    yield { kind: 'generator', at, file: written, ...sideBeside(text, at) };
  }
}
