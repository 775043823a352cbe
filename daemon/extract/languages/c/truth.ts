/**
 * What is known of a condition of the preprocessor without any build: it never or always holds, it holds nowhere but on some
 * platforms or with some compilers that have names of their own (`elsewhere`), or nowhere but on all others (`at home`).
 */
export type Truth = 'never' | 'always' | 'elsewhere' | 'at home' | 'unknown';

/** What `#if` says. */
export function truthOf(condition: string): Truth {
  const words = condition.replace(comments, ' ').match(tokens) ?? [];
  const rest: Rest = { words, at: 0, depth: 0 };
  const truth = eitherOf(rest);
  return rest.at < words.length ? 'unknown' : truth;
}

export function not(truth: Truth): Truth {
  return opposite[truth];
}

export function both(one: Truth, other: Truth): Truth {
  const has = (truth: Truth): boolean => one === truth || other === truth;
  if (has('never')) return 'never';
  if (has('elsewhere')) return 'elsewhere';
  if (one === 'always') return other;
  if (other === 'always') return one;
  return one === other ? one : 'unknown';
}

/**
 * Macros by which platforms and compilers tell themselves from the common ones, which are Linux with gcc or clang: what they
 * give alone is in the place of what everybody else has.
 */
const foreign =
  /^(?:_?WIN(?:32|64)(?:_WCE)?|_WIN32_WINNT|__WIN(?:32|64)__|__WINDOWS__|_WINDOWS|_MSC_(?:FULL_)?VER|__MINGW(?:32|64)__|__MSYS__|__CYGWIN__|MSDOS|__MSDOS__|__DOS__|__OS2__|__BORLANDC__|__TURBOC__|__WATCOMC__|__APPLE__|__MACH__|MAC_OS_X_VERSION_\w+|TARGET_OS_\w+|__(?:Free|Net|Open)BSD__|__DragonFly__|__FreeBSD_version|__sun|sun|__sun__|__SVR4|__svr4__|__SUNPRO_CC?|_AIX|__xlC__|__hpux|__sgi|__osf__|__HAIKU__|__BEOS__|__QNX__|__VMS|__ANDROID__|ANDROID|__EMSCRIPTEN__|EMSCRIPTEN|__wasi__|__wasm(?:32|64)?__|__amigaos\d?__)$/;

const opposite: Readonly<Record<Truth, Truth>> = {
  never: 'always',
  always: 'never',
  elsewhere: 'at home',
  'at home': 'elsewhere',
  unknown: 'unknown',
};

const comments = /\/\*[\s\S]*?(?:\*\/|$)|\/\/.*/g;
const tokens = /\w+|&&|\|\||[=!<>]=|<<|>>|[^\s\w]/g;
const comparisons = /^(?:[=!<>]=|[<>])$/;
const maxDepth = 50;

interface Rest {
  readonly words: readonly string[];
  at: number;
  depth: number;
}

function eitherOf(rest: Rest): Truth {
  let truth = bothOf(rest);
  while (rest.words[rest.at] === '||') {
    rest.at++;
    truth = not(both(not(truth), not(bothOf(rest))));
  }
  return truth;
}

function bothOf(rest: Rest): Truth {
  let truth = compared(rest);
  while (rest.words[rest.at] === '&&') {
    rest.at++;
    truth = both(truth, compared(rest));
  }
  return truth;
}

/** `VERSION >= 1900`: nothing that is not defined is more than something; less it may be. */
function compared(rest: Rest): Truth {
  const left = single(rest);
  const sign = rest.words[rest.at] ?? '';
  if (!comparisons.test(sign)) return left;
  rest.at++;
  const isZero = /^0+$/.test(rest.words[rest.at] ?? '');
  single(rest);
  const wantsMore = sign === '>' || ((sign === '>=' || sign === '==') && !isZero);
  return left === 'elsewhere' && wantsMore ? 'elsewhere' : 'unknown';
}

function single(rest: Rest): Truth {
  const word = rest.words[rest.at++] ?? '';
  if (rest.depth >= maxDepth) return 'unknown';
  rest.depth++;
  const truth = singleFrom(rest, word);
  rest.depth--;
  return truth;
}

function singleFrom(rest: Rest, word: string): Truth {
  if (word === '!') return not(single(rest));
  if (word === '(') {
    const truth = eitherOf(rest);
    if (rest.words[rest.at] === ')') rest.at++;
    return truth;
  }
  if (word === 'defined') return single(rest);
  if (/^(?:0+[uUlL]*|false)$/.test(word)) return 'never';
  if (/^(?:[1-9]\d*[uUlL]*|true)$/.test(word)) return 'always';
  return foreign.test(word) ? 'elsewhere' : 'unknown';
}
