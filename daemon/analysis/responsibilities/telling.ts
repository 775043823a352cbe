import { wordsOfName } from './name-words.ts';

/** How much a text says of what something does. */
export type Telling =
  /** It says what it is, or does. */
  | 'much'
  /** No more than the name of it does, but for words that any description has. */
  | 'bare'
  /** No more than where it belongs, how it came about or how it is used, or what may be found elsewhere. */
  | 'little'
  /** It is about something else: a notice, a link to the documentation, a licence. */
  | 'nothing';

/** Of a paragraph, held against the names that its module goes by. */
export function tellingOf(text: string, names: readonly string[]): Telling {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu) ?? [];
  if (words.length < 2 || text.length < leastLength) return 'nothing';
  if (notices.test(text) || placeholders.test(text)) return 'nothing';
  if (pointers.test(text) || instructions.test(text) || partial.test(text)) return 'little';
  const own = new Set(names.flatMap(wordsOfName));
  const more = words.flatMap(wordsOfName).filter(word => !own.has(word) && !empty.has(word));
  return new Set(more).size < leastMore ? 'bare' : 'much';
}

const leastLength = 12;
/** So many words beside the name and those that any description has. */
const leastMore = 2;

/** What is said beside what something is, at the beginning of a paragraph. */
const notices =
  /^\W{0,8}(?:(?:note|nb|warning|important|attention|caution|tip|hint|disclaimer|deprecat\w+|update|news|announcement|status|todo|fixme|license|version|requirements?|prerequisites?|supported)\b(?:\s*[:!—–-]|\s+that\b|$)|(?:copyright|licensed under|released under|made with|built with|powered by|sponsored|thanks|special thanks|maintained by|created by|written by|contributions?\b|if you (?:like|find|use|want|need)|we (?:are|’re|'re) (?:hiring|looking)|looking for|build status|table of contents|all notable changes|\[?read[ -]only)\b)/i;

/** What templates have in the place of a description. */
const placeholders =
  /^(?:a new flutter \w+(?: project)?|a (?:new )?starter \w+|add your description here|project description|my (?:awesome |new )?\w+|lorem ipsum\b.*|todo\b.*|description|tbd|wip|work in progress|coming soon|(?:an? )?(?:simple )?(?:test|example|sample|demo)(?: \w+)?)\.?$/i;

/** A question, or what goes on from something before it. */
const partial = /\?$|^(?:the|this|it|they|we)\s(?:\w+\s)?also\b/i;

/** What somebody is to do, or how it came about. */
const instructions =
  /^\W{0,8}(?:to (?:build|run|install|update|use|start|test|develop|generate|add|create|get|release|debug|deploy)\b|in order to|in the rare case|if you\b|when you\b|once you\b|you (?:can|need|must|should|will|may)\b|run\b|first,|before you|make sure|this (?:project|website|site|app|application|directory|package|repository|folder) (?:is|was) (?:built|created|generated|bootstrapped|scaffolded)\b|(?:an? .{0,40} )?(?:project )?(?:created|generated|bootstrapped|scaffolded|built) (?:by|with|using|from)\b|copy-?pasted)/i;

/** Where to look, or what it is a part of. */
const pointers =
  /^\W{0,8}(?:(?:please\s+)?(?:see|visit|check out|read|refer to|head over|go to|click|follow|browse|learn more|find)\b|(?:for|to) (?:more|full|further|detailed|additional|usage|the (?:full|complete|latest)|an? (?:overview|introduction)|documentation|docs|information|installation|learn|get started)\b|(?:the )?(?:full |complete |official |api |online )?(?:documentation|docs)\b.{0,40}\b(?:is|are|can|at|on|lives?)\b|more (?:information|details|documentation)\b|(?:this|these) (?:is|package is|module is|crate is|repository is|repo is|directory is|folder is|project is|gem is|library is) (?:(?:developed|maintained|released|published) as )?(?:an? )?(?:internal |sub-?)?(?:part|package|module|crate|component|sub-?package|sub-?module|subtree|mirror|fork|copy|read-only \w+)?\s*(?:of|for|from|in)\b|(?:internal|private)\b.{0,40}\bnot (?:meant|intended|for)\b)/i;

const empty: ReadonlySet<string> = new Set(
  `a an the of for to in on at by and or with from as is are was be it its this that these those which what
  package packages module modules library libraries lib crate crates gem gems plugin plugins component components project projects
  app apps application applications code source sources repository repo directory folder file files core common base main index
  contains contain containing provides provide providing implements implement implementation includes new my your our
  official simple small private internal shared various some all other part sub
  two three four several following things parts subdirectories directories folders subfolders following
  js ts javascript typescript python rust golang java kotlin dart flutter ruby php csharp net cpp node npm react`.split(
    /\s+/,
  ),
);
