import { isVendored } from './foreign.ts';
import { isTestPath } from './mount.ts';
import { baseName } from './paths.ts';

/** Whether a file is a document whose mentions of code are looked at: Markdown that is the repository's own. */
export function isDocument(path: string): boolean {
  return isMarkdown(path) && !isVendored(path);
}

export const markdownEndings = ['.md', '.markdown', '.mdx'] as const;

export function isMarkdown(path: string): boolean {
  const name = path.toLowerCase();
  return markdownEndings.some(ending => name.endsWith(ending));
}

/** Lists what was done, release by release: the names in it are those of their days, and nobody reads it for how things are. */
export function isChangelog(path: string): boolean {
  return /^(?:change-?logs?|changes|history|news|releases?|release[-_]?notes)(?:[-_.]?v?[\d.x]{1,12})?\.(?:md|markdown|mdx)$/i.test(
    baseName(path),
  );
}

/** Tells how things were or are to be shown, on purpose: nothing in it is out of date. */
export function isOfItsDay(path: string): boolean {
  const isPast =
    /(?:^|\/)(?:blog|posts?|news|changelogs?|\.?changesets?|releases?|adrs?|decisions|rfcs?|proposals?|archive[ds]?|versioned_docs)\//i;
  return isPast.test(path) || isOfChanges(path) || isShown(path);
}

/** Tells what became of things from one release to the next: a name in it may be one that went, whoever has it now. */
export function isOfChanges(path: string): boolean {
  return isChangelog(path) || isMove.test(path) || /(?:^|\/)(?:releases?|migrations?)\//i.test(path);
}

const isMove = /(?:migrat|upgrad|deprecat|breaking)[^/]{0,80}\.(?:md|markdown|mdx)$/i;

/** Whether a section tells of changes: upgrade guides, what a release brought. Its heading says so, or is a version. */
export function isSectionOfChanges(heading: string): boolean {
  return /\bupgrad|\bmigrat(?:e|ing|ion) (?:from|to|guide)|\bchange-?log|\bbreaking|\bdeprecat|\b(?:removed|removals|renamed)\b|\brelease notes|^\W{0,3}v?\d+\.[\dx]+(?:\.[\dx]+)?\b/i.test(
    heading,
  );
}

/** Is taken into other pages: what it says is told there, and where links from it lead is known there alone. */
export function isPartOfPages(path: string): boolean {
  return /(?:^|\/)(?:snippets?|_?includes?|_?partials?|fragments?)\//i.test(path);
}

/** What tests and templates are made of. */
function isShown(path: string): boolean {
  return isTestPath(path) || /(?:^|\/)(?:templates?|template-[\w-]{1,80}|playgrounds?)\//i.test(path);
}
