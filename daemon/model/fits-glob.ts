/** Whether a path fits a pattern: `**` is any number of folders, `*` any part of a name, `?` one character. */
export function fitsGlob(pattern: string, path: string): boolean {
  return fits(pattern.split('/'), path.split('/'), '**', fitsName);
}

function fitsName(pattern: string, name: string): boolean {
  return fits([...pattern], [...name], '*', (one, other) => one === '?' || one === other);
}

/**
 * Whether parts fit a pattern in which `star` is any number of them. Goes back to the last star alone: what stands before it
 * fits anyhow.
 */
export function fits(
  pattern: readonly string[],
  parts: readonly string[],
  star: string,
  isOne: (one: string, part: string) => boolean,
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
