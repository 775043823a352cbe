// Definitions as Go's own parser sees them: one JSON array [path, line, name, kind] per line.
//
// Usage: go run go_definitions.go <root> < list-of-paths
//
// Files that go/parser refuses are reported on standard error and left out.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
)

func main() {
	paths := bufio.NewScanner(os.Stdin)
	for paths.Scan() {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, filepath.Join(os.Args[1], paths.Text()), nil, parser.SkipObjectResolution)
		if err != nil {
			fmt.Fprintln(os.Stderr, paths.Text(), err)
			continue
		}
		print("", 0, paths.Text(), "file")
		walk(file, func(name *ast.Ident, kind string) {
			if name.Name != "_" {
				print(paths.Text(), files.Position(name.Pos()).Line, name.Name, kind)
			}
		})
	}
}

func print(row ...any) {
	line, _ := json.Marshal(row)
	fmt.Println(string(line))
}

func walk(file *ast.File, found func(*ast.Ident, string)) {
	for _, declaration := range file.Decls {
		switch one := declaration.(type) {
		case *ast.FuncDecl:
			kind := "function"
			if one.Recv != nil {
				kind = "method"
			}
			found(one.Name, kind)
			if one.Body != nil {
				localTypes(one.Body, found)
			}
		case *ast.GenDecl:
			for _, spec := range one.Specs {
				declare(one.Tok, spec, found)
			}
		}
	}
}

func declare(keyword token.Token, spec ast.Spec, found func(*ast.Ident, string)) {
	switch one := spec.(type) {
	case *ast.TypeSpec:
		declareType(one, found)
	case *ast.ValueSpec:
		kind := "variable"
		if keyword == token.CONST {
			kind = "constant"
		}
		for _, name := range one.Names {
			found(name, kind)
		}
		if one.Type != nil {
			members(one.Type, found)
		}
		for _, value := range one.Values {
			if typed := writtenType(value); one.Type == nil && typed != nil {
				members(typed, found)
			}
			localTypes(value, found)
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

// Types declared inside functions are symbols; constants and variables there are not.
func localTypes(body ast.Node, found func(*ast.Ident, string)) {
	ast.Inspect(body, func(node ast.Node) bool {
		if spec, ok := node.(*ast.TypeSpec); ok {
			declareType(spec, found)
			return false
		}
		return true
	})
}

func declareType(spec *ast.TypeSpec, found func(*ast.Ident, string)) {
	kind := "type"
	switch spec.Type.(type) {
	case *ast.StructType:
		kind = "struct"
	case *ast.InterfaceType:
		kind = "interface"
	}
	found(spec.Name, kind)
	members(spec.Type, found)
}

// Fields and interface methods, through pointers, slices and maps of literal types.
func members(expression ast.Expr, found func(*ast.Ident, string)) {
	switch one := expression.(type) {
	case *ast.StructType:
		for _, field := range one.Fields.List {
			for _, name := range field.Names {
				found(name, "field")
			}
			if field.Names == nil {
				if name := embedded(field.Type); name != nil {
					found(name, "field")
				}
			} else {
				members(field.Type, found)
			}
		}
	case *ast.InterfaceType:
		for _, method := range one.Methods.List {
			for _, name := range method.Names {
				found(name, "method")
			}
		}
	case *ast.StarExpr:
		members(one.X, found)
	case *ast.ArrayType:
		members(one.Elt, found)
	case *ast.MapType:
		members(one.Value, found)
	case *ast.ChanType:
		members(one.Value, found)
	}
}

func embedded(expression ast.Expr) *ast.Ident {
	switch one := expression.(type) {
	case *ast.Ident:
		return one
	case *ast.StarExpr:
		return embedded(one.X)
	case *ast.SelectorExpr:
		return one.Sel
	case *ast.IndexExpr:
		return embedded(one.X)
	case *ast.IndexListExpr:
		return embedded(one.X)
	}
	return nil
}
