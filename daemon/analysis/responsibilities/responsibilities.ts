import type { ProseBlock } from '../../model/prose.ts';
import { codeCapabilities } from './code-capabilities.ts';
import { codeSummary } from './code-summary.ts';
import type { ModuleCode } from './module-code.ts';
import { isSameButForNumber } from './plurals.ts';
import { proseCapabilities } from './prose-capabilities.ts';
import { proseSummary } from './prose-summary.ts';
import { beginningOf } from './sentences.ts';
import { type Telling, tellingOf } from './telling.ts';

/** Where what is said of a module comes from, the best first. */
const sourceKinds = ['declared', 'readme', 'package-doc', 'manifest', 'inferred'] as const;
export type SourceKind = (typeof sourceKinds)[number];

/**
 * How sure a summary is by where it comes from: somebody wrote it to say just this; or at the top of what people read first;
 * or of what the code's own documentation begins with; or in a field that registries show; or nobody did (see `codeSummary`).
 */
const confidences: Readonly<Record<Exclude<SourceKind, 'inferred'>, number>> = {
  declared: 0.95,
  readme: 0.85,
  'package-doc': 0.8,
  manifest: 0.75,
};
/** Of what says where it belongs rather than what it does; code that offers something says more. */
const littleSaid = 0.5;

/** Texts about a module, each with the place that it stands at; lines 0-based. */
export interface ModuleTexts {
  readonly declared: (SaidAt & { readonly capabilities: readonly string[] }) | undefined;
  /** The README of its folder, and what documents its package, the likeliest first. */
  readonly readme: readonly ProseFile[];
  readonly packageDocs: readonly ProseFile[];
  readonly manifest: SaidAt | undefined;
  /** What it goes by: its name, its folder's, that of the repository where it is the root. */
  readonly names: readonly string[];
}

export interface SaidAt {
  readonly text: string;
  readonly path: string;
  readonly line: number;
}

export interface ProseFile {
  readonly path: string;
  readonly blocks: readonly ProseBlock[];
}

export interface Responsibilities {
  readonly summary: string;
  readonly capabilities: readonly string[];
  readonly confidence: number;
  readonly source: SourceKind;
  /** Where the summary and the capabilities stand, as far as they stand in a text. */
  readonly sources: readonly { readonly kind: SourceKind; readonly path: string; readonly line: number }[];
}

/** More than a dozen is a reference and no answer. */
const mostCapabilities = 12;
/** So many of them may come of names where texts say some. */
const mostBeside = 4;

/** What a module is there for: what the best text says of it that says something, else what its code tells. */
export function responsibilitiesOf(texts: ModuleTexts, code: ModuleCode): Responsibilities {
  const best = bestSummary(texts, code.exportCount > 0 ? ['much'] : ['much', 'bare', 'little']);
  const said = saidCapabilities(texts);
  const known = best ?? { ...codeSummary(code), kind: 'inferred' as const, at: undefined };
  // Where somebody has said the same, their words stand.
  const named = (code.module.isTest ? [] : codeCapabilities(code)).filter(
    one => !said.texts.some(text => isSameButForNumber(text, one)),
  );
  const capabilities = distinct([
    ...said.texts,
    ...named.slice(0, said.texts.length === 0 ? mostCapabilities : mostBeside),
  ]);
  const places = [best?.at, said.at].filter(one => one !== undefined);
  return {
    summary: known.text,
    capabilities: capabilities.slice(0, mostCapabilities),
    confidence: known.confidence,
    source: known.kind,
    sources: places.filter(
      (one, at) => places.findIndex(other => other.path === one.path && other.line === one.line) === at,
    ),
  };
}

interface Found {
  readonly kind: Exclude<SourceKind, 'inferred'>;
  readonly text: string;
  readonly telling: Telling;
  readonly path: string;
  readonly line: number;
}

function bestSummary(texts: ModuleTexts, enough: readonly Telling[]) {
  const found = [...summariesIn(texts)];
  const [best] = enough.flatMap(much => found.find(({ telling }) => telling === much) ?? []);
  if (best === undefined) return undefined;
  const { kind, text, path, line } = best;
  const confidence = best.telling === 'much' ? confidences[kind] : littleSaid;
  return { text: finished(text), kind, confidence, at: { kind, path, line } };
}

/** In the order of their sources. */
function* summariesIn({ declared, readme, packageDocs, manifest, names }: ModuleTexts): Iterable<Found> {
  if (declared !== undefined) {
    const { text, path, line } = declared;
    yield { kind: 'declared', text: beginningOf(text.replace(/\s+/g, ' ').trim()), telling: 'much', path, line };
  }
  for (const [kind, files] of [
    ['readme', readme],
    ['package-doc', packageDocs],
  ] as const) {
    for (const { path, blocks } of files) {
      const one = proseSummary(blocks, names);
      if (one !== undefined) yield { kind, path, ...one };
    }
  }
  if (manifest !== undefined) {
    const { text, path, line } = manifest;
    yield { kind: 'manifest', text: beginningOf(text), telling: tellingOf(text, names), path, line };
  }
}

function finished(text: string): string {
  return /[\p{L}\p{N})'"’”`]$/u.test(text) ? `${text}.` : text;
}

/** Of the first text that lists some. */
function saidCapabilities({ declared, readme, packageDocs }: ModuleTexts) {
  if (declared !== undefined && declared.capabilities.length > 0) {
    const { path, line } = declared;
    return { texts: declared.capabilities, at: { kind: 'declared' as const, path, line } };
  }
  for (const [kind, files] of [
    ['readme', readme],
    ['package-doc', packageDocs],
  ] as const) {
    for (const { path, blocks } of files) {
      const said = proseCapabilities(blocks);
      if (said.length > 0) return { texts: said.map(({ text }) => text), at: { kind, path, line: said[0]!.line } };
    }
  }
  return { texts: [], at: undefined };
}

/** Each once, whatever its case and the sign at its end. */
function distinct(texts: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return texts.filter(text => {
    const key = text.toLowerCase().replace(/\W+$/, '');
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}
