import type { UseVisibility } from '../../model/rust-namespaces.ts';
import type { Visibility } from '../../model/symbol.ts';
import type { Questions } from '../resolver.ts';
import type { Value } from '../values.ts';
import { maxModules, parentOf, rootOf } from './crates.ts';

/** A module: a file, or what is written out in one at the place of that tail. */
export interface Module {
  readonly path: string;
  readonly place: string;
}

/** A module that looks into another; undefined for one of another crate. */
export type Viewer = Module | undefined;

/** Where whoever names something of a module stands: in it, in the one around it, in its crate, or outside. */
export type Nearness = 'inside' | 'beside' | 'crate' | 'outside';

/**
 * Of a file that no `mod` is found for (a macro may declare it) only the crate is known: it may be in the module. Nor is
 * it known which of a file's modules looks.
 */
export function nearnessOf(ask: Questions, viewer: string, at: Module): Nearness {
  const from: Module = { path: viewer, place: '' };
  if (viewer === at.path || isWithin(ask, from, at)) return 'inside';
  const around = outerOf(ask, at);
  if (around !== undefined && (viewer === around.path || isWithin(ask, from, around))) return 'beside';
  if (!areOneCrate(ask, at, [from])) return 'outside';
  return isPlaced(ask, viewer) ? 'crate' : 'inside';
}

/** Who looks into a module from there, as far as that hides anything. */
export function viewersAt(ask: Questions, nearness: Nearness, at: Module): readonly Viewer[] {
  switch (nearness) {
    case 'inside':
      return [];
    case 'beside':
      return [outerOf(ask, at)];
    case 'crate':
      return [{ path: rootPath(ask, at.path), place: '' }];
    case 'outside':
      return [undefined];
  }
}

/** Whether those may see an item of a module. */
export function isVisible(ask: Questions, at: Module, visibility: Visibility, viewers: readonly Viewer[]): boolean {
  if (visibility === 'public' || areWithin(ask, viewers, at)) return true;
  return visibility === 'internal' && areOneCrate(ask, at, viewers);
}

/** Which `use` declarations of a module those may see. */
export function visibleUses(ask: Questions, at: Module, viewers: readonly Viewer[]): readonly UseVisibility[] {
  if (areWithin(ask, viewers, at)) return ['', 'crate ', 'super ', 'use '];
  if (!areOneCrate(ask, at, viewers)) return [''];
  const around = outerOf(ask, at);
  return around !== undefined && areWithin(ask, viewers, around) ? ['', 'crate ', 'super '] : ['', 'crate '];
}

function areWithin(ask: Questions, viewers: readonly Viewer[], outer: Module): boolean {
  return viewers.every(one => one !== undefined && isWithin(ask, one, outer));
}

/** Whether a module stands in another, which hides nothing from it. */
function isWithin(ask: Questions, { path, place }: Module, outer: Module): boolean {
  if (path === outer.path) return place.startsWith(outer.place);
  if (outer.place !== '') return false;
  let at = parentOf(ask, path);
  for (let steps = 0; at?.kind === 'module' && steps < maxModules; steps++) {
    if (at.path === outer.path) return true;
    at = parentOf(ask, at.path);
  }
  return false;
}

function outerOf(ask: Questions, { path, place }: Module): Module | undefined {
  if (place !== '') return { path, place: outerPlace(place) };
  const parent = parentOf(ask, path);
  return parent?.kind === 'module' ? { path: parent.path, place: '' } : undefined;
}

/** The tail of the module around the one with that tail. */
export function outerPlace(place: string): string {
  return place.slice(0, place.lastIndexOf('/', place.length - 2) + 1);
}

function areOneCrate(ask: Questions, { path }: Module, viewers: readonly Viewer[]): boolean {
  return viewers.every(
    one => one !== undefined && (one.path === path || rootPath(ask, one.path) === rootPath(ask, path)),
  );
}

function rootPath(ask: Questions, path: string): string {
  const root: Value = rootOf(ask, path);
  return root.kind === 'module' ? root.path : path;
}

/** Whether modules lead from the crate's root to a file. */
function isPlaced(ask: Questions, path: string): boolean {
  return isWithin(ask, { path, place: '' }, { path: rootPath(ask, path), place: '' });
}
