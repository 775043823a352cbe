import type { SectionKind } from '../../model/decision.ts';
import { plainInline } from './title.ts';

/** What a section of this heading is about; undefined where nothing is known of it. */
export function sectionKind(heading: string): SectionKind | undefined {
  return kinds.get(heading.toLowerCase()) ?? kinds.get(headingWords(heading));
}

/** A heading without what differs from one author to the other: case, accents, numbers before it, marks around it. */
export function headingWords(heading: string): string {
  return withoutAccents(plainInline(heading.slice(0, longestName)))
    .toLowerCase()
    .replace(/^\P{L}+|[^\p{L}\p{N}]+$/gu, '')
    .replace(/\s+/g, ' ');
}

/** What is longer is no name but a sentence. */
const longestName = 100;

/** Letters alone, in the parts that they are made of. */
export function withoutAccents(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}

/** As `headingWords` makes them, but for accents. */
const words: Readonly<Record<SectionKind, string>> = {
  status:
    'status|state|decision status|statut|estado|stato|stan|stav|statusz|durum|статус|状态|狀態|状況|ステータス|상태',
  date: 'date|datum|fecha|data|дата|日期|日付',
  context:
    'context|context and problem statement|context and problem|context & problem statement|problem statement|problem|background|motivation|kontext|kontext und problemstellung|problemstellung|ausgangslage|contexte|contexte et problematique|contexto|contexto y problema|contexto e problema|contesto|kontekst|контекст|背景|上下文|语境|語境|コンテキスト|コンテクスト',
  decision:
    'decision|decisions|the decision|our decision|decision outcome|decision made|outcome|entscheidung|ergebnis der entscheidung|entscheidungsergebnis|resultat de la decision|decisione|decisao|beslissing|beslut|beslutning|decyzja|rozhodnuti|решение|决策|决定|決定|決策',
  consequences:
    'consequences|consequence|positive consequences|negative consequences|neutral consequences|implications|konsequenzen|auswirkungen|folgen|positive konsequenzen|negative konsequenzen|consecuencias|consequencias|conseguenze|gevolgen|konsekvenser|konsekwencje|dusledky|последствия|后果|後果|影响|影響|結果|结果',
  modules:
    'affected modules|modules affected|modules|affected components|components affected|affected packages|betroffene module|modules concernes|modulos afectados|moduli interessati',
  links:
    'links|related|related decisions|related adrs|references|see also|more information|further information|verweise|liens|enlaces|参考|関連',
};

const kinds: ReadonlyMap<string, SectionKind> = new Map(
  Object.entries(words).flatMap(([kind, all]) =>
    all.split('|').map(word => [withoutAccents(word), kind as SectionKind] as const),
  ),
);
