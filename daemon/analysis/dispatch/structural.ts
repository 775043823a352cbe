import type { ScopeKey } from '../../model/document.ts';
import { type Declaration, type GraphSite, kindOfDefinition } from '../../model/graph.ts';
import { childrenOf } from '../../model/graph-children.ts';
import { lastDescriptorAt, symbolHash } from '../../model/identity.ts';
import { type GoSignature, goSignature, goTypeParameters, isSameBut } from './go-signature.ts';
import { type Hierarchy, remembered } from './hierarchy.ts';
import { nameIn } from './member.ts';
import type { Overridden, Overriding } from './overriding.ts';

/** Which types of Go implement which interfaces, by their methods. */
export interface StructuralOverriding extends Overriding {
  /** Types that implement an interface. */
  implementers(interfaceSymbol: number): readonly Overridden[];
}

/** A method of a type or an interface. */
interface Method {
  readonly declared: Declaration;
  readonly name: string;
  readonly nameNumber: number;
  /** The symbol of what has it. */
  readonly owner: number;
  readonly signature: GoSignature | undefined;
}

/** What an interface asks for. */
interface Asked {
  readonly methods: readonly Method[];
  /** It embeds one of a dependency, of which the methods are not known. */
  readonly isOpen: boolean;
}

/** So many types are looked at that a type embeds. */
const mostEmbedded = 32;
/** Types that embed one, of which a method may be. */
const mostEmbedding = 200;

/**
 * What a type of Go has for what an interface asks for: all of its methods, those of embedded types too, by name, parameters
 * and results. Nothing says so in the source but an assertion (`var _ I = (*T)(nil)`). How sure it is that the one is meant
 * for the other hangs on how telling that is. Costs what bears the names of the interface's methods.
 */
export function structuralOverriding(hierarchy: Hierarchy): StructuralOverriding {
  const { graph } = hierarchy;
  const methods = new Map<number, ReadonlyMap<number, Method>>();
  const asked = new Map<number, Asked>();
  const meant = new Map<string, number>();
  const symbols = new Map<string, number>();
  const embedders = new Map<number, readonly number[]>();

  const symbolOf = (scope: ScopeKey, tail: string): number =>
    remembered(symbols, `${scope}\0${tail}`, () => graph.numberOf(symbolHash(scope, tail)) ?? -1);

  const ownerOf = ({ scope, tail }: Pick<Declaration, 'scope' | 'tail'>): number =>
    symbolOf(scope, tail.slice(0, lastDescriptorAt(tail)));

  /** By what has it, the method of a name. */
  const methodsNamed = (nameNumber: number): ReadonlyMap<number, Method> =>
    remembered(methods, nameNumber, () => {
      const all = graph.declarationsNamed(nameNumber, 'go').filter(({ kind }) => kind === 'method');
      return new Map(
        all.map(declared => {
          const name = nameIn(declared.tail);
          const owner = ownerOf(declared);
          return [owner, { declared, name, nameNumber, owner, signature: goSignature(declared.signature, name) }];
        }),
      );
    });

  const methodAt = (site: GraphSite): Method | undefined => {
    const { in: one, at } = site;
    if (kindOfDefinition(one, at) !== 'method') return undefined;
    const owner = ownerOf({ scope: one.scope, tail: graph.declaredAt(site).tail });
    return methodsNamed(one.names[at]!).get(owner);
  };

  const isInterface = (symbol: number): boolean =>
    graph.sitesOf(symbol).some(({ in: one, at }) => kindOfDefinition(one, at) === 'interface');

  const askedBy = (symbol: number): Asked => remembered(asked, symbol, () => gatherAsked(symbol, new Set([symbol])));

  const gatherAsked = (symbol: number, seen: Set<number>): Asked => {
    const found: Method[] = [];
    let isOpen = false;
    for (const { in: one, at } of graph.sitesOf(symbol)) {
      for (const child of childrenOf(one, at)) {
        const method = methodAt({ in: one, at: child });
        if (method !== undefined) found.push(method);
      }
    }
    for (const base of embeddedIn(symbol)) {
      if (seen.has(base)) continue;
      seen.add(base);
      if (graph.sitesOf(base).length === 0) isOpen = true;
      else if (isInterface(base)) {
        const inner = gatherAsked(base, seen);
        found.push(...inner.methods);
        isOpen ||= inner.isOpen;
      }
    }
    return { methods: found, isOpen };
  };

  const embeddedIn = (symbol: number): readonly number[] =>
    hierarchy.basesOf({ symbol, anonymous: '' }).map(base => base.symbol);

  /** Types that embed one, directly or by way of others: found by the field, which is named as the type. */
  const embedding = (symbol: number): readonly number[] => remembered(embedders, symbol, () => findEmbedding(symbol));

  const findEmbedding = (symbol: number): readonly number[] => {
    const found = new Set<number>();
    const pending = [symbol];
    for (let at = 0; at < pending.length && found.size < mostEmbedding; at++) {
      const [site] = graph.sitesOf(pending[at]!);
      if (site === undefined) continue;
      for (const field of graph.declarationsNamed(site.in.names[site.at]!, 'go')) {
        if (field.kind !== 'field' || !isEmbedded(field)) continue;
        const holder = ownerOf(field);
        if (found.has(holder) || holder === symbol || !embeddedIn(holder).includes(pending[at]!)) continue;
        found.add(holder);
        pending.push(holder);
      }
    }
    return [...found];
  };

  /**
   * What a type has under the name of a method: its own, or of what it embeds, the nearest first, with a body where any has.
   * What it embeds of a dependency may have any: to take that for what is asked for is mostly wrong.
   */
  const heldBy = (type: number, method: Method): Method | undefined => {
    const own = methodsNamed(method.nameNumber);
    const pending = [type];
    let declared: Method | undefined;
    for (let at = 0; at < pending.length; at++) {
      const base = pending[at]!;
      const found = own.get(base);
      if (found !== undefined && !isOfInterface(found)) return found;
      declared ??= askedBy(base).methods.find(one => one.nameNumber === method.nameNumber);
      const inner = embeddedIn(base).filter(one => !pending.includes(one));
      if (pending.length < mostEmbedded) pending.push(...new Set(inner));
    }
    return declared;
  };

  /** How sure it is that a type is meant to implement an interface; 0 where it does not. */
  const sureness = (type: number, asking: number): number =>
    remembered(meant, `${type} ${asking}`, () => {
      const { methods: all, isOpen } = askedBy(asking);
      if (all.length === 0 || isInterface(type)) return 0;
      if (isAsserted(type, asking)) return 1;
      const fits = all.map(one => {
        const held = heldBy(type, one);
        return held === undefined ? 'none' : fitOf(one, held);
      });
      if (fits.includes('none')) return 0;
      return tellingOf(all) * (isOpen || fits.includes('open') ? openConfidence : 1);
    });

  const isAsserted = (type: number, asking: number): boolean =>
    embeddedIn(type).some(base => isInterface(base) && (base === asking || embeddedIn(base).includes(asking)));

  const fitOf = (asking: Method, held: Method): Fit => {
    const isExported = /^\p{Lu}/u.test(asking.name);
    if (!isExported && asking.declared.scope !== held.declared.scope) return 'none';
    if (asking === held) return 'exact';
    return fitOfSignatures(asking.signature, held.signature, () => [...parametersOf(asking), ...parametersOf(held)]);
  };

  /** Names that stand for any type, of what has a method. */
  const parametersOf = ({ declared, owner }: Method): readonly string[] => {
    const type = nameIn(declared.tail.slice(0, lastDescriptorAt(declared.tail)));
    const [site] = declared.holder === 'interface' ? graph.sitesOf(owner) : [];
    return goTypeParameters(site === undefined ? declared.signature : graph.declaredAt(site).signature, type);
  };

  /** How sure it is that a method is run where an interface's is called; 0 where it is not. */
  const runsFor = (asking: Method, held: Method): number => {
    if (fitOf(asking, held) === 'none') return 0;
    const own = sureness(held.owner, asking.owner);
    if (own > 0) return own;
    return embedding(held.owner)
      .filter(type => heldBy(type, asking) === held)
      .reduce((most, type) => Math.max(most, sureness(type, asking.owner)), 0);
  };

  const shown = ({ declared: { document, at } }: Method, confidence: number): readonly Overridden[] => {
    const one = graph.document(document);
    return one === undefined || confidence === 0 ? [] : [{ site: { in: one, at }, confidence }];
  };

  const methodOfSymbol = (symbol: number): Method | undefined => {
    const [site] = graph.sitesOf(symbol);
    return site === undefined ? undefined : methodAt(site);
  };

  return {
    overridden: symbol => {
      const held = methodOfSymbol(symbol);
      if (held === undefined || isOfInterface(held)) return [];
      const all = [...methodsNamed(held.nameNumber).values()].filter(isOfInterface);
      return all.flatMap(asking => shown(asking, runsFor(asking, held)));
    },
    overriding: symbol => {
      const asking = methodOfSymbol(symbol);
      if (asking === undefined || !isOfInterface(asking)) return [];
      const all = [...methodsNamed(asking.nameNumber).values()].filter(one => !isOfInterface(one));
      return all.flatMap(held => shown(held, runsFor(asking, held)));
    },
    implementers: symbol => {
      const all = askedBy(symbol).methods.map(one => [...methodsNamed(one.nameNumber).values()]);
      const fewest = all.sort((a, b) => a.length - b.length)[0] ?? [];
      const having = fewest.filter(one => !isOfInterface(one)).map(({ owner }) => owner);
      const types = new Set([...having, ...having.flatMap(embedding)]);
      return [...types].flatMap(type => {
        const confidence = sureness(type, symbol);
        const [site] = confidence === 0 ? [] : graph.sitesOf(type);
        return site === undefined ? [] : [{ site, confidence }];
      });
    },
  };
}

function isOfInterface({ declared }: Method): boolean {
  return declared.holder === 'interface';
}

/** `*Base`, `pkg.Base[T]`: a field without a name has its type's. */
function isEmbedded({ tail, signature }: Declaration): boolean {
  const written = signature
    .replace(/[`"].*$/s, '')
    .replace(/\[.*$/s, '')
    .trim();
  return /^\*?(?:\w+\.)?\w+$/.test(written) && written.endsWith(nameIn(tail));
}

type Fit = 'exact' | 'open' | 'none';

/** Of texts that were cut off nothing is known; a type that stands for any fits each. */
function fitOfSignatures(
  asking: GoSignature | undefined,
  held: GoSignature | undefined,
  typeParameters: () => readonly string[],
): Fit {
  if (asking === undefined || held === undefined) return 'open';
  const [these, those] = [asking, held].map(({ parameters, results }) => [...parameters, '→', ...results]);
  if (these!.length !== those!.length || asking.parameters.length !== held.parameters.length) return 'none';
  if (these!.every((type, at) => type === those![at])) return 'exact';
  const any = new Set(typeParameters());
  return these!.every((type, at) => isSameBut(any, type, those![at]!)) ? 'open' : 'none';
}

/** Types can't be compared, or not all methods are known. */
const openConfidence = 0.85;

/** How telling it is that a type has all that an interface asks for. */
function tellingOf(methods: readonly Method[]): number {
  if (methods.length > 2) return 0.95;
  if (methods.length > 1) return 0.9;
  const { parameters = [], results = [] } = methods[0]?.signature ?? {};
  const words = [...parameters, ...results].join().match(/[A-Za-z_]\w*/g) ?? [];
  if (words.some(word => !predeclared.has(word))) return 0.85;
  return parameters.length > 0 ? 0.7 : 0.5;
}

const predeclared: ReadonlySet<string> = new Set(
  'any bool byte chan complex64 complex128 error float32 float64 func int int8 int16 int32 int64 map rune string uint uint8 uint16 uint32 uint64 uintptr'.split(
    ' ',
  ),
);
