import { nameValue, type Walk, written } from './walk.ts';

/**
 * What the body of a macro calls. The grammar leaves it a text, which may be any part of code: a name before a parenthesis is
 * called, unless the macro takes it, something has it as a member, or another word before it makes it a declaration.
 */
export function visitMacroBody(walk: Walk, node: number): void {
  const { tree, facts, scopes, slots } = walk;
  const macro = slots.byNode.get(tree.parent[node]!);
  if (macro === undefined) return;
  const body = tree.text(node);
  let word = '';
  let wordEnd = -1;
  for (const { 0: found, 1: path, index } of body.matchAll(tokens)) {
    if (path === undefined) continue;
    const isDeclared = wordEnd >= 0 && isSpace(body, wordEnd, index) && !beforeCalls.has(word);
    word = path;
    wordEnd = index + path.length;
    const [first = '', ...rest] = path.split('::');
    if (found === path || isDeclared || notCalled.test(path) || path === facts.definition(macro).name) continue;
    if (scopes.resolve(first)?.kind === 'local') continue;
    const name = rest.at(-1) ?? first;
    const end = tree.start[node]! + wordEnd;
    facts.referAt(end - name.length, end, 'call', rest.length === 0 ? nameValue(walk, name) : written(walk, path));
  }
}

/** Names with what qualifies them, and the parenthesis behind them; all in which a name is none: texts, attributes, numbers. */
const tokens =
  /__(?:attribute__|declspec|pragma)\s*\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\*[\s\S]*?\*\/|\/\/.*|(?:\.|->|##)\s*[A-Za-z_]\w*|\d[\w.]*|((?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)(?:[ \t]*\()?/g;

const beforeCalls: ReadonlySet<string> = new Set(
  'return else do case throw goto new delete co_await co_return co_yield and or not'.split(' '),
);

/** Words of the language, and what its compilers have. */
const notCalled =
  /^(?:if|for|while|switch|return|case|sizeof|defined|catch|throw|new|delete|do|else|operator|asm|auto|void|bool|char|short|int|long|float|double|signed|unsigned|(?:static_|_Static_)assert|alignas|alignof|_Alignof|_Alignas|_Generic|_Pragma|typeof|typeid|decltype|noexcept|explicit|requires|__(?:builtin|has|attribute|declspec|typeof|asm|extension|pragma|alignof)\w*)$/;

function isSpace(text: string, from: number, to: number): boolean {
  return /^[\s\\]*$/.test(text.slice(from, to));
}
