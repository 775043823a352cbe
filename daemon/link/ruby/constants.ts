import type { MountedDocument } from '../../model/document.ts';
import { namesOfTypes } from '../../model/identity.ts';
import { either, first, optionsOf, sure, then } from '../options.ts';
import type { Lookup } from '../resolver.ts';
import type { DefinitionValue, Value } from '../values.ts';
import { ancestorsOf, includedAtTop, isUnknown, scope, typeAt } from './ancestors.ts';
import { gemNamed, libraryOf, standardConstants } from './library.ts';
import { isLoadedFor } from './loaded.ts';

/** A path of constants: its head as the code around sees it, each further one in the one before. */
export function constantNamed(
  look: Lookup,
  from: MountedDocument,
  path: string,
  nesting: readonly string[],
  inAncestors: boolean,
): Value | undefined {
  const [name = '', ...rest] = path.split('::');
  let found = headNamed(look, from, name, nesting, inAncestors);
  let tail = `${name}#`;
  for (const one of rest) {
    // A dependency's class may be opened here.
    const opened = found?.kind === 'external' ? sure(ownConstant(look, tail, one), 0.7) : undefined;
    found = opened ?? then(found, of => look.member(of, one));
    tail += `${one}#`;
  }
  return found;
}

/** Of the modules around, then of what the innermost is built from, then of everybody. */
function headNamed(
  look: Lookup,
  from: MountedDocument,
  name: string,
  nesting: readonly string[],
  inAncestors: boolean,
): Value | undefined {
  const around = first(nesting, tail => ownConstant(look, tail, name));
  if (around !== undefined) return sure(around, 0.97);
  const innermost = inAncestors && nesting[0] !== undefined ? typeAt(look, nesting[0]) : undefined;
  const inherited = innermost && inheritedConstant(look, innermost, name);
  if (inherited !== undefined) return sure(inherited, 0.95);
  if (standardConstants.has(name)) return libraryOf(name);
  const everybody = optionsOf(ownConstant(look, '', name));
  const top = either(everybody.filter(one => one.kind === 'definition' && isLoadedFor(look, from, one)));
  if (top !== undefined) return sure(top, 0.97);
  const included = first(includedAtTop(look, from), module => inheritedConstant(look, module, name));
  if (included !== undefined) return sure(included, 0.93);
  // What no file of the repository defines where Ruby looks comes from a dependency.
  const mayBeHidden = innermost !== undefined && ancestorsOf(look, innermost).some(isUnknown);
  if (mayBeHidden || !/[a-z]/.test(name)) return undefined;
  return { kind: 'external', manager: 'gem', package: gemOf(from, name), name };
}

/** `A::B` */
export function memberConstant(look: Lookup, type: DefinitionValue, name: string): Value | undefined {
  const found = sure(ownConstant(look, type.tail, name), 0.97) ?? sure(inheritedConstant(look, type, name), 0.93);
  if (found !== undefined || !/[a-z]/.test(name) || ancestorsOf(look, type).some(isUnknown)) return found;
  // A dependency's module that is opened here, too.
  const names = namesOfTypes(type.tail);
  return { kind: 'external', manager: 'gem', package: gemNamed(names[0] ?? ''), name: [...names, name].join('.') };
}

function inheritedConstant(look: Lookup, type: DefinitionValue, name: string): Value | undefined {
  return first(ancestorsOf(look, type), one =>
    one.kind === 'definition' ? ownConstant(look, one.tail, name) : undefined,
  );
}

function ownConstant(look: Lookup, tail: string, name: string): Value | undefined {
  const isConstant = (one: Value): boolean => one.kind === 'definition' && !one.tail.endsWith(').');
  return either(optionsOf(look.definition(scope, tail, name)).filter(isConstant));
}

/** By custom a gem bears the name of its module, and is what the file requires. */
function gemOf({ facts }: MountedDocument, name: string): string {
  const bare = name.toLowerCase();
  for (const { specifier } of facts.imports) {
    const gem = specifier.split('/', 1)[0]!;
    if (gem.replace(/[-_]/g, '').toLowerCase() === bare) return gem;
  }
  return gemNamed(name);
}
