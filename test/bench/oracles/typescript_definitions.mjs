/**
 * Definitions as the TypeScript compiler's own parser sees them: one JSON array [path, line, name, kind] per line.
 *
 *   SVC_TYPESCRIPT=<folder of the typescript package, 5.x> node typescript_definitions.mjs <root> < list-of-paths
 *
 * Shares nothing with the extractor but its vocabulary. Files with syntax errors are left out.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const ts = createRequire(import.meta.url)(process.env.SVC_TYPESCRIPT ?? 'typescript');
const { SyntaxKind: K } = ts;
const root = process.argv[2];

for (const path of readFileSync(0, 'utf8').split('\n').filter(Boolean)) {
  const text = readFileSync(join(root, path), 'utf8');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  if (file.parseDiagnostics.length > 0) continue;
  write(['', 0, path, 'file']);
  for (const [node, name, kind] of definitionsOf(file)) {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
    write([path, line + 1, name, kind]);
  }
}

function write(row) {
  process.stdout.write(`${JSON.stringify(row)}\n`);
}

function definitionsOf(file) {
  const found = [];
  const isScript = /\.[cm]?jsx?$/.test(file.fileName);
  const add = (node, kind, name = nameOf(node)) => {
    if (node && name !== undefined) found.push([node, name, kind]);
  };

  /** Functions that are definitions, and of whose result nothing says what it is: keys of the object they return are, too. */
  const undeclared = new Set();
  let isTyped = false;
  const define = node => {
    if (ts.isFunctionLike(node) && !node.type && !isTyped) undeclared.add(node);
  };
  const returned = (node, value) => {
    const inner = value?.kind === K.ParenthesizedExpression ? value.expression : value;
    const makes = undeclared.has(ts.findAncestor(node, ts.isFunctionLike)) && inner?.kind === K.ObjectLiteralExpression;
    return makes ? inner.properties : undefined;
  };

  const visitAll = node => ts.forEachChild(node, child => visit(child, node));

  function visit(node, parent) {
    switch (node.kind) {
      case K.FunctionDeclaration:
        if (node.name) add(node.name, 'function');
        else add(defaultKeyword(node), 'function', 'default');
        define(node);
        return visitAll(node);
      case K.ReturnStatement: {
        const keys = returned(node, node.expression);
        return keys ? keys.forEach(key) : visitAll(node);
      }
      case K.ArrowFunction: {
        const keys = returned(node, node.body);
        if (!keys) return visitAll(node);
        node.parameters.forEach(visitAll);
        return keys.forEach(key);
      }
      case K.ClassDeclaration:
      case K.ClassExpression:
        return visitClass(node);
      case K.InterfaceDeclaration:
        add(node.name, 'interface');
        node.members.forEach(typeMember);
        return node.heritageClauses?.forEach(visitAll);
      case K.TypeAliasDeclaration:
        add(node.name, 'type');
        return definedType(node.type);
      case K.EnumDeclaration:
        add(node.name, 'enum');
        for (const member of node.members) add(member.name, 'enum-member');
        return visitAll(node);
      case K.ModuleDeclaration:
        if (!(node.flags & ts.NodeFlags.GlobalAugmentation)) {
          add(node.name, node.name.kind === K.StringLiteral ? 'module' : 'namespace');
        }
        return visitAll(node);
      case K.NamespaceExport:
        return add(node.name, 'namespace');
      case K.VariableStatement:
        if (parent.kind !== K.SourceFile && parent.kind !== K.ModuleBlock) return visitAll(node);
        for (const one of node.declarationList.declarations) variable(one, node);
        return;
      case K.ExportAssignment:
        return defaultExport(node);
      case K.BinaryExpression:
        return isScript ? assignment(node) : commonExport(node);
      default:
        return visitAll(node);
    }
  }

  function variable(node, statement) {
    if (isRequire(node)) return;
    const value = unwrap(node.initializer);
    const isConst = statement.declarationList.flags & ts.NodeFlags.Const;
    const kind = valueKind(value) ?? (isConst ? 'constant' : 'variable');
    for (const name of bindingNames(node.name))
      add(name, name === node.name ? kind : isConst ? 'constant' : 'variable');
    if (node.name.kind !== K.Identifier) return visitAll(node);
    if (node.type) visit(node.type, node);
    definedValue(value, node);
  }

  /** What a `require` binds is an import, as the compiler has it in scripts; not so with defaults or patterns in patterns. */
  function isRequire({ name, type, initializer }) {
    const isPart = initializer?.kind === K.PropertyAccessExpression;
    const call = isPart ? initializer.expression : initializer;
    if (type || call?.kind !== K.CallExpression || call.expression.text !== 'require') return false;
    if (call.arguments[0]?.kind !== K.StringLiteral) return false;
    if (name.kind === K.Identifier) return true;
    const isPlain = one => !one.initializer && !one.dotDotDotToken && one.name.kind === K.Identifier;
    return !isPart && name.kind === K.ObjectBindingPattern && name.elements.every(isPlain);
  }

  /** The value of a definition: keys of an object are definitions too, a class has no name besides. */
  function definedValue(value, parent) {
    if (value === undefined) return;
    const outer = isTyped;
    isTyped ||= parent.type !== undefined;
    define(value);
    valueOfDefinition(value, parent);
    isTyped = outer;
  }

  function valueOfDefinition(value, parent) {
    if (value.kind === K.ObjectLiteralExpression) value.properties.forEach(key);
    else if (value.kind === K.ClassExpression) members(value);
    else visit(value, parent);
  }

  function key(node) {
    if (node.kind === K.SpreadAssignment) return visitAll(node);
    const isMethod = node.kind === K.MethodDeclaration;
    const value = node.kind === K.PropertyAssignment ? unwrap(node.initializer) : undefined;
    const isFunction = valueKind(value) === 'function';
    add(node.name, isMethod || isFunction ? 'method' : 'property');
    if (isMethod) define(node);
    if (value === undefined) visitAll(node);
    else if (value.kind === K.ClassExpression) visit(value, node);
    else definedValue(value, node);
  }

  function visitClass(node) {
    const fallback = defaultKeyword(node);
    if (node.name) add(node.name, 'class');
    else if (fallback) add(fallback, 'class', 'default');
    else
      add(
        node.getChildren(file).find(one => one.kind === K.ClassKeyword),
        'class',
        'class',
      );
    members(node);
  }

  function members(node) {
    node.heritageClauses?.forEach(visitAll);
    for (const member of node.members) classMember(member);
  }

  function classMember(member) {
    switch (member.kind) {
      case K.Constructor:
        add(
          member.getChildren(file).find(one => one.kind === K.ConstructorKeyword),
          'constructor',
          'constructor',
        );
        for (const parameter of member.parameters) {
          if (ts.isParameterPropertyDeclaration(parameter, member)) add(parameter.name, 'field');
        }
        return visitAll(member);
      case K.MethodDeclaration:
        add(member.name, 'method');
        define(member);
        return visitAll(member);
      case K.GetAccessor:
      case K.SetAccessor:
        add(member.name, 'property');
        return visitAll(member);
      case K.PropertyDeclaration: {
        const value = unwrap(member.initializer);
        add(member.name, valueKind(value) === 'function' ? 'method' : 'field');
        if (value?.kind === K.ClassExpression) return visit(value, member);
        return definedValue(value, member);
      }
      default:
        return visitAll(member);
    }
  }

  function typeMember(member) {
    switch (member.kind) {
      case K.PropertySignature:
        add(member.name, 'property');
        if (member.type) definedType(member.type);
        return;
      case K.MethodSignature:
        add(member.name, 'method');
        return;
      case K.GetAccessor:
      case K.SetAccessor:
        add(member.name, 'property');
        return;
    }
  }

  function definedType(type) {
    switch (type.kind) {
      case K.TypeLiteral:
        return type.members.forEach(typeMember);
      case K.UnionType:
      case K.IntersectionType:
        return type.types.forEach(definedType);
      case K.ParenthesizedType:
      case K.TypeOperator:
        return definedType(type.type);
      case K.ArrayType:
        return definedType(type.elementType);
      case K.TupleType:
        for (const one of type.elements) definedType(one.type ?? one);
        return;
      case K.TypeReference:
        return type.typeArguments?.forEach(definedType);
    }
  }

  function defaultExport(node) {
    const value = unwrap(node.expression);
    if (node.isExportEquals || value.kind === K.Identifier) return visitAll(node);
    const keyword = node.getChildren(file).find(one => one.kind === K.DefaultKeyword);
    add(keyword, valueKind(value) ?? 'constant', 'default');
    definedValue(value, node);
  }

  /** `X.prototype.m = function` is understood in every file; exports by assignment too, where nothing binds `exports`. */
  function commonExport(node) {
    return assignment(node);
  }

  function assignment(node) {
    const { left } = node;
    const isMember = node.operatorToken.kind === K.EqualsToken && left.kind === K.PropertyAccessExpression;
    if (!isMember) return visitAll(node);
    const value = unwrap(node.right);
    const target = left.expression.getText(file);
    const isFunction = value.kind === K.FunctionExpression || value.kind === K.ArrowFunction;
    if (left.getText(file) === 'module.exports') return wholeExport(left, value, node);
    if (target === 'exports' || target === 'module.exports') {
      if (value.kind !== K.Identifier) add(left.name, valueKind(value) ?? 'constant');
      return definedValue(value, node);
    }
    if (/^[\w$]+\.prototype$/.test(target) && isFunction) add(left.name, 'method');
    return visitAll(node);
  }

  function wholeExport(left, value, node) {
    if (value.kind !== K.ObjectLiteralExpression) {
      if (valueKind(value)) add(left.name, valueKind(value), 'default');
      return definedValue(value, node);
    }
    for (const member of value.properties) {
      const isPair = member.kind === K.PropertyAssignment;
      const inner = isPair ? unwrap(member.initializer) : member;
      if (isPair && inner.kind !== K.Identifier) add(member.name, valueKind(inner) ?? 'constant');
      if (member.kind === K.MethodDeclaration) add(member.name, 'function');
      if (isPair) definedValue(inner, member);
      else visitAll(member);
    }
  }

  function defaultKeyword(node) {
    return node.modifiers?.find(one => one.kind === K.DefaultKeyword);
  }

  function nameOf(node) {
    switch (node?.kind) {
      case K.ComputedPropertyName: {
        const { expression } = node;
        if (ts.isStringLiteralLike(expression)) return expression.text;
        return expression.kind === K.PropertyAccessExpression ? `[${expression.getText(file)}]` : undefined;
      }
      case K.StringLiteral:
        return node.getText(file).slice(1, -1);
      case K.NumericLiteral:
        return node.getText(file);
      case K.BigIntLiteral:
        return undefined;
      default:
        return node?.text;
    }
  }

  visitAll(file);
  return found;
}

function valueKind(value) {
  switch (value?.kind) {
    case K.ArrowFunction:
    case K.FunctionExpression:
      return 'function';
    case K.ClassExpression:
      return 'class';
  }
  return undefined;
}

function unwrap(node) {
  let at = node;
  while (
    at &&
    (ts.isParenthesizedExpression(at) ||
      ts.isAsExpression(at) ||
      ts.isSatisfiesExpression(at) ||
      ts.isNonNullExpression(at) ||
      ts.isTypeAssertionExpression(at))
  ) {
    at = at.expression;
  }
  return at;
}

function bindingNames(name) {
  if (name.kind === K.Identifier) return [name];
  return name.elements.flatMap(one => (one.kind === K.OmittedExpression ? [] : bindingNames(one.name)));
}
