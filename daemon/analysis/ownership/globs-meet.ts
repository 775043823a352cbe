import { fitsGlob } from '../../model/fits-glob.ts';

/**
 * Whether some file may fit both a glob (`**`, `*`, `?`, from the root) and a pattern of CODEOWNERS. Never no where one does, but
 * for what lies in folders that are called as files of some kind are (`x.ts/`); yes also where two names with signs might be one. Takes time in the product of their parts.
 */
export function globsMeet(glob: string, pattern: string): boolean {
  const asked = glob.split('/');
  return readings(pattern).some(steps => meet(asked, steps));
}

/** What a pattern covers: files that fit it, and all that lies below what fits, but where its last name is a star. */
function readings(pattern: string): readonly (readonly string[])[] {
  const bare = pattern.replace(/^\/+/, '').replace(/\/+$/, '');
  const isAnchored = /^\/|\/(?!$)/.test(pattern);
  const steps = [...(isAnchored ? [] : ['**']), ...bare.split('/')];
  const below = [...steps, '**', '*'];
  if (isAnchored && bare.endsWith('/*')) return [steps];
  // `*.proto` may fit folders too, of which hardly anybody has any, and would meet the globs of all other kinds of files.
  const isOfKind = /[*?][^/]*\.\w+$/.test(bare);
  return pattern.endsWith('/') ? [below] : isOfKind ? [steps] : [steps, below];
}

function meet(a: readonly string[], b: readonly string[]): boolean {
  const known = new Map<number, boolean>();
  const from = (i: number, j: number): boolean => {
    const key = i * (b.length + 1) + j;
    const before = known.get(key);
    if (before !== undefined) return before;
    known.set(key, false);
    const found = step(i, j);
    known.set(key, found);
    return found;
  };
  const step = (i: number, j: number): boolean => {
    const [one, other] = [a[i], b[j]];
    if (one === undefined && other === undefined) return true;
    if (one === '**') return from(i + 1, j) || (other !== undefined && from(i, j + 1));
    if (other === '**') return from(i, j + 1) || (one !== undefined && from(i + 1, j));
    return one !== undefined && other !== undefined && namesMeet(one, other) && from(i + 1, j + 1);
  };
  return from(0, 0);
}

function namesMeet(one: string, other: string): boolean {
  const [isOpen, isOtherOpen] = [/[*?]/.test(one), /[*?]/.test(other)];
  if (!isOpen || !isOtherOpen) return isOpen ? fitsGlob(one, other) : fitsGlob(other, one);
  // Two names with signs: what stands before the first and behind the last of them must agree.
  return agree(before(one), before(other)) && agree(reversed(after(one)), reversed(after(other)));
}

const before = (name: string): string => /^[^*?]*/.exec(name)![0];
const after = (name: string): string => /[^*?]*$/.exec(name)![0];
const reversed = (text: string): string => [...text].reverse().join('');

function agree(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}
