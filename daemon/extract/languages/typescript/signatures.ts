/**
 * Where no semicolons are written, a generic call signature that begins a line (`<T>(x: T): T`) is to the grammar the
 * type arguments of the type that ended the line above, and one such line throws the rest of the file into error
 * recovery. The blank before it becomes the semicolon that was meant; no length changes.
 */
export function endSignatures(source: string): string {
  if (!generic.test(source)) return source;
  const lines = source.split('\n');
  let last = '';
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (transparent.test(line)) continue;
    if (generic.test(line) && endsType.test(last)) lines[at] = line.replace(/[ \t]</, ';<');
    last = line.replace(/\/\/.*$|\/\*.*\*\/\s*$/, '');
  }
  return lines.join('\n');
}

/** A line that begins with type parameters. */
const generic = /^[ \t]+<(?:\s*$|(?:const\s+)?[A-Z]\w{0,60}\s*(?:extends\b|[,=>]))/m;
const transparent = /^\s*(?:$|\/\/|\/?\*)/;
const endsType = /(?:[\w)\]}'"`]|(?<!=)>)\s*$/;
