import type { Tree } from 'web-tree-sitter';
import type { Dialect, SkipReason } from '../model/document.ts';
import type { DocumentFacts } from '../model/facts.ts';
import { type Budget, openBudget } from './budget.ts';
import { deepestNode, FactsBuilder } from './builder.ts';
import { measureComplexity } from './complexity/measure.ts';
import type { Language } from './language.ts';
import { languageFor } from './languages.ts';
import { configurationFacts, sourceConfiguration } from './manifest.ts';
import { type MendedText, withoutConflictMarks } from './mended-text.ts';
import { type LoadedParser, parserFor } from './parsers.ts';
import { leastDamaged } from './recovery.ts';
import { flatten, type SyntaxTree } from './tree.ts';

export interface ExtractLimits {
  /** Of the parser, over all readings of one file: past them it is given up, or its tree is the best of those read by then. */
  readonly parseSteps: number;
}

/** The file is listed but contributes no facts. */
export class ExtractionSkipped extends Error {
  readonly reason: SkipReason;
  constructor(reason: SkipReason, cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/**
 * The facts of one file: a function of its bytes, its dialect and the limits, whatever the machine does besides. Throws `ExtractionSkipped`: `unsupported` (no extractor for the dialect), `parse_timeout`, or
 * `parser_trap` (the grammar crashed: the thread should be replaced, its WebAssembly memory is no longer to be trusted).
 */
export async function extract(bytes: Uint8Array, dialect: Dialect, limits: ExtractLimits): Promise<DocumentFacts> {
  const source = new TextDecoder().decode(bytes);
  const configured = configurationFacts(source, dialect);
  if (configured !== undefined) return configured;
  const language = await languageFor(dialect, source);
  if (language === undefined) throw new ExtractionSkipped('unsupported');
  const parser = await parserFor(language.grammar);
  const prepared = language.prepare?.(source) ?? source;
  const { tree: read, parseErrors } = bestReading(parser, language, { source, prepared }, limits);
  const whole = language.rehang?.(read) ?? read;
  const tree = whole.atMostDeep(deepestNode);
  const facts = new FactsBuilder(tree);
  try {
    language.walk(tree, facts);
    if (prepared !== source) language.referToBlanked?.(tree, prepared, facts);
  } catch (cause) {
    // Nesting that a walk did not foresee costs this file, not the thread.
    if (cause instanceof RangeError) throw new ExtractionSkipped('parser_trap', cause);
    throw cause;
  }
  const complexity = language.complexity === undefined ? [] : measureComplexity(whole, language.complexity);
  const configuration = sourceConfiguration(source, language.name, language.project?.(whole));
  const tests = language.tests?.(whole) ?? [];
  return facts.finish(language.name, { complexity, configuration, parseErrors, tests });
}

interface Reading {
  readonly tree: SyntaxTree;
  /** Those of the file as it is: what another reading leaves out is no less wrong. */
  readonly parseErrors: number;
}

/** The tree; of a file that can't be parsed as it is, with what its other readings save. */
function bestReading(
  parser: LoadedParser,
  language: Language,
  { source, prepared }: { readonly source: string; readonly prepared: string },
  limits: ExtractLimits,
): Reading {
  const budget = openBudget(limits.parseSteps);
  const merged = withoutConflictMarks(prepared);
  const first = parse(parser, source, { text: merged }, budget);
  if (first === undefined) throw new ExtractionSkipped('parse_timeout');
  if (first.damage === 0 && merged === prepared) return { tree: first, parseErrors: first.errors };
  const texts = [merged, ...(language.retries ?? []).map(retry => retry(merged))];
  const tree = leastDamaged(first, texts, text => parse(parser, source, text, budget));
  return { tree, parseErrors: first.errors + Number(merged !== prepared) };
}

/** Undefined where the budget doesn't suffice. */
function parse(
  { parser, runtime }: LoadedParser,
  source: string,
  { text, origin }: Omit<MendedText, 'leftOut'>,
  budget: Budget,
): SyntaxTree | undefined {
  if (budget.isSpent) return undefined;
  let tree: Tree | null = null;
  try {
    // The callback's declared type says it returns nothing; `true` is what cancels.
    tree = parser.parse(text, null, { progressCallback: () => !budget.spend() });
    if (tree !== null) return flatten({ tree, runtime }, source, text, origin);
  } catch (cause) {
    throw new ExtractionSkipped('parser_trap', cause);
  } finally {
    tree?.delete();
  }
  parser.reset();
  return undefined;
}
