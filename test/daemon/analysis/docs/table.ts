import type {
  DefinitionTable,
  DocumentedDefinition,
  NamedPackage,
} from '../../../../daemon/analysis/docs/definition-table.ts';
import type { MentionContext } from '../../../../daemon/analysis/docs/link-mention.ts';
import { dialectOf } from '../../../../daemon/extract/dialect.ts';
import { languageOf } from '../../../../daemon/model/families.ts';
import type { SymbolKind } from '../../../../daemon/model/symbol.ts';

/** `kind path Container.name`, exported unless a `-` stands in front. */
export function definition(text: string, at: number): DocumentedDefinition {
  const [kind = '', path = '', name = ''] = text.replace(/^-/, '').split(' ');
  const containers = name.split('.');
  return {
    hash: String(at).padStart(32, '0'),
    name: containers.pop()!,
    kind: kind as SymbolKind,
    containers,
    path,
    line: 1,
    language: languageOf(dialectOf(path)),
    exported: !text.startsWith('-'),
    isLocal: false,
  };
}

export function tableOf(packages: readonly NamedPackage[], ...texts: readonly string[]): DefinitionTable {
  const all = texts.map(definition);
  return { packages, named: name => all.filter(one => one.name === name) };
}

/** As `tableOf` is told it. */
export function shownDefinition(one: DocumentedDefinition | undefined): string | undefined {
  return one && `${one.path} ${[...one.containers, one.name].join('.')}`;
}

export const nothingKnown: MentionContext = { known: new Set(), foreign: new Set(), isProse: () => false };
