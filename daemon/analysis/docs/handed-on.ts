/** What a module of JavaScript or TypeScript exports of another. */
export interface HandedOn {
  /** As imports name that one. */
  readonly from: string;
  /** By their names here what they are called there; undefined where it is everything. */
  readonly names: ReadonlyMap<string, string> | undefined;
}

const exporting = /\bexport\s+(?:type\s+)?(?:(\*)|\{([^{}]*)\})\s*from\s*(['"])([^'"\n]{1,200})\3/g;

/** What a module exports from where it does not define it; nothing of its own files. */
export function handedOnBy(text: string): readonly HandedOn[] {
  return [...text.matchAll(exporting)].flatMap(([, all, some = '', , from = '']) =>
    from.startsWith('.') ? [] : [{ from, names: all === undefined ? namesIn(some) : undefined }],
  );
}

/** Whether a module may export under a name what it does not define: all that another has, or what its text calls so. */
export function mayHandOn(text: string, name: string): boolean {
  return text.includes(name) || /\bexport\s{0,99}\*|\bexports\b|\bexport\s{0,99}=/.test(text);
}

function namesIn(list: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const one of list.split(',')) {
    const [name = '', alias = name] = one
      .trim()
      .replace(/^type\s+/, '')
      .split(/\s+as\s+/);
    if (name !== '') names.set(alias, name);
  }
  return names;
}
