import { referenceKinds } from '../../model/facts-format.ts';
import {
  atTop,
  type GraphDocument,
  type GraphImports,
  type GraphUses,
  makesNothing,
  packTraits,
  packUse,
  tellsConstructors,
} from '../../model/graph.ts';
import { packImport } from '../../model/imported-symbol.ts';
import type { DocumentView } from '../document-view.ts';
import { type Holds, occurrencesIn, preciseMark, targetsIn, unresolvedIn } from '../effective-links.ts';
import { importsOf } from '../imports-of.ts';
import { unpackTraits } from '../link-format.ts';

/** A document's part of the graph of the snapshot that the view is of. */
export function graphDocument(view: DocumentView, holds: Holds): GraphDocument {
  const { document, path, scope, language, isTest, links, precise } = view;
  return {
    ...{ document, path, scope, language, isTest, isPartial: links.isPartial },
    context: precise === undefined ? undefined : view.context(),
    ...definitionColumns(view),
    ...openColumns(view, holds),
    uses: usesOf(view, holds),
    imports: importColumns(view),
  };
}

function importColumns(view: DocumentView): GraphImports {
  const imports = importsOf(view);
  return {
    targets: Uint32Array.from(imports, one => packImport(one.to)),
    lines: Uint32Array.from(imports, one => one.line * 2 + (one.typeOnly ? 1 : 0)),
  };
}

function definitionColumns(
  view: DocumentView,
): Pick<GraphDocument, 'symbols' | 'names' | 'traits' | 'slots' | 'containers'> {
  const { links, precise } = view;
  const count = links.definitionCount;
  const traits = new Uint16Array(count);
  const slots = new Uint32Array(count);
  const containers = new Int32Array(count);
  const named = new Set<number>();
  for (let slot = 0; precise !== undefined && slot < links.slotCount; slot++) {
    if (precise.names(slot)) named.add(links.definitionOfSlot(slot));
  }
  const facts = view.facts();
  for (let at = 0; at < count; at++) {
    const slot = links.primarySlotAt(at);
    const isTest = facts.isOfTests(facts.definitionNameRange(slot).startLine);
    traits[at] = packTraits({ ...unpackTraits(links.traitsAt(at)), isNamed: named.has(at), isTest });
    slots[at] = slot;
    containers[at] = definitionAt(view, facts.definitionContainer(slot));
  }
  // The body of a member may stand outside of its type, which declares it.
  for (let slot = 0; slot < links.slotCount; slot++) {
    const at = links.definitionOfSlot(slot);
    if (containers[at] === atTop) containers[at] = definitionAt(view, facts.definitionContainer(slot));
  }
  return { symbols: links.symbols(), names: links.names(), traits, slots, containers };
}

function definitionAt({ links }: DocumentView, slot: number): number {
  return slot < 0 ? atTop : links.definitionOfSlot(slot);
}

function openColumns(view: DocumentView, holds: Holds): Pick<GraphDocument, 'openCalls' | 'openNames' | 'openCounts'> {
  const { links } = view;
  const openCalls = new Uint32Array(links.definitionCount + 1);
  const openNames: number[] = [];
  const openCounts: number[] = [];
  for (const name of links.unresolvedNames()) {
    let count = 0;
    for (const packed of unresolvedIn(view, name, holds)) {
      count++;
      if (referenceKinds[packed & 7] !== 'call') continue;
      const user = definitionAt(view, view.facts().referenceEnclosing(packed >>> 3));
      openCalls[user === atTop ? links.definitionCount : user]!++;
    }
    if (count === 0) continue;
    openNames.push(name);
    openCounts.push(count);
  }
  return { openCalls, openNames: Uint32Array.from(openNames), openCounts: Uint32Array.from(openCounts) };
}

/** One use while its occurrences are gathered. */
interface Gathered {
  readonly user: number;
  mark: number;
  count: number;
  reference: number;
}

function usesOf(view: DocumentView, holds: Holds): GraphUses {
  const targets: number[] = [];
  const starts: number[] = [];
  const uses: Gathered[] = [];
  for (const symbol of [...targetsIn(view)].sort((a, b) => a - b)) {
    const gathered = usesOfSymbol(view, symbol, holds);
    if (gathered.length === 0) continue;
    targets.push(symbol);
    starts.push(uses.length);
    uses.push(...gathered);
  }
  starts.push(uses.length);
  return {
    targets: Uint32Array.from(targets),
    starts: Uint32Array.from(starts),
    users: Int32Array.from(uses, one => one.user),
    marks: Uint16Array.from(uses, one => one.mark),
    counts: Uint32Array.from(uses, one => one.count),
    references: Uint32Array.from(uses, one => one.reference),
    byUser: Uint32Array.from(uses.keys()).sort(
      (a, b) => uses[a]!.user - uses[b]!.user || uses[a]!.reference - uses[b]!.reference || a - b,
    ),
  };
}

function usesOfSymbol(view: DocumentView, symbol: number, holds: Holds): readonly Gathered[] {
  const byUserAndKind = new Map<number, Gathered>();
  for (const packed of occurrencesIn(view, symbol, holds)) {
    const reference = packed >>> 7;
    const { user, mark } = occurrence(view, reference, packed & 127);
    const key = user * 32 + (mark >>> 7);
    const known = byUserAndKind.get(key);
    if (known === undefined) {
      byUserAndKind.set(key, { user, mark, count: 1, reference });
      continue;
    }
    known.count++;
    known.mark = surer(known.mark, mark);
    known.reference = Math.min(known.reference, reference);
  }
  const slotOf = (user: number): number => (user === atTop ? -1 : view.links.primarySlotAt(user));
  return [...byUserAndKind.values()].sort((a, b) => slotOf(a.user) - slotOf(b.user) || a.mark - b.mark);
}

function occurrence(view: DocumentView, reference: number, hundredths: number) {
  const { precise } = view;
  const isExtra = precise !== undefined && reference >= precise.referenceCount;
  const extra = isExtra ? precise.extra(reference) : undefined;
  const kind = extra?.kind ?? view.facts().referenceKind(reference);
  const isPrecise = hundredths === preciseMark;
  const isUnnamed = kind === 'call' && (isExtra || isSelfCall(view, reference));
  return {
    user: definitionAt(view, extra?.enclosing ?? view.facts().referenceEnclosing(reference)),
    mark: packUse(kind, isPrecise ? 'precise' : hundredths) | (isUnnamed ? makesNothing : 0),
  };
}

function isSelfCall({ facts, language }: DocumentView, reference: number): boolean {
  return tellsConstructors.has(language) && /^(?:this|super|base)$/.test(facts().reference(reference).name);
}

/** Of two occurrences of one use what is known of the surer. */
function surer(one: number, other: number): number {
  return (other & 127) > (one & 127) ? other : one;
}
