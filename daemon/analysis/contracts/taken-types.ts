import type { ProtoOutline } from '../../model/contract.ts';
import type { EdgeEvidence } from '../../model/federation.ts';
import { baseName } from '../../model/paths.ts';
import { qualified } from './services.ts';

/** Which types of a `.proto` file are taken; nothing where that can't be told, so that all may be. */
export type Taken = Pick<EdgeEvidence, 'types'>;

/** By a file that imports it: what its fields and methods name. Who hands on what it imports may have anything of it used. */
export function takenByImport(importing: ProtoOutline, imported: ProtoOutline, isPublic: boolean): Taken {
  if (isPublic) return {};
  const used = importing.uses.map(one => one.replace(/^\./, ''));
  const types = imported.types.flatMap(({ name }) => {
    const full = qualified(imported.package, name);
    return used.some(one => full === one || full.endsWith(`.${one}`)) ? [name] : [];
  });
  return types.length === 0 ? {} : { types };
}

/** By code that imports a type: that, and what is declared in it. */
export function takenByName(type: string, file: TypesOf): Taken {
  const named = new Set(
    partsOf(type).flatMap(part => file.outline.types.flatMap(({ name }) => (isCalled(part, name) ? [name] : []))),
  );
  const types = file.outline.types.map(({ name }) => name).filter(name => named.has(name.split('.')[0]!));
  return types.length === 0 ? {} : { types };
}

/** A `.proto` file with its place. */
export interface TypesOf {
  readonly outline: ProtoOutline;
  readonly contract: { readonly path: string };
}

/** Whether a file declares what code names: by itself, or by the class that Java has a file's messages in. */
export function isDeclared(type: string, { outline, contract }: TypesOf): boolean {
  const outer = outline.options['java_outer_classname'] ?? pascal(baseName(contract.path).replace(/\.proto$/, ''));
  return partsOf(type).some(
    part => part.replace(/OuterClass$/, '') === outer || outline.types.some(({ name }) => isCalled(part, name)),
  );
}

function partsOf(type: string): readonly string[] {
  return type.split('.');
}

/** Kotlin’s builders are called as the message, with a small letter. */
function isCalled(part: string, name: string): boolean {
  const bare = part.replace(/(?:OrBuilder|Kt)$/, '');
  return name === part || name === bare || name === pascal(bare);
}

function pascal(name: string): string {
  return name.replace(/(?:^|[_-])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
