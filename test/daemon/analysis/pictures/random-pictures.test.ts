import assert from 'node:assert/strict';
import { test } from 'node:test';
import { components, cyclesOf } from '../../../../daemon/analysis/graphs/components.ts';
import { digraph, type Edge } from '../../../../daemon/analysis/graphs/digraph.ts';
import { type Arrow, arrowsBetween } from '../../../../daemon/analysis/pictures/arrows.ts';
import type { Box } from '../../../../daemon/analysis/pictures/collapse.ts';
import { boxesOf, condense, mostNodes } from '../../../../daemon/analysis/pictures/condense.ts';
import { mostMermaidEdges } from '../../../../daemon/analysis/pictures/mermaid.ts';
import type { Drawing, Picture, PictureNode } from '../../../../daemon/analysis/pictures/picture.ts';
import { svgOf } from '../../../../daemon/analysis/pictures/svg.ts';
import { randomFrom } from '../../../support/synthetic.ts';

/** Graphs of all sizes and shapes: few nodes or many, flat or deep, with hubs, cycles, packages of others and what lies outside. */
function randomPicture(seed: number): Picture {
  const random = randomFrom(seed);
  const below = (most: number): number => Math.floor(random() * most);
  const count = 2 + below([20, 80, 300][seed % 3]!);
  const nodes = Array.from({ length: count }, (_, at): PictureNode => {
    const kind = (['inside', 'inside', 'inside', 'test', 'outside', 'package'] as const)[below(6)]!;
    if (kind === 'package') return { label: `npm:p${at}`, place: ['npm:', `p${at}`], fileCount: 0, loc: 0, kind };
    const place = [...Array.from({ length: below(4) }, () => `d${below(5)}`), `n${at}`];
    return { label: place.join('/'), place, fileCount: 1 + below(9), loc: below(9_000), kind };
  });
  const hubs = 1 + below(Math.min(4, count));
  const wires = Array.from({ length: below(count * (1 + below(8))) }, (): Edge => {
    const to = random() < 0.3 ? below(hubs) : below(count);
    const from = below(count);
    // Most lead forwards, so that cycles don't take in everything.
    return random() < 0.9 && to < from ? { from: to, to: from } : { from, to };
  });
  const pairs = [...new Map(wires.map(one => [one.from * count + one.to, one])).values()].filter(
    ({ from, to }) => from !== to && nodes[from]!.kind !== 'package',
  );
  const counts = pairs.map(() => random() < 0.8);
  const { of } = components(
    digraph(
      count,
      pairs.filter((_, at) => counts[at]),
    ),
  );
  const edges = pairs.map(({ from, to }, at) => ({
    from,
    to,
    strength: 1 + below(40) * below(20),
    isFaint: !counts[at],
    inCycle: counts[at]! && of[from] === of[to],
  }));
  return { title: `picture ${seed}`, noun: { one: 'module', many: 'modules' }, nodes, edges };
}

interface Case {
  readonly picture: Picture;
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
  readonly inside: number;
  readonly drawing: Drawing;
  readonly most: number;
}

const cases = Array.from({ length: 75 }, (_, at) => randomPicture(at + 1)).flatMap((picture): Case[] => {
  const boxes = boxesOf(picture);
  const { between: arrows, inside } = arrowsBetween(boxes, picture);
  return [120, mostMermaidEdges].map(most => {
    return { picture, boxes, arrows, inside, drawing: condense(picture, most), most };
  });
});

function eachPicture(check: (one: Case, seed: number) => void): void {
  cases.forEach((one, at) => {
    check(one, 1 + (at >> 1));
  });
}

const ends = ({ from, to }: Edge): string => `${from} ${to}`;

test('boxes are no more than can be looked at, hold every node once, and all of the directory that they are called by', () => {
  eachPicture(({ picture: { nodes }, boxes, drawing }, seed) => {
    assert.ok(boxes.length <= mostNodes, `seed ${seed}`);
    const members = boxes.flatMap(box => box.members).sort((a, b) => a - b);
    assert.deepEqual(
      members,
      nodes.map((_, node) => node),
    );
    for (const [at, { label, kind, stands }] of drawing.nodes.entries()) {
      if (boxes[at]!.extent !== 'all' || kind === 'package') continue;
      const directory = label.replace(/ ⟳$/, '');
      const isHere = (node: PictureNode): boolean =>
        node.place
          .map(name => `${name}/`)
          .join('')
          .startsWith(directory) &&
        (node.kind === 'outside') === (kind === 'outside') &&
        node.kind !== 'package';
      assert.equal(stands, nodes.filter(isHere).length, `seed ${seed}: ${label}`);
    }
  });
});

test('every box that has arrows has its strongest drawn, and the strongest of all are', () => {
  eachPicture(({ boxes, arrows, drawing, most }, seed) => {
    const drawn = new Set(drawing.edges.map(ends));
    boxes.forEach((_, box) => {
      const own = arrows.filter(({ from, to }) => from === box || to === box);
      const strongest = Math.max(...own.map(({ strength }) => strength));
      const isThere = own.some(one => one.strength === strongest && drawn.has(ends(one)));
      assert.ok(own.length === 0 || isThere, `seed ${seed}, box ${box}`);
    });
    const order = [...arrows].sort((a, b) => b.strength - a.strength || a.from - b.from || a.to - b.to);
    for (const one of order.slice(0, most / 3)) assert.ok(drawn.has(ends(one)), `seed ${seed}, arrow ${ends(one)}`);
    if (arrows.length <= most) assert.equal(drawing.edges.length, arrows.length);
    assert.ok(drawing.edges.length <= mostMermaidEdges, `seed ${seed}`);
  });
});

const number = (text: string | undefined): number => Number((text ?? '0').replaceAll(',', ''));

test('the caption counts what is put together, and what is not drawn and why', () => {
  eachPicture(({ picture, boxes, arrows, inside, drawing }, seed) => {
    const { caption } = drawing;
    const told = (pattern: RegExp): number => number(pattern.exec(caption)?.[1]);
    const isPackage = (node: number): boolean => picture.nodes[node]!.kind === 'package';
    const merged = boxes.filter(({ members }) => members.length > 1).flatMap(({ members }) => members);
    const left = arrows.filter(one => !drawing.edges.some(edge => ends(edge) === ends(one)));
    const implied = left.filter(one => isImplied(one, drawing.edges)).length;
    const expected = {
      dependencies: picture.edges.length,
      packages: picture.nodes.filter(({ kind }) => kind === 'package').length,
      merged: merged.filter(node => !isPackage(node)).length,
      mergedPackages: merged.filter(isPackage).length,
      boxes: boxes.filter(({ members }) => members.length > 1).length,
      inside,
      arrows: merged.length === 0 ? 0 : arrows.length,
      hidden: left.length,
      implied,
      weak: left.length - implied,
    };
    const reason = /not drawn[,:] (?:([\d,]+) )?implied/.exec(caption);
    const found = {
      dependencies: told(/([\d,]+) dependenc/),
      packages: told(/^(?:[\d,]+ modules?, )?([\d,]+) packages? of others, /),
      merged: told(/\. (?:([\d,]+) modules?)(?: and [^.]*)? are put/),
      mergedPackages: told(/([\d,]+) packages? of others are put/),
      boxes: told(/put together in ([\d,]+) box/),
      inside: told(/with ([\d,]+) dependenc\w+ inside/),
      arrows: told(/make ([\d,]+) arrow/),
      hidden: told(/([\d,]+) of these/),
      implied: reason === null ? 0 : number(reason[1] ?? String(left.length)),
      weak: / weak ones$/.test(caption) ? left.length : told(/([\d,]+) weak$/),
    };
    assert.deepEqual(found, expected, `seed ${seed}: ${caption}`);
  });
});

/** Whether arrows that are no fainter lead where one does that is not among them. */
function isImplied(one: Arrow, drawn: Drawing['edges']): boolean {
  const reached = new Set([one.from]);
  for (const node of reached) {
    for (const { from, to, isFaint } of drawn) if (from === node && (one.isFaint || !isFaint)) reached.add(to);
  }
  return reached.has(one.to);
}

test('arrows close cycles where there are cycles, at least one in each, and nowhere else', () => {
  eachPicture(({ boxes, arrows, drawing }, seed) => {
    const isPart = new Set(arrows.filter(({ inCycle }) => inCycle).map(ends));
    const closing = drawing.edges.filter(({ closesCycle }) => closesCycle);
    for (const one of closing) assert.ok(isPart.has(ends(one)), `seed ${seed}`);
    const among = drawing.edges.filter(one => isPart.has(ends(one)));
    const without = among.filter(({ closesCycle }) => !closesCycle);
    assert.deepEqual(cyclesOf(digraph(boxes.length, without)), [], `seed ${seed}`);
    const all = cyclesOf(
      digraph(
        boxes.length,
        arrows.filter(({ inCycle }) => inCycle),
      ),
    );
    for (const cycle of all) assert.ok(closing.some(({ from, to }) => cycle.includes(from) && cycle.includes(to)));
  });
});

test('no picture is too broad, no two of its boxes touch, and it is the same however often it is drawn', () => {
  eachPicture(({ picture, drawing, most }, seed) => {
    if (most !== 120) return;
    const svg = svgOf(drawing);
    assert.equal(svgOf(condense(picture, most)), svg);
    const [, width = '', height = ''] = /width="([\d.]+)" height="([\d.]+)"/.exec(svg)!;
    assert.ok(Number(width) <= 3_600, `seed ${seed}: ${width}`);
    assert.ok(Number(width) < 1_000 || Number(width) / Number(height) <= 2.4, `seed ${seed}: ${width} to ${height}`);
    const boxes = [
      ...svg.matchAll(/<rect x="([\d.-]+)" y="([\d.-]+)" width="(\d+)" height="(\d+)" rx="7"\/><text/g),
    ].map(([, ...numbers]) => numbers.map(Number) as [number, number, number, number]);
    assert.equal(boxes.length, drawing.nodes.length);
    for (const [at, [left, top, wide, high]] of boxes.entries()) {
      for (const [x, y, w, h] of boxes.slice(at + 1)) {
        assert.ok(left + wide <= x || x + w <= left || top + high <= y || y + h <= top, `seed ${seed}`);
      }
    }
  });
});

/** Graphs that are wide or long by nature, of as many boxes as there may be: which ends an edge has. */
const shapes: Readonly<Record<string, (at: number) => Edge>> = {
  'all need one': at => ({ from: at + 1, to: 0 }),
  'one needs all': at => ({ from: 0, to: at + 1 }),
  'each needs the next': at => ({ from: at, to: at + 1 }),
  'two layers': at => ({ from: at >> 1, to: 40 + (at >> 1) }),
};

test('what is wide by nature is put in rows, what is long leads down', () => {
  const nodes = Array.from({ length: mostNodes }, (_, at): PictureNode => {
    const label = `experimental/packages/opentelemetry-package-${at}`;
    return { label, place: label.split('/'), fileCount: 3, loc: 1_000, kind: 'inside' };
  });
  for (const [what, edgeAt] of Object.entries(shapes)) {
    const edges = Array.from({ length: mostNodes - 1 }, (_, at) => {
      return { ...edgeAt(at), strength: 1, isFaint: false, inCycle: false };
    });
    const noun = { one: 'module', many: 'modules' };
    const [, width] = /width="([\d.]+)"/.exec(svgOf(condense({ title: what, noun, nodes, edges }, 120)))!;
    assert.ok(Number(width) < 3_600, `${what}: ${width}`);
  }
});
