import { anyFolders, type PathPattern, type PathStep } from '../model/codeowners.ts';
import { anyCharacter, anyText, type NamePattern } from '../model/name-pattern.ts';

/** Where a pattern with a slash inside begins: on GitHub at the top, as in ignore files; on GitLab anywhere, unless a slash begins it. */
type Anchoring = 'inner-slash' | 'leading-slash';

type ReadPattern = { readonly pattern: PathPattern } | { readonly reason: string };

/**
 * A pattern of a CODEOWNERS file, its escapes still in it. The rules are those of ignore files, but that a last name of `*` stands
 * for no more than one level, and that nothing is negated and no name has ranges of characters.
 */
export function readPattern(written: string, anchoring: Anchoring): ReadPattern {
  if (written === '') return { reason: 'there is no pattern' };
  if (written === '/') return { reason: '/ matches nothing; * is everything' };
  const names = written.split('/');
  const begins = names[0] === '' ? 1 : 0;
  const isFolder = names.length > 1 && names.at(-1) === '';
  const inner = names.slice(begins, isFolder ? -1 : undefined);
  const isAnchored = begins === 1 || (anchoring === 'inner-slash' && inner.length > 1);
  const steps: PathStep[] = isAnchored ? [] : [anyFolders];
  for (const name of inner) {
    const read = readName(name);
    if ('reason' in read) return read;
    if (read.step !== anyFolders || steps.at(-1) !== anyFolders) steps.push(read.step);
  }
  return { pattern: ended(steps, isFolder) };
}

function readName(name: string): { readonly step: PathStep } | { readonly reason: string } {
  if (name === '') return { reason: 'nothing matches two slashes in a row' };
  if (name === '.' || name === '..') return { reason: 'no path has . or .. in it' };
  if (!/[*?[\\]/.test(name)) return { step: name };
  if (/^\*\*+$/.test(name)) return { step: anyFolders };
  const pattern: string[] = [];
  const characters = [...name];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!;
    if (character === '[') return { reason: 'ranges of characters in [ ] are not supported' };
    if (character === '\\' && ++at === characters.length) return { reason: 'a backslash at the end escapes nothing' };
    if (character === '\\') pattern.push(characters[at]!);
    else if (character === '?') pattern.push(anyCharacter);
    else if (character !== '*') pattern.push(character);
    else if (pattern.at(-1) !== anyText) pattern.push(anyText);
  }
  return { step: isLiteral(pattern) ? pattern.join('') : pattern };
}

function isLiteral(pattern: NamePattern): boolean {
  return !pattern.includes(anyText) && !pattern.includes(anyCharacter);
}

/** The one way to say it: no pattern ends in any number of folders, or in these and a name of any kind. */
function ended(steps: readonly PathStep[], isFolder: boolean): PathPattern {
  const isAnyFolder = steps.at(-1) === anyFolders;
  if (isFolder) return { steps: isAnyFolder ? [...steps, [anyText]] : steps, fits: 'below' };
  if (isAnyFolder) return { steps: steps.slice(0, -1), fits: 'below' };
  if (!isAnyName(steps.at(-1))) return { steps, fits: 'itself-or-below' };
  return steps.at(-2) === anyFolders ? { steps: steps.slice(0, -2), fits: 'below' } : { steps, fits: 'itself' };
}

function isAnyName(step: PathStep | undefined): boolean {
  return step !== undefined && typeof step !== 'string' && step.length === 1 && step[0] === anyText;
}
