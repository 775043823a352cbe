/** Whether a path fits a pattern: `**` is any number of folders, `*` any part of a name, `?` one character. */
export function fitsGlob(pattern: string, path: string): boolean {
  const { names, ending } = read(pattern);
  return path.endsWith(ending) && fits(names, path.split('/'), '**', fitsName);
}

/** A name of a pattern; one with signs in it is read once. */
type Name = string | { readonly signs: readonly string[] };

interface ReadPattern {
  readonly names: readonly Name[];
  /** How every path that fits ends. */
  readonly ending: string;
}

const patterns = new Map<string, ReadPattern>();
const mostPatterns = 1000;

function read(pattern: string): ReadPattern {
  const known = patterns.get(pattern);
  if (known !== undefined) return known;
  const names = pattern.split('/').map(name => (name !== '**' && /[*?]/.test(name) ? { signs: [...name] } : name));
  const made = { names, ending: /[^*?/]*$/.exec(pattern)![0] };
  if (patterns.size >= mostPatterns) patterns.clear();
  patterns.set(pattern, made);
  return made;
}

function fitsName(pattern: Name, name: string): boolean {
  if (typeof pattern === 'string') return pattern === name;
  return fits(pattern.signs, [...name], '*', (one, other) => one === '?' || one === other);
}

/**
 * Whether parts fit a pattern in which `star` is any number of them. Goes back to the last star alone: what stands before it
 * fits anyhow.
 */
export function fits<One>(
  pattern: readonly One[],
  parts: readonly string[],
  star: One,
  isOne: (one: One, part: string) => boolean,
): boolean {
  let [at, from, lastStar, retry] = [0, 0, -1, 0];
  while (from < parts.length) {
    const one = pattern[at];
    if (one === star) {
      lastStar = at++;
      retry = from;
    } else if (one !== undefined && isOne(one, parts[from]!)) {
      at++;
      from++;
    } else if (lastStar < 0) return false;
    else {
      at = lastStar + 1;
      from = ++retry;
    }
  }
  return pattern.slice(at).every(one => one === star);
}

/**
 * `{a,b}/c` is `a/c` and `b/c`: no more than so many. So is `@(a|b)/c`, and `+(a|b)/c`, of which several in a row are not
 * read; `?(a)` and `*(a)` are nothing as well.
 */
export function either(pattern: string): readonly string[] {
  const inBraces = pattern
    .replace(/[@+]\(([^()]*)\)/g, (_, inside: string) => `{${inside.replaceAll('|', ',')}}`)
    .replace(/[?*]\(([^()]*)\)/g, (_, inside: string) => `{,${inside.replaceAll('|', ',')}}`);
  let found: readonly string[] = [inBraces];
  for (let times = 0; times < 4 && found.length < mostAlternatives; times++) {
    found = found.flatMap(one => {
      const [, before, inside, after] = /^([^{}]*)\{([^{}]*)\}(.*)$/.exec(one) ?? [];
      return inside === undefined ? [one] : inside.split(',').map(choice => `${before}${choice}${after}`);
    });
  }
  return found.slice(0, mostAlternatives);
}

const mostAlternatives = 100;
