import type { MountedDocument } from '../../model/document.ts';
import { optionsOf, sure } from '../options.ts';
import type { Lookup } from '../resolver.ts';
import { roleOf } from '../roles.ts';
import type { DefinitionValue, Value } from '../values.ts';

/** How sure it is that a trait's method is meant, where the trait is implemented for the type, and where it is for all that meet its bounds. */
const confidences = { named: 0.85, blanket: 0.7 } as const;

/**
 * A method that a value has of nothing but a trait: of one that the file declares or names in a `use`, where no other of
 * these has it. The file, or the trait's, must implement it for the type; other files are not looked for.
 */
export function methodOfTrait(
  look: Lookup,
  from: MountedDocument,
  of: Value | undefined,
  name: string,
): Value | undefined {
  if (of?.kind !== 'instance') return undefined;
  const types = namesOf(of.of);
  const own = look.member(of, name);
  if (types.length === 0 || (own !== undefined && look.call(own) !== undefined)) return undefined;
  const found = traitsIn(look, from).flatMap(trait => {
    const confidence = implementedFor(look, from, trait, types);
    if (confidence === undefined) return [];
    return optionsOf(look.member(trait, name)).flatMap(one => (isMethod(one) ? { one, confidence } : []));
  });
  const [method, another] = new Map(found.map(one => [`${one.one.scope}\0${one.one.tail}`, one])).values();
  return method === undefined || another !== undefined ? undefined : sure(method.one, method.confidence);
}

/** What each type is besides, by what it leads to. */
const derefs: Readonly<Record<string, string>> = {
  String: 'str',
  Vec: '[]',
  PathBuf: 'Path',
  OsString: 'OsStr',
  CString: 'CStr',
};

/** The last name of a type, and of what it leads to. */
function namesOf(type: Value): readonly string[] {
  switch (type.kind) {
    case 'applied':
      return namesOf(type.of);
    case 'external': {
      const name = type.name.slice(type.name.lastIndexOf('.') + 1);
      return name === '' ? [] : [name, derefs[name] ?? []].flat();
    }
    case 'definition':
      return /^(?:type|alias)$/.test(roleOf(type))
        ? [type.sites[0]!.document.facts.definitions[type.sites[0]!.slot]!.name]
        : [];
    default:
      return [];
  }
}

function implementedFor(
  look: Lookup,
  from: MountedDocument,
  trait: DefinitionValue,
  types: readonly string[],
): number | undefined {
  const { document, slot } = trait.sites[0]!;
  const { name } = document.facts.definitions[slot]!;
  const says = (type: string): boolean =>
    [document.path, from.path].some(path => look.exportsNamed(path, `impl ${name} for ${type}`) !== undefined);
  if (types.some(says)) return confidences.named;
  return says('*') ? confidences.blanket : undefined;
}

function traitsIn(look: Lookup, from: MountedDocument): readonly DefinitionValue[] {
  const { definitions, references, expressions } = from.facts;
  const found = look.once(`traits ${from.path}`, () => {
    const imported = references.filter(({ kind }) => kind === 'import').map(({ expression }) => expression);
    const declared = expressions.flatMap((one, index) =>
      one.op === 'slot' && definitions[one.slot]!.kind === 'trait' ? [index] : [],
    );
    const options = [...declared, ...imported].flatMap(index => optionsOf(look.evaluate(from, index)).filter(isTrait));
    return { kind: 'either', options };
  });
  return found?.kind === 'either' ? found.options.filter(isTrait) : [];
}

function isTrait(one: Value): one is DefinitionValue {
  if (one.kind !== 'definition') return false;
  const { document, slot } = one.sites[0]!;
  return document.facts.definitions[slot]!.kind === 'trait';
}

function isMethod(one: Value): one is DefinitionValue {
  return one.kind === 'definition' && roleOf(one) === 'callable';
}
