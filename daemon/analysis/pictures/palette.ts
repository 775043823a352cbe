/** A colour of its own for each group, on light and on dark ground: fill, border and text. */
interface Shade {
  readonly fill: string;
  readonly line: string;
  readonly text: string;
}

interface Scheme {
  readonly page: string;
  readonly heading: string;
  readonly quiet: string;
  readonly edge: string;
  readonly closing: string;
  readonly plain: Shade;
  readonly groups: readonly Shade[];
}

/** Hues spread over the circle; lightness is the same within a scheme, so that none stands out. */
const hues = [212, 152, 32, 272, 340, 186, 52, 8] as const;

const light: Scheme = {
  page: '#ffffff',
  heading: '#1b2330',
  quiet: '#5c6675',
  edge: '#7d8898',
  closing: '#cf3b34',
  plain: { fill: '#f3f5f8', line: '#aab3c0', text: '#1b2330' },
  groups: hues.map(hue => ({
    fill: `hsl(${hue} 70% 95%)`,
    line: `hsl(${hue} 45% 58%)`,
    text: `hsl(${hue} 55% 22%)`,
  })),
};

const dark: Scheme = {
  page: '#12161c',
  heading: '#e8ecf2',
  quiet: '#98a3b3',
  edge: '#8491a5',
  closing: '#ff7b72',
  plain: { fill: '#1d232c', line: '#4a5462', text: '#e8ecf2' },
  groups: hues.map(hue => ({
    fill: `hsl(${hue} 35% 17%)`,
    line: `hsl(${hue} 40% 48%)`,
    text: `hsl(${hue} 60% 86%)`,
  })),
};

/** The style sheet of a picture. Plain classes, for not every viewer knows variables; in those dark falls back to light. */
export const style = [
  `text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace}`,
  '.heading{font-size:18px;font-weight:600}.caption{font-size:12px}.key{font-size:11px}',
  '.name{font-size:13px;font-weight:600;text-anchor:middle}.size{font-size:11px;text-anchor:middle}',
  '.node rect{stroke-width:1.2}.outside rect,.package rect{stroke-dasharray:5 3}.test rect{stroke-dasharray:1.5 2.5}',
  '.edge path{fill:none;stroke-opacity:.62}.faint path{stroke-dasharray:4 4;stroke-opacity:.5}.closing path{stroke-opacity:.85}',
  '.edge:hover path{stroke-opacity:1;stroke-width:4}',
  rules(light),
  `@media (prefers-color-scheme:dark){${rules(dark)}}`,
].join('');

function rules({ page, heading, quiet, edge, closing, plain, groups }: Scheme): string {
  return [
    `.page{fill:${page}}.heading{fill:${heading}}.caption,.key{fill:${quiet}}`,
    `.edge path{stroke:${edge}}.arrow{fill:${edge}}.closing path{stroke:${closing}}.back{fill:${closing}}`,
    shadeRules('.plain,.node.test,.node.outside,.node.package', plain, quiet),
    ...groups.map((shade, at) => shadeRules(`.g${at}`, shade, quiet)),
  ].join('');
}

function shadeRules(selectors: string, { fill, line, text }: Shade, quiet: string): string {
  const each = (inner: string): string =>
    selectors
      .split(',')
      .map(one => `${one} ${inner}`)
      .join(',');
  return `${each('rect')}{fill:${fill};stroke:${line}}${each('.name')}{fill:${text}}${each('.size')}{fill:${quiet}}`;
}
