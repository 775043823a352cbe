import { named, type Walk } from './context.ts';
import { documentationAbove } from './documentation.ts';
import { type DocType, readDocType } from './jsdoc-types.ts';
import { importedModule } from './required-modules.ts';

/** What comments of JavaScript say of types: values of these types, -1 where they say nothing. */
export interface DocTypes {
  /** `@type` above what declares or assigns. */
  type(node: number): number;
  /** `@type` right before `(x)`. */
  cast(node: number): number;
  /** `@returns` of a function, or the type of an accessor. */
  result(node: number): number;
  /** `@param` of a function, by the parameter's name, else by its position. */
  parameter(node: number, name: string, position: number): number;
  /** Makes the types that comments of the file name (`@typedef`) known to those who import it. */
  exportNames(): void;
}

/** In TypeScript comments say nothing of types. */
export const noDocTypes: DocTypes = {
  type: () => -1,
  cast: () => -1,
  result: () => -1,
  parameter: () => -1,
  exportNames: () => {},
};

/** What a comment stands above, as seen from what it speaks of. */
const carriers =
  /^(?:parenthesized_expression|variable_declarator|lexical_declaration|variable_declaration|assignment_expression|expression_statement|export_statement|pair|field_definition)$/;
const primitives: Readonly<Record<string, string>> = {
  string: 'String',
  number: 'Number',
  boolean: 'Boolean',
  symbol: 'Symbol',
  bigint: 'BigInt',
};
/** What has nothing of its own that is known. */
const untold = new Set('any unknown object Object Function void null undefined never this const'.split(' '));

export function createDocTypes(walk: Walk): DocTypes {
  return new CommentTypes(walk);
}

class CommentTypes implements DocTypes {
  readonly #walk: Walk;
  readonly #typedefs: ReadonlyMap<string, string>;
  /** Names that are being read: one that is made of itself is none. */
  readonly #reading = new Set<string>();

  constructor(walk: Walk) {
    this.#walk = walk;
    this.#typedefs = typedefsIn(walk.tree.source);
  }

  type(node: number): number {
    const comment = commentOf(this.#walk, node);
    return comment.includes('@type') ? this.#tagged(comment, typeTag, node) : -1;
  }

  cast(node: number): number {
    const comment = documentationAbove(this.#walk.tree, node);
    return comment.includes('@type') ? this.#tagged(comment, typeTag, node) : -1;
  }

  result(node: number): number {
    const comment = commentOf(this.#walk, node);
    if (!comment.includes('@')) return -1;
    const own = this.#tagged(comment, /@returns?\s*/g, node);
    const isMethod = this.#walk.tree.kind(node) === 'method_definition';
    return own >= 0 || !isMethod ? own : this.#tagged(comment, typeTag, node);
  }

  parameter(node: number, name: string, position: number): number {
    const comment = commentOf(this.#walk, node);
    if (!comment.includes('@')) return -1;
    const all = typesOf(comment, /@(?:param|arg|argument)\s*/g).filter(one => !one.name.includes('.'));
    const found = name === '' ? all[position] : all.find(one => one.name === name);
    return this.#read(comment, found?.type, node);
  }

  exportNames(): void {
    for (const [name, text] of this.#typedefs) {
      const of = readDocType(text);
      const isNamed = of.kind === 'import' || (of.kind === 'name' && !this.#typedefs.has(of.path[0]!));
      if (isNamed) this.#walk.facts.addExport(name, this.#named(of, 0));
    }
  }

  #tagged(comment: string, tag: RegExp, node: number): number {
    return this.#read(comment, typesOf(comment, tag)[0]?.type, node);
  }

  #read(comment: string, text: string | undefined, node: number): number {
    return text === undefined ? -1 : this.#value(readDocType(text), { node, hidden: templatesIn(comment) });
  }

  /** A value of a type. */
  #value(type: DocType, place: Place): number {
    const { facts } = this.#walk;
    switch (type.kind) {
      case 'unknown':
        return -1;
      case 'union':
        return type.options.reduce((of, one) => facts.either(of, this.#value(one, place)), -1);
      case 'array':
        return facts.instance(this.#applied(facts.free('Array'), [type.of], place));
      case 'tuple':
        return facts.instance(this.#applied(facts.free('tuple'), type.members, place));
      case 'function':
        return this.#applied(facts.functionOf(this.#known(type.result, place)), type.parameters, place);
      case 'typeof':
        return this.#named(type.of, place.node);
      case 'import':
        return facts.instance(this.#applied(this.#named(type, place.node), type.arguments, place));
      case 'name':
        return this.#valueOfName(type, place);
    }
  }

  #valueOfName(type: Extract<DocType, { kind: 'name' }>, place: Place): number {
    const { facts } = this.#walk;
    const [first = '', ...rest] = type.path;
    if (place.hidden.has(first)) return -1;
    if (rest.length > 0) return facts.instance(this.#applied(this.#named(type, place.node), type.arguments, place));
    if (untold.has(first) && type.arguments.length === 0) return -1;
    if (Object.hasOwn(primitives, first)) return facts.instance(facts.free(primitives[first]!));
    const text = this.#typedefs.get(first);
    if (text !== undefined) return this.#aliased(first, text, place.node);
    const of = first === 'Object' ? facts.free('Record') : this.#named(type, place.node);
    return facts.instance(this.#applied(of, type.arguments, place));
  }

  #aliased(name: string, text: string, node: number): number {
    if (this.#reading.has(name)) return -1;
    this.#reading.add(name);
    const value = this.#value(readDocType(text), { node, hidden: nothing });
    this.#reading.delete(name);
    return value;
  }

  #applied(of: number, list: readonly DocType[], place: Place): number {
    return list.reduce((made, one) => this.#walk.facts.generic(made, this.#known(one, place)), of);
  }

  #known(type: DocType, place: Place): number {
    const value = this.#value(type, place);
    return value < 0 ? this.#walk.facts.unknown() : value;
  }

  /** What a path leads to: a type, or with `typeof` the thing itself. */
  #named(type: DocType, node: number): number {
    const { facts } = this.#walk;
    if (type.kind === 'import') {
      const module = facts.imported(importedModule(this.#walk, type.specifier, node, true));
      return type.path.reduce((of, name) => facts.member(of, name), module);
    }
    if (type.kind !== 'name') return -1;
    const [first = '', ...rest] = type.path;
    return rest.reduce((of, name) => facts.member(of, name), named(this.#walk, first));
  }
}

interface Place {
  /** What the comment is about. */
  readonly node: number;
  /** Names of type parameters. */
  readonly hidden: ReadonlySet<string>;
}

const typeTag = /@type\s*/g;
const nothing: ReadonlySet<string> = new Set();

/** The comment above a node, or above the statement that gives it a name. */
function commentOf({ tree }: Walk, node: number): string {
  for (let at = node; ; ) {
    const text = documentationAbove(tree, at);
    if (text !== '') return text;
    const around = tree.parent[at]!;
    if (around < 0 || !carriers.test(tree.kind(around))) return '';
    // Of several variables the comment above the statement is about the first.
    if (/_declaration$/.test(tree.kind(around)) && tree.namedChildren(around)[0] !== at) return '';
    at = around;
  }
}

/** `@template T` names no type of the file. */
function templatesIn(comment: string): ReadonlySet<string> {
  if (!comment.includes('@template')) return nothing;
  const lists = [...comment.matchAll(/@template\s+(?:\{[^}\n]*\}\s*)?([\w$, ]+)/g)];
  return new Set(lists.flatMap(([, names = '']) => names.trim().split(/\s*,\s*|\s+/)));
}

interface Tagged {
  readonly type: string;
  /** What stands behind the type: a parameter's name, dotted where it is about a property. */
  readonly name: string;
}

/** The types in braces that follow a tag. */
function typesOf(comment: string, tag: RegExp): readonly Tagged[] {
  return [...comment.matchAll(tag)].flatMap(found => {
    const start = found.index + found[0].length;
    const end = closingBrace(comment, start);
    if (end < 0) return [];
    const name = /^\s*\[?\s*([\w$.]+)/.exec(comment.slice(end + 1, end + 200))?.[1] ?? '';
    return [{ type: comment.slice(start + 1, end), name }];
  });
}

const maxTypeLength = 1000;

function closingBrace(text: string, start: number): number {
  if (text[start] !== '{') return -1;
  let depth = 0;
  for (let at = start; at < text.length && at - start < maxTypeLength; at++) {
    if (text[at] === '{') depth++;
    else if (text[at] === '}' && --depth === 0) return at;
  }
  return -1;
}

/** Types by the names that comments of the file give them: `@typedef {A} B`, `@import { A as B } from 'm'`. */
function typedefsIn(source: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (source.includes('@typedef')) {
    for (const { type, name } of typesOf(source, /@typedef\s+(?=\{)/g))
      if (name !== '') found.set(name, type.replace(/\n\s*\*/g, '\n'));
  }
  if (!source.includes('@import')) return found;
  for (const [, names = '', specifier = ''] of source.matchAll(
    /@import\s+\{([^}]{1,1000})\}\s+from\s+['"]([^'"\n]{1,300})['"]/g,
  )) {
    for (const one of names.split(',')) {
      const [name = '', local = name] = one.replace(/^[\s*]*(?:type\s+)?|[\s*]+$/g, '').split(/\s+as\s+/);
      if (/^[\w$]+$/.test(local)) found.set(local, `import('${specifier}').${name}`);
    }
  }
  return found;
}
