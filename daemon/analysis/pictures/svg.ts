import { type Direction, type Layout, layoutOf, type Point, screenShape } from './layout/layout.ts';
import { style } from './palette.ts';
import type { Drawing, DrawnEdge, DrawnNode, PictureWords } from './picture.ts';
import { columnsOf, escapedXml, shortened } from './text.ts';

/** Of the fixed-width fonts that are named, a sign is this much wider than it is high. */
const signWidth = 0.602;
const label = { size: 13, mostColumns: 40 } as const;
const detail = { size: 11 } as const;
const box = { padding: 12, height: 44, least: 84 } as const;
const margin = 28;
const leastWidth = 560;
const title = { size: 18, line: 26 } as const;
const caption = { size: 12, line: 18 } as const;
const legendLine = 22;

/**
 * A drawing as a document of SVG 1.1, without scripts and without anything from elsewhere. Colours follow the scheme that the
 * viewer prefers; each box and arrow tells its name and size as its title. The same drawing gives the same bytes.
 */
export function svgOf(drawing: Drawing): string {
  const names = distinctLabels(drawing.nodes);
  const graph = arranged(drawing, names);
  const inner = Math.max(leastWidth, graph.width, columnsOf(drawing.title) * title.size * signWidth);
  const captionLines = wrapped(drawing.caption, Math.floor(inner / (caption.size * signWidth)));
  const top = margin + title.line + captionLines.length * caption.line + 20;
  const legend = legendOf(drawing, inner);
  const left = margin + (inner - graph.width) / 2;
  const legendTop = top + graph.height + 24;
  const height = legendTop + legend.height + margin;
  const width = inner + 2 * margin;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${number(width)}" height="${number(height)}" viewBox="0 0 ${number(width)} ${number(height)}" role="img" aria-labelledby="title desc">`,
    `<title id="title">${escapedXml(drawing.title)}</title>`,
    `<desc id="desc">${escapedXml(descriptionOf(drawing))}</desc>`,
    `<style>${style}</style>`,
    marker('arrow'),
    marker('back'),
    `<rect class="page" width="100%" height="100%"/>`,
    `<text class="heading" x="${margin}" y="${margin + title.size}">${escapedXml(drawing.title)}</text>`,
    ...captionLines.map(
      (line, at) =>
        `<text class="caption" x="${margin}" y="${margin + title.line + 14 + at * caption.line}">${escapedXml(line)}</text>`,
    ),
    `<g transform="translate(${number(left)} ${number(top)})">`,
    ...edgesOf(drawing, graph),
    ...drawing.nodes.map((node, at) => nodeOf(node, names[at]!, graph.nodes[at]!, graph.widths[at]!)),
    '</g>',
    `<g transform="translate(${margin} ${number(legendTop)})">`,
    ...legend.parts,
    '</g>',
    '</svg>',
    '',
  ].join('\n');
}

function marker(name: 'arrow' | 'back'): string {
  return `<marker id="${name}" viewBox="0 0 8 8" refX="7.4" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path class="${name}" d="M0 0.6 8 4 0 7.4 1.8 4z"/></marker>`;
}

interface Arranged extends Layout {
  readonly widths: readonly number[];
}

const gapAlone = 14;

/** Nodes without edges say nothing by where they stand: they come in rows below the others. */
function arranged({ nodes, edges }: Drawing, names: readonly string[]): Arranged {
  const widths = nodes.map((node, at) => boxWidth(node, names[at]!));
  const joined = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const placed = nodes.flatMap((_, node) => (joined.has(node) ? [node] : []));
  const numbers = new Map(placed.map((node, at) => [node, at]));
  const layout = layoutOf(
    placed.map(node => ({ width: widths[node]!, height: box.height })),
    edges.map(({ from, to, isBack }) => ({ from: numbers.get(from)!, to: numbers.get(to)!, isBack })),
  );
  const points: Point[] = new Array<Point>(nodes.length);
  placed.forEach((node, at) => {
    points[node] = layout.nodes[at]!;
  });
  const alone = nodes.flatMap((_, node) => (joined.has(node) ? [] : [node]));
  const area = alone.reduce((sum, node) => sum + (widths[node]! + gapAlone) * (box.height + gapAlone), 0);
  const room = Math.max(layout.width, leastWidth, Math.sqrt(area * screenShape));
  let x = 0;
  let y = placed.length === 0 ? 0 : layout.height + 36;
  for (const node of alone) {
    const width = widths[node]!;
    if (x > 0 && x + width > room) {
      x = 0;
      y += box.height + gapAlone;
    }
    points[node] = { x: x + width / 2, y: y + box.height / 2 };
    x += width + gapAlone;
  }
  const height = alone.length === 0 ? layout.height : y + box.height;
  const right = alone.reduce((most, node) => Math.max(most, points[node]!.x + widths[node]! / 2), layout.width);
  return { ...layout, width: right, height, nodes: points, widths };
}

function boxWidth(node: DrawnNode, name: string): number {
  const named = columnsOf(name) * label.size * signWidth;
  const sized = columnsOf(node.detail) * detail.size * signWidth;
  return Math.ceil(Math.max(box.least, named + 2 * box.padding, sized + 2 * box.padding));
}

/** Labels that are cut are longer where else two would read the same, as far as a box bears it. */
function distinctLabels(nodes: readonly DrawnNode[]): readonly string[] {
  let names = nodes.map(node => shortened(node.label, label.mostColumns));
  for (const most of [2 * label.mostColumns, 4 * label.mostColumns]) {
    const times = new Map<string, number>();
    for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
    names = names.map((name, at) => (times.get(name) === 1 ? name : shortened(nodes[at]!.label, most)));
  }
  return names;
}

function nodeOf(node: DrawnNode, label: string, { x, y }: Point, width: number): string {
  const left = number(x - width / 2);
  const top = number(y - box.height / 2);
  const kind = node.kind === 'inside' ? (node.group < 0 ? 'plain' : `g${node.group}`) : node.kind;
  const name = escapedXml(label);
  const told = escapedXml([node.label, node.detail].filter(text => text !== '').join(', '));
  const behind =
    node.stands === 1
      ? ''
      : `<rect x="${number(x - width / 2 + 4)}" y="${number(y - box.height / 2 + 4)}" width="${width}" height="${box.height}" rx="7"/>`;
  const lines =
    node.detail === ''
      ? `<text class="name" x="${number(x)}" y="${number(y + 4.5)}">${name}</text>`
      : `<text class="name" x="${number(x)}" y="${number(y - 2.5)}">${name}</text><text class="size" x="${number(x)}" y="${number(y + 13.5)}">${escapedXml(node.detail)}</text>`;
  return `<g class="node ${kind}"><title>${told}</title>${behind}<rect x="${left}" y="${top}" width="${width}" height="${box.height}" rx="7"/>${lines}</g>`;
}

/** Those last, above the others, that close a cycle. */
function edgesOf(drawing: Drawing, graph: Arranged): readonly string[] {
  const marked = (edge: DrawnEdge, at: number) => edgeOf(edge, pathOf(graph.edges[at]!, graph.direction), drawing);
  const { edges } = drawing;
  return [false, true].flatMap(isLast =>
    edges.flatMap((edge, at) => (edge.closesCycle === isLast ? [marked(edge, at)] : [])),
  );
}

function edgeOf(edge: DrawnEdge, path: string, { nodes, words }: Drawing): string {
  const kind = edge.closesCycle ? 'closing' : edge.isFaint ? 'faint' : 'plain';
  const width = number(Math.min(4, 1.1 + Math.log10(edge.strength) * 0.9));
  const names = `${nodes[edge.from]!.label} → ${nodes[edge.to]!.label}`;
  const imports = `${edge.strength} ${edge.strength === 1 ? words.edge.one : words.edge.many}`;
  const told = escapedXml([names, imports, ...(edge.closesCycle ? ['closes a cycle'] : [])].join(', '));
  const end = edge.closesCycle ? 'back' : 'arrow';
  return `<g class="edge ${kind}"><title>${told}</title><path d="${path}" stroke-width="${width}" marker-end="url(#${end})"/></g>`;
}

/** Straight through the layers, and from one to the next in a curve that leaves and arrives in the direction of all. */
function pathOf(points: readonly Point[], direction: Direction): string {
  const [first, ...rest] = points;
  let path = `M${number(first!.x)} ${number(first!.y)}`;
  let last = first!;
  for (const { x, y } of rest) {
    const end = `${number(x)} ${number(y)}`;
    if (direction === 'right') {
      const middle = number((last.x + x) / 2);
      path += y === last.y ? `H${number(x)}` : `C${middle} ${number(last.y)} ${middle} ${number(y)} ${end}`;
    } else {
      const middle = number((last.y + y) / 2);
      path += x === last.x ? `V${number(y)}` : `C${number(last.x)} ${middle} ${number(x)} ${middle} ${end}`;
    }
    last = { x, y };
  }
  return path;
}

interface Legend {
  readonly parts: readonly string[];
  readonly height: number;
}

/** What the colours mean. */
function legendOf({ groups, nodes, edges, words }: Drawing, width: number): Legend {
  const entries = [
    ...groups.flatMap((name, at) =>
      nodes.some(({ kind, group }) => kind === 'inside' && group === at)
        ? [{ shape: swatch(`node g${at}`), text: shortened(`${name}/`, 40) }]
        : [],
    ),
    ...legendKinds(words)
      .filter(({ kind }) => nodes.some(node => node.kind === kind))
      .map(keyOfNodes),
    ...(nodes.some(({ hasCycle }) => hasCycle) ? [{ shape: sign('⟳'), text: 'a cycle inside' }] : []),
    ...(edges.some(({ closesCycle }) => closesCycle)
      ? [{ shape: stroke('edge closing', 'back'), text: 'closes a cycle' }]
      : []),
    ...(edges.some(({ isFaint, closesCycle }) => isFaint && !closesCycle)
      ? [{ shape: stroke('edge faint', 'arrow'), text: words.faint }]
      : []),
  ];
  let x = 0;
  let line = 0;
  const parts = entries.map(({ shape, text }) => {
    const taken = 34 + columnsOf(text) * detail.size * signWidth + 22;
    if (x > 0 && x + taken > width) {
      x = 0;
      line++;
    }
    const part = `<g transform="translate(${number(x)} ${line * legendLine})">${shape}<text class="key" x="34" y="13">${escapedXml(text)}</text></g>`;
    x += taken;
    return part;
  });
  return { parts, height: entries.length === 0 ? 0 : (line + 1) * legendLine };
}

function legendKinds({ outside }: PictureWords) {
  return [
    { kind: 'test', text: 'tests' },
    { kind: 'outside', text: outside },
    { kind: 'package', text: 'of somebody else' },
  ] as const;
}

function keyOfNodes({ kind, text }: ReturnType<typeof legendKinds>[number]) {
  return { shape: swatch(`node ${kind}`), text };
}

function swatch(kind: string): string {
  return `<g class="${kind}"><rect x="0" y="2" width="26" height="14" rx="4"/></g>`;
}

function sign(text: string): string {
  return `<text class="key" x="9" y="13">${text}</text>`;
}

function stroke(kind: string, end: 'arrow' | 'back'): string {
  return `<g class="${kind}"><path d="M0 9H26" stroke-width="1.6" marker-end="url(#${end})"/></g>`;
}

/** For those who hear the picture: what it shows, and the arrows of its strongest nodes in words. */
function descriptionOf({ caption, nodes, edges }: Drawing): string {
  const strongest = [...edges].sort((a, b) => b.strength - a.strength || a.from - b.from || a.to - b.to).slice(0, 20);
  const told = strongest.map(({ from, to }) => `${nodes[from]!.label} depends on ${nodes[to]!.label}`);
  return [`${caption}.`, ...told.map(text => `${text}.`)].join(' ');
}

/** Words in lines of at most so many columns. */
function wrapped(text: string, columns: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && columnsOf(last) + 1 + columnsOf(word) <= columns)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** A tenth of a pixel is fine enough. */
function number(value: number): string {
  return String(Math.round(value * 10) / 10);
}
