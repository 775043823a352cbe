"""Complexity over Python's own syntax tree: for each file that parses one JSON line
{"path": …, "functions": [[line, null, name, cyclomatic, cognitive]]}.

Usage: python3 python_complexity.py <root> < list-of-paths

Functions are those by `def` and by `lambda`. Cyclomatic is 1 and the decision points without those of functions inside;
cognitive is by the rules of sonar-python, functions inside counted with it. Files that this Python cannot parse are reported
on standard error and left out.
"""

import ast
import json
import os
import re
import sys
import warnings

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
BETWEEN = rb"(?:\s|\\|#[^\n]*\n)*"
OPENS = re.compile(rb"\(" + BETWEEN + rb"\Z")
CLOSES = re.compile(BETWEEN + rb"\)")


def body_of(function):
    return function.body if isinstance(function, FUNCTIONS) else [function.body]


def is_default(case):
    pattern = case.pattern
    return case.guard is None and isinstance(pattern, ast.MatchAs) and pattern.pattern is None and pattern.name is None


def points(node):
    """Decision points of one node, without what is inside of it."""
    if isinstance(node, (ast.If, ast.IfExp, ast.ExceptHandler) + LOOPS):
        return 1
    if isinstance(node, ast.BoolOp):
        return len(node.values) - 1
    if isinstance(node, ast.comprehension):
        return 1 + len(node.ifs)
    if isinstance(node, ast.match_case):
        return 0 if is_default(node) else 1
    return 0


def cyclomatic(function):
    total = 1
    open_nodes = list(body_of(function))
    while open_nodes:
        node = open_nodes.pop()
        total += points(node)
        within = body_of(node) if isinstance(node, FUNCTIONS + (ast.Lambda,)) else []
        open_nodes += [child for child in ast.iter_child_nodes(node) if child not in within]
    return total


class Cognitive(ast.NodeVisitor):
    """The rules of sonar-python, and the paper's where Python has what it leaves out (lambda, match)."""

    def __init__(self, source, starts):
        self.source = source  # bytes
        self.starts = starts  # where its lines begin
        self.counted = set()  # boolean operators
        self.total = 0
        self.level = 0
        self.around = []  # functions and classes that we are in

    def measure(self, function):
        self.around.append(function)
        for statement in body_of(function):
            self.visit(statement)
        return self.total

    def nested(self, nodes, by=1):
        self.level += by
        for node in nodes:
            self.visit(node)
        self.level -= by

    def branch(self, node):
        self.total += 1
        self.visit(node.test)
        self.nested(node.body)
        rest = node.orelse
        if not rest:
            return
        if len(rest) == 1 and isinstance(rest[0], ast.If) and self.is_elif(rest[0]):
            self.branch(rest[0])
        else:
            self.otherwise(rest)

    def is_elif(self, node):
        return self.source.startswith(b"elif", self.starts[node.lineno - 1] + node.col_offset)

    def otherwise(self, nodes):
        if nodes:
            self.total += 1
            self.nested(nodes)

    def visit_If(self, node):
        self.total += self.level
        self.branch(node)

    def visit_loop(self, node):
        self.total += self.level + 1
        for part in (getattr(node, name, None) for name in ("test", "target", "iter")):
            if part is not None:
                self.visit(part)
        self.nested(node.body)
        self.otherwise(node.orelse)

    visit_For = visit_AsyncFor = visit_While = visit_loop

    def visit_Try(self, node):
        self.nested(node.body, 0)
        for handler in node.handlers:
            self.total += self.level + 1
            if handler.type is not None:
                self.visit(handler.type)
            self.nested(handler.body)
        self.otherwise(node.orelse)
        self.nested(node.finalbody, 0)

    visit_TryStar = visit_Try

    def visit_Match(self, node):
        self.total += self.level + 1
        self.visit(node.subject)
        for case in node.cases:
            if case.guard is not None:
                self.visit(case.guard)
            self.nested(case.body)

    def visit_IfExp(self, node):
        self.total += self.level + 1
        self.nested([node.test, node.body, node.orelse])

    def visit_Lambda(self, node):
        self.nested([node.args, node.body])

    def visit_BoolOp(self, node):
        if node not in self.counted:
            written = self.operators(node)
            self.total += sum(one != before for one, before in zip(written, [None] + written))
        self.generic_visit(node)

    def operators(self, node):
        """As they are written, without those in parentheses."""
        self.counted.add(node)
        found = []
        for index, value in enumerate(node.values):
            if index > 0:
                found.append(type(node.op))
            if isinstance(value, ast.BoolOp) and not self.in_parentheses(value):
                found += self.operators(value)
        return found

    def in_parentheses(self, node):
        before = self.starts[node.lineno - 1] + node.col_offset
        after = self.starts[node.end_lineno - 1] + node.end_col_offset
        return OPENS.search(self.source, 0, before) is not None and CLOSES.match(self.source, after) is not None

    def visit_ClassDef(self, node):
        level, self.level = self.level, 0
        self.around.append(node)
        self.generic_visit(node)
        self.around.pop()
        self.level = level

    def visit_function(self, node):
        level = self.level
        outer = self.around[-1]
        if not isinstance(outer, FUNCTIONS):
            self.level = 0
        elif not is_wrapper(outer, node):
            self.level += 1
        self.around.append(node)
        self.generic_visit(node)
        self.around.pop()
        self.level = level

    visit_FunctionDef = visit_AsyncFunctionDef = visit_function


def is_wrapper(outer, inner):
    """Whether a function only defines another and returns names."""
    return all(
        one is inner or isinstance(one, ast.Return) and isinstance(one.value, ast.Name)
        for one in outer.body
    )


def main():
    root = sys.argv[1]
    warnings.simplefilter("ignore")
    for path in sys.stdin.read().splitlines():
        with open(os.path.join(root, path), "rb") as file:
            source = file.read().removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError) as problem:
            print(f"not parsed: {path}: {problem}", file=sys.stderr)
            continue
        starts = [0]
        for line in source.split(b"\n"):
            starts.append(starts[-1] + len(line) + 1)
        functions = [
            [
                node.lineno,
                None,  # comments below the last statement are no part of it here
                getattr(node, "name", "lambda"),
                cyclomatic(node),
                Cognitive(source, starts).measure(node),
            ]
            for node in ast.walk(tree)
            if isinstance(node, FUNCTIONS + (ast.Lambda,))
        ]
        print(json.dumps({"path": path, "functions": functions}))


main()
