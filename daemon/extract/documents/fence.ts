import { type FenceImports, fenceImports } from './fence-imports.ts';
import { type FenceLanguage, withoutTexts } from './fence-languages.ts';

/** A piece of code of a document. */
export interface Fence {
  readonly code: string;
  /** The same with spaces for what stands in comments and texts. */
  readonly plain: string;
  /** As extractors name it; '' where nobody says. */
  readonly language: string;
  readonly imports: FenceImports;
}

export function fenceOf(code: string, { language, lexis }: FenceLanguage): Fence {
  const plain = withoutTexts(code, lexis);
  return { code, plain, language, imports: fenceImports(code, plain, language) };
}
