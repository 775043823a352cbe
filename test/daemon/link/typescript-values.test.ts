import { test } from 'node:test';
import { expectTargets } from '../../support/tree-in-text.ts';

const shapes = `
=== shapes.ts
export class Shape { id = 1; }
export class Circle extends Shape { area() { return 1; } }
export function isCircle(shape: Shape, strict = false): shape is Circle { return strict; }
export const isSecond = (other: Shape, shape: Shape): shape is Circle => true;
export class Square extends Shape { area() { return 2; } }
export type Either<T> = Square | T | string;
export function isShape(given: unknown): given is Shape { return true; }
export interface Named { name(): string }
export interface Full extends Named { name(): 'full' }
export type Any = Full | string;
export function isNamed(given: unknown): given is Named { return true; }
type Drained<T> = [T] extends [unknown] ? T : never;
export type Loose<T> = Drained<{ [K in keyof any]: T }>;
export function isLoose(given: unknown): given is Loose<unknown> { return true; }
export function isRecord(given: unknown): given is Record<string, unknown> { return true; }
export function circlesIn(shape: Shape): Circle[] { return []; }
export interface Guards { isRound(shape: Shape): shape is Circle; round: (shape: Shape) => shape is Circle }
`;

const fixtures: Readonly<Record<string, string>> = {
  'what a type guard says of its argument': `${shapes}
=== a.ts
import { Circle, circlesIn, type Either, type Guards, isCircle, isLoose, isNamed, isRecord, isSecond, isShape, type Any, type Shape } from './shapes';
function f(u: Shape, v: Shape, guards: Guards, circle: Circle, both: Either<Circle>, any: Any) {
  if (isCircle(u)) u.area();
//                   ^ shapes.ts Circle#area(). @0.9
  else u.area();
//       ^ elsewhere
  const round = guards.isRound(u) && u.area() || guards.round(u) && u.area();
//                                     ^ shapes.ts Circle#area().
//                                                                    ^ shapes.ts Circle#area().
  if (isSecond(u, v)) u.area();
//                      ^ elsewhere
  if (circlesIn(u)) u.area();
//                    ^ elsewhere
  if (isShape(circle)) circle.area();
//                            ^ shapes.ts Circle#area().
  if (isRecord(circle)) circle.area();
//                             ^ shapes.ts Circle#area().
  if (isLoose(circle)) circle.area();
//                            ^ shapes.ts Circle#area().
  if (isNamed(any)) any.name();
//                      ^ shapes.ts Full#name().
  if (isCircle(both)) both.area();
//                         ^ shapes.ts Circle#area().
  if (!isCircle(v, true)) return;
  v.area(); v.id;
//  ^ shapes.ts Circle#area().
//            ^ shapes.ts Shape#id.
}
`,
  'pairs of maps and records': `${shapes}
=== b.ts
import { Circle, type Shape } from './shapes';
function f(map: Map<string, Circle>, record: Record<string, Circle>, keyed: ReadonlyMap<Circle, Shape>) {
  for (const [, v] of map) v.area();
//                           ^ shapes.ts Circle#area().
  for (const [k, v] of keyed.entries()) { k.area(); v.id; v.area(); }
//                                          ^ shapes.ts Circle#area().
//                                                    ^ shapes.ts Shape#id.
//                                                          ^ elsewhere
  for (const [k, v] of Object.entries(record)) v.area(k.area());
//                                               ^ shapes.ts Circle#area().
//                                                      ^ external javascript String.area
  Object.values(record)[0].area(); [...map][0][1].area(); Array.from(map).map(([k, v]) => v.area());
//                         ^ shapes.ts Circle#area().
//                                                ^ shapes.ts Circle#area().
//                                                                                          ^ shapes.ts Circle#area().
  map.forEach((v, k) => v.area()); [new Circle()].forEach(v => v.area());
//                        ^ shapes.ts Circle#area().
//                                                               ^ shapes.ts Circle#area().
}
`,
  'what a local function gives': `${shapes}
=== c.ts
import { Circle, type Shape } from './shapes';
function f(outer: Circle, s: Shape) {
  const plain = () => outer; plain().area();
//                                   ^ shapes.ts Circle#area().
  const made = function () { return new Circle(); }; made().area();
//                                                          ^ shapes.ts Circle#area().
  const hidden = (outer: Shape) => outer; hidden(s).area(); hidden(s).id;
//                                                  ^ elsewhere
//                                                                    ^ shapes.ts Shape#id.
  const unpacked = ({ outer }) => outer; unpacked(s).area();
//                                                   ^ candidate
  const typed = <Circle>(x: Circle) => x; typed(s).area();
//                                                 ^ candidate
  const several = () => { if (s) return s; return outer; }; several().area();
//                                                                    ^ candidate
  const curried = () => () => outer; curried()().area();
//                                               ^ shapes.ts Circle#area().
}
`,
};

for (const [name, text] of Object.entries(fixtures)) test(`links ${name}`, () => expectTargets(text));
