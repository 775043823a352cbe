"""Definitions as Python's own parser sees them: one JSON array [path, line, name, kind] per line.

Usage: python3 python_definitions.py <root> < list-of-paths

Deliberately shares nothing with the extractor but its vocabulary: functions, classes and methods at any depth;
names bound at module and class level; attributes first assigned through `self`. A name bound again is a further
site only where the two bindings exclude each other (branches of one `if`, `try` or `match`).
Files that this Python cannot parse are reported on standard error and left out.
"""

import ast
import json
import re
import sys

CONSTANT = re.compile(r"^_{0,2}[A-Z][A-Z0-9_]*$")
ENUM = re.compile(r"(Enum|Flag)$")
PROPERTY = re.compile(r"(property|\.(setter|getter|deleter))$")


class Definitions(ast.NodeVisitor):
    def __init__(self):
        self.found = []
        self.owner = ("module", None)  # module | class | function, and its node
        self.branches = []
        self.sites = {}  # (owner node, name) -> branches of each site
        self.receiver = None  # (name, class node) inside a method

    def add(self, line, name, kind):
        self.found.append((line, name, kind))

    def bind(self, owner, node, name, kind):
        """A binding of a variable: a site when it is the first, or excludes all earlier ones."""
        key = (id(owner[1]), name)
        known = self.sites.setdefault(key, [])
        here = dict(self.branches)
        if any(not any(here.get(at, branch) != branch for at, branch in there.items()) for there in known):
            return
        known.append(here)
        self.add(node.lineno, name, kind)

    def arms(self, node, *arms):
        for index, arm in enumerate(arms):
            self.branches.append((id(node), index))
            for child in arm:
                self.visit(child)
            self.branches.pop()

    def visit_If(self, node):
        self.visit(node.test)
        self.arms(node, node.body, node.orelse)

    def visit_Try(self, node):
        self.arms(node, node.body + node.orelse, *[[handler] for handler in node.handlers])
        for child in node.finalbody:
            self.visit(child)

    visit_TryStar = visit_Try

    def visit_Match(self, node):
        self.visit(node.subject)
        self.arms(node, *[[case] for case in node.cases])

    def visit_FunctionDef(self, node):
        in_class = self.owner[0] == "class"
        kind = "method" if in_class else "function"
        names = [ast.unparse(decorator) for decorator in node.decorator_list]
        if in_class and any(PROPERTY.search(name.split("(")[0]) for name in names):
            kind = "property"
        if in_class and node.name == "__init__":
            kind = "constructor"
        self.add(node.lineno, node.name, kind)
        self.sites.setdefault((id(self.owner[1]), node.name), []).append(dict(self.branches))
        for child in node.decorator_list + node.args.defaults + [d for d in node.args.kw_defaults if d]:
            self.visit(child)
        before = (self.owner, self.receiver, self.branches, getattr(self, "globals", set()))
        if in_class:
            first = (node.args.posonlyargs + node.args.args)[:1]
            static = any(name == "staticmethod" for name in names)
            self.receiver = (first[0].arg, self.owner) if first and not static else None
        self.owner = ("function", node)
        self.branches = []
        self.globals = set()
        for child in node.body:
            self.visit(child)
        self.owner, self.receiver, self.branches, self.globals = before

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node):
        before = self.owner
        self.owner = ("function", node)
        self.generic_visit(node)
        self.owner = before

    def visit_ClassDef(self, node):
        self.add(node.lineno, node.name, "class")
        self.sites.setdefault((id(self.owner[1]), node.name), []).append(dict(self.branches))
        for child in node.decorator_list + node.bases + node.keywords:
            self.visit(child)
        before = (self.owner, self.receiver, self.branches)
        self.owner, self.receiver, self.branches = ("class", node), None, []
        # Class-level bindings are fields before any method's `self.x` is: two passes over the body.
        for child in node.body:
            if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                self.visit(child)
        for child in node.body:
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                self.visit(child)
        self.owner, self.receiver, self.branches = before

    def visit_Global(self, node):
        self.globals |= set(node.names)

    def visit_ListComp(self, node):
        before = self.owner
        for inner in ast.walk(node):
            if isinstance(inner, ast.NamedExpr):
                self.target(inner.target, None)
        self.owner = ("function", node)
        self.generic_visit(node)
        self.owner = before

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp

    def visit_Name(self, node):
        if isinstance(node.ctx, ast.Store):
            self.target(node, None)

    def visit_MatchAs(self, node):
        if node.name:
            self.name_bound(node, node.name, None)
        self.generic_visit(node)

    def visit_MatchStar(self, node):
        if node.name:
            self.name_bound(node, node.name, None)

    def visit_Attribute(self, node):
        if isinstance(node.ctx, ast.Store):
            self.target(node, None)
        else:
            self.generic_visit(node)

    def visit_AnnAssign(self, node):
        self.target(node.target, node.annotation)
        if node.value:
            self.visit(node.value)

    def visit_AugAssign(self, node):
        self.visit(node.value)

    def target(self, node, annotation):
        if isinstance(node, ast.Name):
            self.name_bound(node, node.id, annotation)
        elif isinstance(node, ast.Attribute):
            if isinstance(node.value, ast.Name) and self.receiver and node.value.id == self.receiver[0]:
                owner = self.receiver[1]
                key = (id(owner[1]), node.attr)
                if key not in self.sites:
                    self.sites[key] = [{}]
                    self.add(node.lineno, node.attr, "field")
            else:
                self.visit(node.value)
        else:
            self.generic_visit(node)

    def name_bound(self, node, name, annotation):
        owner = self.owner
        if owner[0] == "function":
            if name not in getattr(self, "globals", set()):
                return
            key = (id(None), name)
            if key not in self.sites:
                self.late.append((node, name))
            return
        self.bind(owner, node, name, variable_kind(owner, name, annotation))

    late = ()


def variable_kind(owner, name, annotation):
    text = ast.unparse(annotation) if annotation else ""
    if re.search(r"\bTypeAlias$", text):
        return "type"
    if owner[0] == "class":
        bases = [ast.unparse(base) for base in owner[1].bases]
        if any(ENUM.search(base) for base in bases) and not name.startswith("_") and not annotation:
            return "enum-member"
    if CONSTANT.match(name) or re.search(r"\bFinal\b", text):
        return "constant"
    return "field" if owner[0] == "class" else "variable"


def definitions(source):
    walker = Definitions()
    walker.late = []
    walker.visit(ast.parse(source))
    # A global that only functions assign is defined where the first of them does.
    for node, name in walker.late:
        walker.bind(("module", None), node, name, variable_kind(("module", None), name, None))
    return walker.found


root = sys.argv[1]
for path in sys.stdin.read().splitlines():
    try:
        with open(f"{root}/{path}", "rb") as file:
            found = definitions(file.read())
    except (SyntaxError, ValueError, RecursionError) as problem:
        print(f"{path}: {problem}", file=sys.stderr)
        continue
    print(json.dumps(["", 0, path, "file"]))
    for line, name, kind in found:
        print(json.dumps([path, line, name, kind]))
