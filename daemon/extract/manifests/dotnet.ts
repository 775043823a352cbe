import { readMsbuild } from './msbuild.ts';
import { type Content, type Reading, said } from './values.ts';
import { xmlElements } from './xml.ts';

/** A project of C#. Of it: what it builds, and where that starts. */
export function readCsproj(source: string): Reading {
  return { scope: 'dotnet:project', content: { ...readMsbuild(source) }, project: dotnetProject(source) };
}

/** Properties and items that several projects share. */
export function readProps(source: string): Reading {
  return { scope: '', content: { ...readMsbuild(source) }, project: dotnetProject(source) };
}

const properties: Readonly<Record<string, string>> = {
  OutputType: 'output',
  PackageId: 'package',
  AssemblyName: 'assembly',
  StartupObject: 'startup',
  IsTestProject: 'isTest',
  PackAsTool: 'isTool',
  ToolCommandName: 'command',
};

/** Whoever writes that of a project means to publish it. */
const packing =
  /^(?:IsPackable|GeneratePackageOnBuild|PackageId|PackageVersion|PackageTags|PackageIcon|PackageProjectUrl|PackageLicense\w*|PackageReadmeFile|PackageReleaseNotes|PackageDescription|PackAsTool|NuspecFile|Authors|Description|RepositoryUrl)$/;

function dotnetProject(source: string): Content {
  const found: Record<string, string> = {};
  for (const { name, outer, text } of xmlElements(source)) {
    const property = outer?.name === 'PropertyGroup' && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (outer?.name === 'PropertyGroup' && packing.test(name) && !/^false$/i.test(text)) found['isPacked'] = 'true';
    if (property !== undefined && text !== '' && text.length < 500 && !text.includes('$(')) found[property] = text;
  }
  return said(found);
}

/** The projects of a solution, in its own format or in XML (.slnx): paths with `/`, relative to it. */
export function readSolution(source: string): Reading {
  const listed = /^\s*</.test(source)
    ? [...xmlElements(source)].flatMap(({ name, attributes }) =>
        name === 'Project' ? (attributes.get('Path') ?? []) : [],
      )
    : [...source.matchAll(/^Project\("[^"\n]{0,80}"\)\s*=\s*"[^"\n]{0,300}",\s*"([^"\n]{1,500})"/gm)].map(
        ([, path]) => path!,
      );
  const projects = listed.filter(path => /proj$/i.test(path)).map(path => path.replaceAll('\\', '/'));
  return { scope: '', content: {}, project: said({ projects: [...new Set(projects)].sort() }) };
}
