import type { Asked, ReferencesInput } from '../symbols/answers.ts';
import type { SearchInput } from '../symbols/search.ts';
import type { ServerSaid } from '../symbols/server-references.ts';
import type { AffectedInput } from './changed-files.ts';
import type { HeadSettings } from './head-trees.ts';

export interface SearchCall {
  readonly asked: Asked;
  readonly input: SearchInput;
  /** Where the input asks for HEAD. */
  readonly head?: HeadSettings | undefined;
}

export interface AffectedCall {
  readonly asked: Asked;
  readonly input: AffectedInput;
  /** To ask git with, where the input names commits or what is not there. */
  readonly head: HeadSettings;
}

export interface FollowCall {
  /** The file that is asked now. */
  readonly before: string;
  /** About the snapshot that is to be asked. */
  readonly asked: Asked;
}

export interface NameCall {
  readonly asked: Asked;
  readonly name: string;
  /** Where it is a name in HEAD. */
  readonly head?: HeadSettings | undefined;
}

export interface HeadSymbolCall {
  readonly asked: Asked;
  readonly hash: string;
  readonly head: HeadSettings;
}

export interface ReferencesCall {
  readonly asked: Asked;
  readonly input: ReferencesInput;
  /** Where the input asks for what language servers say. */
  readonly said?: ServerSaid | undefined;
}
