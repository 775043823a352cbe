/** What a module of Python has that it does not define. */
export interface PythonModule {
  /** Whether it imports something under a name: `Y` of `from x import X as Y`, `a` of `import a.b`. */
  imports(name: string): boolean;
  /** Whether it is asked for names that it does not have, and has this one as a text. */
  answersTo(name: string): boolean;
  /** It may have any name: all that another has, or what it is asked for and finds nobody knows how. */
  readonly mayHaveAny: boolean;
}

/** By its text. */
export function pythonModule(text: string): PythonModule {
  const imported = importedNames(text);
  const lookup = lookupIn(text);
  const isGiven = imported.has('__getattr__') || /^__getattr__\s{0,9}[:=]/m.test(text);
  const isTold = (name: string): boolean => text.includes(`'${name}'`) || text.includes(`"${name}"`);
  return {
    imports: name => imported.has(name),
    answersTo: name => (isGiven || lookup !== null) && isTold(name),
    mayHaveAny: imported.has('*') || isGiven || (lookup !== null && !comparesAlone(lookup)),
  };
}

/** The names by which a module of Python has what it imports. */
function importedNames(text: string): ReadonlySet<string> {
  const plain = text.includes('import') ? text.replace(/#[^\n]*|\\\n/g, ' ') : '';
  const names = new Set<string>();
  for (const [, inside, behind = ''] of plain.matchAll(statement)) {
    for (const item of (inside ?? behind).split(',')) {
      const [, name, alias] = importedItem.exec(item) ?? [];
      const bound = alias ?? name;
      if (bound !== undefined) names.add(bound);
    }
  }
  return names;
}

const statement =
  /^[ \t]{0,40}(?:from[ \t]{1,9}[\w.]{1,300}[ \t]{1,9})?import\b[ \t]{0,40}(?:\(([^()]{0,20000})\)|([^\n(]{0,1000}))/gm;
const importedItem = /^\s{0,200}(\w{1,200}|\*)[\w.]{0,300}(?:\s{1,40}as\s{1,40}(\w{1,200}))?\s{0,200}$/;

/** What a module is asked for names that it does not have (PEP 562): what a class is asked has `self` or `cls` first. */
function lookupIn(text: string): RegExpExecArray | null {
  return /^([ \t]{0,40})def __getattr__\s{0,9}\(\s{0,40}(?!(?:self|cls)\b)(\w{1,200})[^\n]{0,300}\n((?:\1[ \t][^\n]*\n|[ \t]{0,200}\n)*)/m.exec(
    text,
  );
}

/** Whether what is asked for is only held against names that stand there: it is those, and no others. */
function comparesAlone([, , asked = '', body = '']: RegExpExecArray): boolean {
  const plain = body.replace(/'[^'\n]*'|"[^"\n]*"|#[^\n]*|^[ \t]*raise\b[^\n]*/gm, '');
  const uses = [...plain.matchAll(/\b(\w+)\b(\s{0,9}==)?/g)].filter(([, word]) => word === asked);
  return uses.length > 0 && uses.every(([, , compared]) => compared !== undefined);
}
