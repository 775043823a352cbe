import type { Markup } from '../../model/about-files.ts';
import type { ProseBlock } from '../../model/prose.ts';
import { asciidocBlocks } from './asciidoc.ts';
import { markdownBlocks } from './markdown.ts';
import { plainBlocks, rdocBlocks } from './plain.ts';
import { restructuredBlocks } from './restructured.ts';

/** A text taken apart by its markup. Never throws, whatever it holds, and takes time linear in its length. */
export function proseBlocks(source: string, markup: Markup): readonly ProseBlock[] {
  switch (markup) {
    case 'markdown':
      return markdownBlocks(source);
    case 'restructured':
      return restructuredBlocks(source);
    case 'asciidoc':
      return asciidocBlocks(source);
    case 'rdoc':
      return rdocBlocks(source);
    case 'plain':
      return plainBlocks(source);
  }
}
