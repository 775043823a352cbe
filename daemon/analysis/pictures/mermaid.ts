import type { Drawing, DrawnEdge, DrawnNode } from './picture.ts';
import { withoutControls } from './text.ts';

/** As many as Mermaid draws unless it is told otherwise (`maxEdges`). */
export const mostMermaidEdges = 500;

/** A drawing in Mermaid's language. The same drawing gives the same bytes. */
export function mermaidOf(drawing: Drawing): string {
  const { title, caption, nodes, edges, groups } = drawing;
  const closing = edges.flatMap(({ closesCycle }, at) => (closesCycle ? [at] : []));
  return [
    'flowchart LR',
    `  accTitle: ${plainText(title)}`,
    `  accDescr: ${plainText(caption)}`,
    `  %% ${plainText(title)}: ${plainText(caption)}`,
    ...groups.flatMap((name, group) => [
      `  subgraph g${group}[${quoted([`${name}/`])}]`,
      ...nodes.flatMap((node, at) => (node.group === group ? [`  ${nodeOf(node, at)}`] : [])),
      '  end',
    ]),
    ...nodes.flatMap((node, at) => (node.group < 0 ? [nodeOf(node, at)] : [])),
    ...edges.map(edgeOf),
    '  classDef outside stroke-dasharray: 5 3',
    '  classDef test stroke-dasharray: 2 2',
    ...(closing.length === 0 ? [] : [`  linkStyle ${closing.join(',')} stroke:#cf3b34`]),
    '',
  ].join('\n');
}

function nodeOf({ label, detail, kind }: DrawnNode, at: number): string {
  const text = quoted(detail === '' ? [label] : [label, detail]);
  const style = kind === 'inside' ? '' : kind === 'test' ? ':::test' : ':::outside';
  return `  n${at}[${text}]${style}`;
}

function edgeOf({ from, to, isFaint }: DrawnEdge): string {
  return `  n${from} ${isFaint ? '-.->' : '-->'} n${to}`;
}

/** A quoted label. It is read as markup: whatever means something there is named by its number. */
function quoted(lines: readonly string[]): string {
  return `"${lines.map(escaped).join('<br/>')}"`;
}

function escaped(line: string): string {
  return withoutControls(line).replace(/[^\p{L}\p{N} .,:/·+…⟳@→-]/gu, sign => `#${sign.codePointAt(0)};`);
}

/** A statement's text, which ends with the line. */
function plainText(text: string): string {
  return withoutControls(text).replace(/[;#{}%]/g, ' ');
}
