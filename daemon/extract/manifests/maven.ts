import { maxItems, type Reading, said } from './values.ts';
import { xmlElements, xmlPath } from './xml.ts';

/** pom.xml: what it depends on, `group:name`. Of the project: its coordinates, its modules (those of profiles too), the folders of its sources, and the classes that its plugins start. */
export function readPom(source: string): Reading {
  const modules = new Set<string>();
  const mainClasses = new Set<string>();
  const sourceFolders = new Set<string>();
  const dependencies = new Set<string>();
  const single: Record<string, string> = {};
  let group = '';
  for (const element of xmlElements(source)) {
    const { name, text } = element;
    if (text === '' || text.length > 500 || modules.size > maxItems) continue;
    if (name === 'module') modules.add(text);
    else if (element.outer?.name === 'dependency') {
      if (name === 'groupId') group = text;
      else if (name === 'artifactId' && /^[\w.-]+:[\w.-]+$/.test(`${group}:${text}`))
        dependencies.add(`${group}:${text}`);
    } else if (name === 'mainClass' || name === 'start-class') {
      if (/^[\w.$]+$/.test(text)) mainClasses.add(text);
    } else if (name === 'sourceDirectory' || name === 'testSourceDirectory') sourceFolders.add(text);
    else {
      const key = ofProject[xmlPath(element)];
      if (key !== undefined) single[key] ??= text;
    }
  }
  const project = said({
    ...single,
    modules: [...modules],
    sourceFolders: [...sourceFolders].sort(),
    mainClasses: [...mainClasses].sort(),
  });
  return { scope: '', content: said({ dependencies: [...dependencies].sort() }), project };
}

const ofProject: Readonly<Record<string, string>> = {
  'project/artifactId': 'artifact',
  'project/groupId': 'group',
  'project/parent/groupId': 'parentGroup',
  'project/packaging': 'packaging',
};
