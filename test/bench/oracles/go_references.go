// Where names point, as Go's own type checker sees it: one JSON array [path, line, column, path, line, column] per
// line, 0-based, columns in bytes: first the reference, then the definition. Only targets inside the module.
//
// Usage: go run go_references.go <module root> <module path>
//
// The checker runs offline: packages of the module are loaded from the tree, those of the standard library from
// GOROOT, and what is missing becomes an empty package; names that then cannot be typed are left out.
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

type loader struct {
	root, module string
	files        *token.FileSet
	standard     types.Importer
	known        map[string]*types.Package
	uses         map[string]bool
	// Where the checker says that a field is, and where its name stands: they differ for embedded fields of other packages.
	fields map[token.Pos]token.Pos
}

func main() {
	files := token.NewFileSet()
	one := &loader{root: os.Args[1], module: os.Args[2], files: files,
		standard: importer.ForCompiler(files, "source", nil), known: map[string]*types.Package{}, uses: map[string]bool{}, fields: map[token.Pos]token.Pos{}}
	build.Default.CgoEnabled = false
	filepath.WalkDir(one.root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return nil
		}
		name := entry.Name()
		if path != one.root && (name == "vendor" || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")) {
			return filepath.SkipDir
		}
		if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil && path != one.root {
			return filepath.SkipDir
		}
		relative, _ := filepath.Rel(one.root, path)
		one.check(relative, true)
		return nil
	})
	lines := make([]string, 0, len(one.uses))
	for line := range one.uses {
		lines = append(lines, line)
	}
	sort.Strings(lines)
	for _, line := range lines {
		fmt.Println(line)
	}
}

func (l *loader) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if path == l.module || strings.HasPrefix(path, l.module+"/") {
		if known := l.known[path]; known != nil {
			return known, nil
		}
		return l.check(strings.TrimPrefix(strings.TrimPrefix(path, l.module), "/"), false), nil
	}
	if known := l.known[path]; known != nil {
		return known, nil
	}
	result, err := (*types.Package)(nil), fmt.Errorf("absent")
	if !strings.Contains(strings.Split(path, "/")[0], ".") {
		result, err = l.standard.Import(path)
	}
	if err != nil || result == nil {
		result = types.NewPackage(path, filepath.Base(path))
		result.MarkComplete()
	}
	l.known[path] = result
	return result, nil
}

// Checks the package in a directory; with tests, also its in-package and external test files.
func (l *loader) check(relative string, tests bool) *types.Package {
	path := strings.TrimSuffix(l.module+"/"+filepath.ToSlash(relative), "/.")
	if relative == "" {
		path = l.module
	}
	groups := map[string][]*ast.File{}
	names, _ := filepath.Glob(filepath.Join(l.root, relative, "*.go"))
	for _, name := range names {
		isTest := strings.HasSuffix(name, "_test.go")
		if matches, _ := build.Default.MatchFile(filepath.Dir(name), filepath.Base(name)); !matches || isTest && !tests {
			continue
		}
		if file, err := parser.ParseFile(l.files, name, nil, 0); err == nil {
			groups[file.Name.Name] = append(groups[file.Name.Name], file)
		}
	}
	var result *types.Package
	for name, files := range groups {
		if strings.HasSuffix(name, "_test") && tests {
			l.typeCheck(path+"_test", files)
		} else if checked := l.typeCheck(path, files); result == nil || name != "main" {
			result = checked
		}
	}
	if result == nil {
		result = types.NewPackage(path, filepath.Base(path))
		result.MarkComplete()
	}
	if !tests {
		l.known[path] = result
	}
	return result
}

func (l *loader) typeCheck(path string, files []*ast.File) *types.Package {
	for _, file := range files {
		l.declaredFields(file)
	}
	found := &types.Info{Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	checker := types.Config{Importer: l, Error: func(error) {}, FakeImportC: true}
	result, _ := checker.Check(path, l.files, files, found)
	for use, object := range found.Uses {
		l.record(use, object)
	}
	return result
}

// Fields of declared types; those of literal struct types inside functions are as local as the variables that have them.
func (l *loader) declaredFields(file *ast.File) {
	ast.Inspect(file, func(node ast.Node) bool {
		switch one := node.(type) {
		case *ast.TypeSpec:
			l.fieldsIn(one.Type)
		case *ast.FuncDecl:
			return true
		}
		return true
	})
	for _, declaration := range file.Decls {
		if group, ok := declaration.(*ast.GenDecl); ok {
			for _, spec := range group.Specs {
				value, ok := spec.(*ast.ValueSpec)
				if !ok {
					continue
				}
				if value.Type != nil {
					l.fieldsIn(value.Type)
					continue
				}
				for _, right := range value.Values {
					if typed := writtenType(right); typed != nil {
						l.fieldsIn(typed)
					}
				}
			}
		}
	}
}

// The type that a value begins with, nil where it begins with none.
func writtenType(value ast.Expr) ast.Expr {
	if address, ok := value.(*ast.UnaryExpr); ok {
		value = address.X
	}
	if literal, ok := value.(*ast.CompositeLit); ok {
		return literal.Type
	}
	return nil
}

func (l *loader) fieldsIn(typed ast.Expr) {
	ast.Inspect(typed, func(node ast.Node) bool {
		if _, ok := node.(*ast.FuncType); ok {
			return false
		}
		structure, ok := node.(*ast.StructType)
		if !ok {
			return true
		}
		for _, field := range structure.Fields.List {
			for _, name := range field.Names {
				l.fields[name.Pos()] = name.Pos()
			}
			if field.Names == nil {
				l.fields[field.Type.Pos()] = embeddedName(field.Type).Pos()
			}
		}
		return true
	})
}

func embeddedName(typed ast.Expr) *ast.Ident {
	switch one := typed.(type) {
	case *ast.StarExpr:
		return embeddedName(one.X)
	case *ast.SelectorExpr:
		return one.Sel
	case *ast.IndexExpr:
		return embeddedName(one.X)
	case *ast.IndexListExpr:
		return embeddedName(one.X)
	}
	return typed.(*ast.Ident)
}

func (l *loader) record(use *ast.Ident, object types.Object) {
	position := object.Pos()
	if !position.IsValid() || object.Pkg() == nil {
		return
	}
	atTop := object.Parent() == object.Pkg().Scope()
	switch one := object.(type) {
	case *types.Func:
		position = one.Origin().Pos()
	case *types.Var:
		position = one.Origin().Pos()
		if field, known := l.fields[position]; one.IsField() && known {
			position = field
		} else if one.IsField() || !atTop {
			return
		}
	case *types.TypeName:
		if _, isParameter := one.Type().(*types.TypeParam); isParameter {
			return
		}
	default:
		if !atTop {
			return
		}
	}
	from, to := l.files.Position(use.Pos()), l.files.Position(position)
	there, err := filepath.Rel(l.root, to.Filename)
	if err != nil || strings.HasPrefix(there, "..") {
		return
	}
	here, _ := filepath.Rel(l.root, from.Filename)
	line, _ := json.Marshal([]any{here, from.Line - 1, from.Column - 1, there, to.Line - 1, to.Column - 1})
	l.uses[string(line)] = true
}
