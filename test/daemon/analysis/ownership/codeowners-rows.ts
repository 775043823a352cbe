import { declaredOwners } from '../../../../daemon/analysis/ownership/declared-owners.ts';
import { type CodeownersPlace, parseCodeowners } from '../../../../daemon/extract/codeowners.ts';

/** `path`, or `folder/` for what lies deep below it → owners, '' where a rule clears them, undefined where no rule fits. */
export type Owned = Readonly<Record<string, string | undefined>>;

export function codeowners(text: string | Uint8Array, place: CodeownersPlace = 'CODEOWNERS') {
  return parseCodeowners(typeof text === 'string' ? Buffer.from(text) : text, place);
}

/** Who owns the paths of a row, in the row's own form. */
export function owned(text: string | Uint8Array, paths: readonly string[], place?: CodeownersPlace): Owned {
  const owners = declaredOwners(codeowners(text, place));
  const of = (path: string): string | undefined => {
    const declared = owners.ofFile(path.endsWith('/') ? `${path}deep/below/it` : path);
    switch (declared.kind) {
      case 'owned':
        return declared.owners.map(owner => owner.text).join(' ');
      case 'cleared':
        return '';
      case 'unnamed':
        return undefined;
    }
  };
  return Object.fromEntries(paths.map(path => [path, of(path)]));
}
