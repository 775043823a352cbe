"""Imports of Python files as the interpreter's own `modulefinder` finds them, written as dependency-cruiser's JSON.

    python3 test/bench/oracles/python_imports.py <checkout> <folders that imports start from, src:tests> <package...>

Each package is looked for in each of the folders; `.` is all that lies there.
"""
import itertools
import json
import os
import sys
from modulefinder import ModuleFinder

checkout, root, *packages = sys.argv[1:]
bases = [os.path.realpath(os.path.join(checkout, one)) for one in root.split(":")]
edges = {}


class Recorder(ModuleFinder):
    def find_module(self, name, path, parent=None):
        try:
            return super().find_module(name, path, parent)
        except AttributeError:  # A folder without `__init__.py` has no loader.
            raise ImportError(name) from None

    def scan_code(self, code, module):
        outer, self.scanned = getattr(self, "scanned", None), module
        super().scan_code(code, module)
        self.scanned = outer

    def _safe_import_hook(self, name, caller, fromlist, level=-1):
        # Of `from . import x` the caller is left out.
        by = caller or self.scanned
        super()._safe_import_hook(name, caller, fromlist, level)
        if by.__file__:
            edges.setdefault(by.__file__, set()).update(self.meant(name, by, fromlist, level))

    def meant(self, name, caller, fromlist, level):
        package = self.determine_parent(caller, level=level) if level > 0 else None
        whole = ".".join(part for part in (package.__name__ if package else "", name) if part)
        if not fromlist:
            yield whole
            return
        for one in fromlist:
            yield f"{whole}.{one}" if f"{whole}.{one}" in self.modules else whole


finder = Recorder(path=bases)
for base, package in itertools.product(bases, packages):
    for folder, _, files in os.walk(os.path.join(base, package)):
        for file in sorted(files):
            if not file.endswith(".py"):
                continue
            parts = os.path.relpath(os.path.join(folder, file), base)[:-3].split(os.sep)
            try:
                finder.import_hook(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
            except (ImportError, SyntaxError):
                pass


def path_of(name):
    module = finder.modules.get(name)
    file = getattr(module, "__file__", None)
    return file and os.path.relpath(file, os.path.realpath(checkout))


modules = []
for file, names in edges.items():
    dependencies = []
    for name in sorted(names):
        top = name.split(".")[0]
        path = path_of(name) or ""
        kind = {"couldNotResolve": not path, "coreModule": False, "dependencyTypes": []}
        dependencies.append({"module": name if path else top, "resolved": path, **kind})
    modules.append({"source": os.path.relpath(file, os.path.realpath(checkout)), "dependencies": dependencies})
print(json.dumps({"modules": modules}))
