import type { DecisionStatus } from '../../model/decision.ts';
import { withoutAccents } from './section-kinds.ts';

/**
 * What a status that somebody wrote comes to. A decision that was rejected is shown as one that no longer holds; one that
 * nobody gave a status counts as taken, as MADR and log4brains have it; one in unknown words as proposed.
 */
export function statusOf(raw: string): { readonly status: DecisionStatus; readonly isKnown: boolean } {
  if (raw.trim() === '') return { status: 'accepted', isKnown: true };
  const lines = raw.split('\n').map(line => ({ line, statuses: statusesIn(line) }));
  // What may be chosen from, in a template that nobody filled in.
  const said = lines.filter(({ line, statuses }) => new Set(statuses).size < (line.includes('|') ? 2 : 3));
  if (said.some(({ line }) => isReplaced(line))) return { status: 'superseded', isKnown: true };
  // A history has a date in each line, and the last one counts.
  const dated = said.filter(({ line }) => /^\W*\d{4}-\d{1,2}-\d{1,2}\b/.test(line)).reverse();
  const status = [...dated, ...said].find(({ statuses }) => statuses.length > 0)?.statuses[0];
  return { status: status ?? 'proposed', isKnown: status !== undefined };
}

/** Whether a line says that the decision has been replaced: `supersedes` says that of another one. */
export function isReplaced(line: string): boolean {
  return /\b(?:replaced|obsoleted)\s+by\b/i.test(line) || statusesIn(line).includes('superseded');
}

/** Whether a line says that the decision replaces another. */
export function isReplacing(line: string): boolean {
  return /\b(?:super[sc]edes|replaces|obsoletes|ersetzt(?! durch)|remplace|reemplaza)\b/i.test(line);
}

function statusesIn(line: string): readonly DecisionStatus[] {
  const words =
    withoutAccents(line.slice(0, longestLine))
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.flatMap(word => {
    const status = statusOfWord.get(word) ?? withoutBlanks.find(([known]) => word.includes(known))?.[1];
    return status ?? [];
  });
}

const longestLine = 2000;

/** Without accents. */
const words: Readonly<Record<DecisionStatus, string>> = {
  superseded:
    'superseded superceded ersetzt abgelost remplace remplacee sustituido sustituida reemplazado substituido substituida sostituito vervangen заменено заменен 取代 替代 代替',
  deprecated:
    'deprecated rejected declined withdrawn obsolete obsoleted retired abandoned cancelled canceled dropped reverted veraltet abgelehnt verworfen zuruckgezogen uberholt rejete rejetee obsoleto obsoleta rechazado rechazada rejeitado rejeitada rifiutato deprecato depreciado afgewezen verouderd avvisat odrzucone отклонено отклонен устарело 已弃用 已废弃 废弃 已拒绝 拒绝 却下 廃止 非推奨 거부 폐기',
  accepted:
    'accepted approved adopted agreed decided implemented active done final ratified akzeptiert angenommen beschlossen entschieden genehmigt accepte acceptee approuve aceptado aceptada aprobado aprobada aceito aceita aprovado aprovada accettato approvato geaccepteerd goedgekeurd godkand accepterad zaakceptowane принято принят 已接受 接受 通过 已通过 已采纳 承認 採用 승인',
  proposed:
    'proposed proposal draft pending wip rfc review open suggested hold deferred postponed vorgeschlagen vorschlag entwurf offen propose proposee brouillon propuesto propuesta borrador proposto proposta rascunho bozza voorgesteld foreslaget propozycja предложено предложен черновик 提议 提案 草案 草稿 제안',
};

const statusOfWord: ReadonlyMap<string, DecisionStatus> = new Map(
  Object.entries(words).flatMap(([status, all]) =>
    all.split(' ').map(word => [withoutAccents(word), status as DecisionStatus] as const),
  ),
);

/** Chinese, Japanese and Korean words stand among others without a blank between. */
const withoutBlanks = [...statusOfWord].filter(([word]) =>
  /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word),
);
