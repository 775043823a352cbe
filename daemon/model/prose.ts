/** A part of a text that people are to read, without its markup. Lines 0-based. */
export interface ProseBlock {
  /**
   * - `heading`: of a section; `level` 1 is that of the whole
   * - `paragraph`: of its own words; `quote`: of what is set apart from them; `html`: written as HTML
   * - `item`: of a list, without what lies below it; `level` from 0
   * - `links`: a paragraph of links and pictures and nothing else, such as badges
   * - `other`: code, a table, an admonition, a picture
   */
  readonly kind: 'heading' | 'paragraph' | 'quote' | 'html' | 'item' | 'links' | 'other';
  readonly text: string;
  readonly line: number;
  readonly level: number;
}

/** No more of a text is taken apart: what something is stands at its beginning. */
export const mostProse = 64 * 1024;
