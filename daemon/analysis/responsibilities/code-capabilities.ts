import type { SymbolKind } from '../../model/symbol.ts';
import type { ExportedName, ModuleCode } from './module-code.ts';
import { wordsOfName } from './name-words.ts';
import { plural } from './plurals.ts';

/**
 * What the code of a module says that it offers: commands, what its functions do by the verbs that begin their names, and
 * families of types by the word that ends theirs. What most names speak of comes first; equal ones by the alphabet.
 */
export function codeCapabilities({ entrypoints, exported }: ModuleCode): readonly string[] {
  return [...commandsOf(entrypoints), ...deedsOf(exported), ...familiesOf(exported)];
}

function commandsOf(entrypoints: ModuleCode['entrypoints']): readonly string[] {
  const commands = entrypoints.flatMap(({ kind, name }) => (kind === 'cli' ? [name] : []));
  return [...new Set(commands)].sort().map(name => `Command ${name}`);
}

/**
 * `parseConfig`, `parse_file` and `parseArgs`: "Parse config, file and args". Where other modules use some of what it offers, of
 * that alone; what they use most comes first.
 */
function deedsOf(exported: readonly ExportedName[]): readonly string[] {
  const isShared = exported.some(one => callable.has(one.kind) && one.usedElsewhere > 0);
  const groups = new Map<string, { readonly things: string[]; weight: number }>();
  for (const { name, kind, usedElsewhere } of exported) {
    if (!callable.has(kind) || (isShared && usedElsewhere === 0)) continue;
    const [first = '', ...rest] = wordsOfName(name);
    const verb = verbs.get(first);
    // What follows on `parse_from_str` says how, not what.
    if (verb === undefined || rest.length === 0 || prepositions.has(rest[0]!)) continue;
    const group = groups.get(verb) ?? { things: [], weight: 0 };
    if (!group.things.includes(rest.join(' '))) group.things.push(rest.join(' '));
    group.weight += 1 + usedElsewhere;
    groups.set(verb, group);
  }
  return [...groups]
    .sort(([one, some], [other, others]) => others.weight - some.weight || (one < other ? -1 : 1))
    .slice(0, mostDeeds)
    .map(([verb, { things }]) => `${capital(verb)} ${listed(things)}`);
}

/** `RetryStrategy`, `HedgingStrategy` and `TimeoutStrategy`: "Strategies: Retry, Hedging, Timeout". */
function familiesOf(exported: readonly ExportedName[]): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const { name, kind } of exported) {
    const [, own = '', last = ''] = /^(.*[\p{Ll}\p{N}])(\p{Lu}\p{Ll}{2,})$/u.exec(name) ?? [];
    if (!types.has(kind) || !isRole(last.toLowerCase()) || /^(?:Abstract|Base|Default|I)$/.test(own)) continue;
    const members = groups.get(last) ?? [];
    if (!members.includes(own)) members.push(own);
    groups.set(last, members);
  }
  const families = [...groups].filter(([, members]) => members.length >= leastFamily);
  return bySize(new Map(families))
    .slice(0, mostFamilies)
    .map(([last, members]) => `${plural(last)}: ${listed(members)}`);
}

const mostDeeds = 6;
const mostFamilies = 3;
const leastFamily = 3;
const mostListed = 3;

/** Words for what does something, or is done. */
function isRole(word: string): boolean {
  return roles.has(word) || (/(?:[a-z]{3}er|[a-z]{2}or)$/.test(word) && !noRoles.has(word));
}

const roles: ReadonlySet<string> = new Set(
  `rule strategy policy guard middleware command service engine store repository job plugin transport discovery notification
  statement expression check task page view widget hook tool lint gateway proxy channel queue cache backend frontend language
  transform optimization migration codec integration extension directive endpoint route mutation query`.split(/\s+/),
);
const noRoles: ReadonlySet<string> = new Set(
  `builder wrapper header number container owner parameter identifier helper pointer buffer order error member character layer
  folder user other inner outer color vector author operator literal integer set after never super customer paper
  register power server-side center footer corner border monitor behavior behaviour editor constructor descriptor
  cursor iterator counter timer marker holder placeholder enter sender letter`.split(/\s+/),
);

function bySize(groups: ReadonlyMap<string, readonly string[]>): readonly (readonly [string, readonly string[]])[] {
  return [...groups].sort(([one, some], [other, others]) => others.length - some.length || (one < other ? -1 : 1));
}

function listed(things: readonly string[]): string {
  const more = things.length - mostListed;
  // One left over is named rather than counted.
  if (more > 1) return `${things.slice(0, mostListed).join(', ')} and ${more} more`;
  return things.length < 2 ? things.join('') : `${things.slice(0, -1).join(', ')} and ${things.at(-1)}`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

const callable: ReadonlySet<SymbolKind> = new Set(['function', 'macro', 'method']);
const types: ReadonlySet<SymbolKind> = new Set(['class', 'struct', 'interface', 'trait', 'enum', 'type', 'object']);

const prepositions: ReadonlySet<string> = new Set('to from with by for of at in on as or and if into not'.split(' '));

/** Verbs that tell what something is for; each with the one that it is told as. */
const verbs: ReadonlyMap<string, string> = new Map(
  `parse format print render draw convert transform translate compile build generate create emit encode decode
 serialize deserialize serialise=serialize deserialise=deserialize marshal unmarshal read write load save store fetch
 send receive publish subscribe listen serve handle dispatch route validate verify check assert lint analyze analyse=analyze
 resolve find search lookup=find collect filter sort merge split join compare diff replace rename update
 insert delete remove=delete register install run execute evaluate eval=evaluate invoke schedule start stop open close connect
 authenticate authorize encrypt decrypt sign compress decompress track 
 export import sync upload download migrate mock simulate expand infer normalize simplify optimize scan tokenize
 tokenise=tokenize lex walk visit traverse iterate reduce retry throttle debounce watch observe notify inject bind
 wrap decorate inspect describe calculate compute estimate allocate extract detect escape sanitize minify bundle
 highlight select aggregate scrape discover apply configure`
    .split(/\s+/)
    .map(word => {
      const [verb = '', told = verb] = word.split('=');
      return [verb, told];
    }),
);
