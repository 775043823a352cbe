import { type Content, defined, object, type Reading, said, text, texts, textsByKey } from './values.ts';
import { readYaml } from './yaml.ts';

/**
 * pubspec.yaml. Of the project: the packages of its workspace, those that melos is told of, its commands (name → file of `bin`),
 * and whether it is published nowhere.
 */
export function readPubspec(source: string): Reading {
  const file = object(readYaml(source));
  const name = text(file['name']);
  const commands = Object.entries(object(file['executables'])).map(([key, value]) => [key, text(value) ?? key]);
  const project = said({
    workspace: texts(file['workspace'] ?? []),
    ...melosPackages(object(file['melos'])),
    executables: textsByKey(Object.fromEntries(commands)),
    isPrivate: file['publish_to'] === 'none' ? true : undefined,
    usesFlutter: file['flutter'] === undefined ? undefined : true,
  });
  return { scope: name === undefined ? '' : `pub:${name}`, content: defined({ name }), project };
}

export function readMelos(source: string): Reading {
  return { scope: '', content: {}, project: said(melosPackages(object(readYaml(source)))) };
}

function melosPackages(melos: Content): Content {
  return { melos: texts(melos['packages'] ?? []), ignore: texts(melos['ignore'] ?? []) };
}
