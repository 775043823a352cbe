// Complexity over Go's own syntax tree: for each file that parses one JSON line
// {"path": …, "functions": [[line, endLine, name, cyclomatic, cognitive]]}.
//
// Functions are declarations with a body, and function literals outside of them. Cyclomatic by gocyclo's rules, cognitive by
// gocognit's. Usage: go run go_complexity.go ROOT < list-of-paths
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
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, filepath.Join(os.Args[1], lines.Text()), nil, parser.ParseComments)
		if err != nil {
			fmt.Fprintf(os.Stderr, "not parsed: %s\n", lines.Text())
			continue
		}
		found := [][]any{}
		list := func(node ast.Node, name string, body *ast.BlockStmt, self *ast.Ident) {
			first, last := files.Position(node.Pos()).Line, files.Position(node.End()).Line
			found = append(found, []any{first, last, name, cyclomatic(body), cognitive(body, self)})
		}
		ast.Inspect(file, func(node ast.Node) bool {
			switch one := node.(type) {
			case *ast.FuncDecl:
				self := one.Name
				if one.Recv != nil {
					self = nil
				}
				if one.Body != nil {
					list(one, one.Name.Name, one.Body, self)
				}
				return false
			case *ast.FuncLit:
				list(one, "func", one.Body, nil)
				return false
			}
			return true
		})
		line, _ := json.Marshal(map[string]any{"path": lines.Text(), "functions": found})
		fmt.Println(string(line))
	}
}

func cyclomatic(body ast.Node) int {
	total := 1
	ast.Inspect(body, func(node ast.Node) bool {
		switch one := node.(type) {
		case *ast.IfStmt, *ast.ForStmt, *ast.RangeStmt:
			total++
		case *ast.CaseClause:
			if one.List != nil {
				total++
			}
		case *ast.CommClause:
			if one.Comm != nil {
				total++
			}
		case *ast.BinaryExpr:
			if isLogical(one.Op) {
				total++
			}
		}
		return true
	})
	return total
}

func isLogical(operator token.Token) bool {
	return operator == token.LAND || operator == token.LOR
}

// counter adds up what it is asked to visit, at a level of nesting.
type counter struct {
	total   int
	level   int
	self    *ast.Ident
	counted map[ast.Node]bool
}

func cognitive(body ast.Node, self *ast.Ident) int {
	count := counter{self: self, counted: map[ast.Node]bool{}}
	ast.Walk(&count, body)
	return count.total
}

func (c *counter) Visit(node ast.Node) ast.Visitor {
	switch one := node.(type) {
	case *ast.IfStmt:
		c.branch(one, c.level+1)
		return nil
	case *ast.ForStmt:
		return c.nest(one.Body, one.Init, one.Cond, one.Post)
	case *ast.RangeStmt:
		return c.nest(one.Body, one.Key, one.Value, one.X)
	case *ast.SwitchStmt:
		return c.nest(one.Body, one.Init, one.Tag)
	case *ast.TypeSwitchStmt:
		return c.nest(one.Body, one.Init, one.Assign)
	case *ast.SelectStmt:
		return c.nest(one.Body)
	case *ast.FuncLit:
		c.deeper(one.Body)
		return nil
	case *ast.BranchStmt:
		if one.Label != nil {
			c.total++
		}
	case *ast.BinaryExpr:
		if !c.counted[one] {
			last := token.ILLEGAL
			for _, operator := range c.operators(one) {
				if operator != last {
					c.total++
				}
				last = operator
			}
		}
	case *ast.CallExpr:
		called, isName := one.Fun.(*ast.Ident)
		if isName && c.self != nil && called.Name == c.self.Name && called.Obj == c.self.Obj {
			c.total++
		}
	}
	return c
}

// branch counts an `if` and what hangs on its `else`, which nests no deeper.
func (c *counter) branch(one *ast.IfStmt, adds int) {
	c.total += adds
	c.flat(one.Init, one.Cond)
	c.deeper(one.Body)
	switch rest := one.Else.(type) {
	case *ast.IfStmt:
		c.branch(rest, 1)
	case *ast.BlockStmt:
		c.total++
		ast.Walk(c, rest)
	}
}

func (c *counter) nest(body ast.Node, heads ...ast.Node) ast.Visitor {
	c.total += c.level + 1
	c.flat(heads...)
	c.deeper(body)
	return nil
}

func (c *counter) flat(nodes ...ast.Node) {
	for _, node := range nodes {
		if node != nil {
			ast.Walk(c, node)
		}
	}
}

func (c *counter) deeper(node ast.Node) {
	c.level++
	ast.Walk(c, node)
	c.level--
}

// operators as they are written, without those in parentheses.
func (c *counter) operators(expression ast.Expr) []token.Token {
	one, isBinary := expression.(*ast.BinaryExpr)
	if !isBinary {
		return nil
	}
	c.counted[one] = true
	found := c.operators(one.X)
	if isLogical(one.Op) {
		found = append(found, one.Op)
	}
	return append(found, c.operators(one.Y)...)
}
