import { familyOf } from '../../model/families.ts';
import type { DocumentMentions, Mention } from '../../model/mentions.ts';
import { baseName, directoryOf } from '../../model/paths.ts';
import type { DefinitionTable, DocumentedDefinition } from './definition-table.ts';
import { linkMention, type MentionContext } from './link-mention.ts';
import { isOfRepository } from './qualified-names.ts';

/** What a document says, as far as it tells of its names. */
export interface SaidOfNames extends Pick<DocumentMentions, 'mentions' | 'known' | 'code'> {
  readonly path: string;
}

/** What is known of the names in a document beside each of them. */
export function documentContext(
  said: SaidOfNames,
  table: DefinitionTable,
  isProse: MentionContext['isProse'],
): MentionContext {
  const { path, mentions, known } = said;
  const here = table.familiesIn?.('');
  const isHere = (language: string): boolean =>
    language === '' || here === undefined || here.size === 0 || here.has(familyOf(language));
  const code = said.code.filter(({ language }) => isHere(language));
  const written = code.flatMap(({ language }) => (language === '' ? [] : [familyOf(language)]));
  const context: MentionContext = {
    known: new Set(known.map(({ name }) => name)),
    foreign: foreignIn(
      mentions.filter(({ language }) => isHere(language)),
      table,
    ),
    isProse,
    defined: new Set(code.flatMap(one => one.defined)),
    parameters: new Set(code.flatMap(one => one.parameters)),
    families: written.length > 0 ? new Set(written) : familiesAround(path, table),
    isTold: one => isSubject(one, path) || told().has(one.hash),
  };
  let hashes: ReadonlySet<string> | undefined;
  /** What the document names with all that it stands in. */
  const told = (): ReadonlySet<string> => {
    hashes ??= new Set(
      mentions.flatMap(one => {
        const isQualified = one.names.length > 1 || one.from !== undefined;
        return isQualified ? (linkMention(one, table, context).definition?.hash ?? []) : [];
      }),
    );
    return hashes;
  };
  return context;
}

/** What code of a document imports from elsewhere: where the text names that, it means the same. */
function foreignIn(mentions: readonly Mention[], table: DefinitionTable): ReadonlySet<string> {
  const imported = mentions.filter(({ from }) => from !== undefined && !isOfRepository(from, table.packages));
  return new Set(imported.map(({ names }) => names[0]!));
}

/** Folders of documents and their pages: what code they have shows them, and they are about the rest. */
const pages = /^(?:docs?|documentation|website|site|www|guides?|book)$/i;

/** Of the code that lies nearest to a document: those that a tenth of its files is of. */
function familiesAround(path: string, table: DefinitionTable): ReadonlySet<string> | undefined {
  const parts = path.split('/').slice(0, -1);
  const first = parts.findIndex(part => pages.test(part));
  const folders = first < 0 ? parts : parts.slice(0, first);
  for (let count = folders.length; count >= 0; count--) {
    const found = table.familiesIn?.(folders.slice(0, count).join('/'));
    if (found === undefined) return undefined;
    const all = [...found.values()].reduce((sum, one) => sum + one, 0);
    if (all > 0) return new Set([...found].flatMap(([family, files]) => (files * 10 >= all ? [family] : [])));
  }
  return undefined;
}

/** Whether a document is called as the file or the folder of a definition is, or lies beside it. */
function isSubject({ path }: DocumentedDefinition, document: string): boolean {
  const folder = directoryOf(path);
  if (folder !== '' && folder === directoryOf(document)) return true;
  const stem = plain(baseName(document).replace(/\.[^.]*$/, ''));
  const subject = /^(?:readme|index)$/.test(stem) ? plain(baseName(directoryOf(document))) : stem;
  return (
    subject !== '' && (subject === plain(baseName(path).replace(/\.[^.]*$/, '')) || subject === plain(baseName(folder)))
  );
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
