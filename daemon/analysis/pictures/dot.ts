import type { Drawing, DrawnEdge, DrawnNode, Noun } from './picture.ts';
import { withoutControls } from './text.ts';

/** A drawing in Graphviz's language. The same drawing gives the same bytes. */
export function dotOf(drawing: Drawing): string {
  const { nodes, edges, groups, words } = drawing;
  const grouped = groups.flatMap((name, group) => [
    `  subgraph cluster_${group} {`,
    `    label=${quoted([`${name}/`])}; style="rounded"; color="#aab3c0"; fontcolor="#5c6675";`,
    ...nodes.flatMap((node, at) => (node.group === group ? [`  ${nodeOf(node, at)}`] : [])),
    '  }',
  ]);
  return [
    'digraph architecture {',
    `  graph [label=${quoted([drawing.title, drawing.caption])}, labelloc=t, labeljust=l, rankdir=LR, ranksep=0.9, fontname="Helvetica", charset="UTF-8"];`,
    '  node [shape=box, style="rounded,filled", fillcolor="#f3f5f8", color="#aab3c0", fontname="Helvetica", fontsize=11];',
    '  edge [color="#7d8898", arrowsize=0.7];',
    ...grouped,
    ...nodes.flatMap((node, at) => (node.group < 0 ? [nodeOf(node, at)] : [])),
    ...edges.map(edge => edgeOf(edge, words.edge)),
    '}',
    '',
  ].join('\n');
}

function nodeOf({ label, detail, kind }: DrawnNode, at: number): string {
  const text = quoted(detail === '' ? [label] : [label, detail]);
  const style = kind === 'inside' ? '' : `, style="rounded,filled,${kind === 'test' ? 'dotted' : 'dashed'}"`;
  return `  n${at} [label=${text}${style}];`;
}

function edgeOf({ from, to, strength, closesCycle, isFaint }: DrawnEdge, noun: Noun): string {
  const width = (1 + Math.log10(strength)).toFixed(2);
  const style = closesCycle ? ', color="#cf3b34"' : isFaint ? ', style=dashed' : '';
  return `  n${from} -> n${to} [penwidth=${width}, tooltip="${strength} ${strength === 1 ? noun.one : noun.many}"${style}];`;
}

/** A quoted string: a backslash begins an escape there, and a line of the label ends by `\n`. */
function quoted(lines: readonly string[]): string {
  const escaped = lines.map(line => withoutControls(line).replaceAll('\\', '\\\\').replaceAll('"', '\\"'));
  return `"${escaped.join('\\n')}"`;
}
