import assert from 'node:assert/strict';
import { test } from 'node:test';
import { symbolHash } from '../../../daemon/model/identity.ts';
import { scopeOfTail } from '../../../daemon/model/mount.ts';
import { expectLinks } from '../../support/carets.ts';
import { mountFile } from '../../support/linked-tree.ts';

const cases: readonly (readonly [name: string, tree: string])[] = [
  [
    'packages: files of one package, other packages by module path, aliases, dot and blank imports, the outside',
    `
    -- go.mod --
    module example.com/app

    require github.com/pkg/errors v0.9.1
    -- main.go --
    package main

    import (
    	"fmt"
    	"net/http"
    	"example.com/app/internal/store"
    	db "example.com/app/internal/store"
    	. "example.com/app/shapes"
    	_ "example.com/app/side"
    	"github.com/pkg/errors"
    )

    func main() {
    	helper()
    	^ helper().
    	store.Open()
    	      ^ go:internal/store#store Open().
    	db.Open()
    	   ^ go:internal/store#store Open().
    	_ = Square{}
    	    ^ go:shapes#shapes Square#
    	fmt.Println(len("x"))
    	    ^ std go:fmt.Println
    	            ^ std go:len
    	http.Get("x")
    	     ^ std go:net/http.Get
    	errors.Wrap(nil, "x")
    	       ^ go github.com/pkg/errors:Wrap
    	nowhere()
    	^ ?
    }
    -- util.go --
    package main

    func helper() {}
    -- internal/store/store.go --
    package store

    func Open() {}
    -- shapes/shapes.go --
    package shapes

    type Square struct{}
    -- side/side.go --
    package side
    `,
  ],
  [
    'several modules: the longest path wins, a local replace, names that the path only hints at',
    `
    -- go.work --
    go 1.21
    use (
    	./a
    	./b
    )
    -- a/go.mod --
    module example.com/a

    replace example.com/old => ../legacy
    -- a/a.go --
    package a

    import (
    	"example.com/a/nested/lib"
    	"example.com/b"
    	"example.com/old/part"
    	"example.com/b/go-names"
    	other "example.com/b/io/client"
    	"example.com/b/io/server"
    )

    var _ = b.B
              ^ go:b#b B.
    var _ = part.P
                 ^ go:legacy/part#part P.
    var _ = lib.L
                ^ go:nested/lib#lib L.
    var _ = names.N
                  ^ go:b/go-names#names N.
    var _ = other.O
                  ^ go:b/io/client#io_client O.
    var _ = io_server.S
                      ^ go:b/io/server#io_server S.
    -- b/io/server/s.go --
    package io_server

    var S = 1
    -- b/io/client/c.go --
    package io_client

    var O = 1
    -- b/go.mod --
    module example.com/b
    -- b/b.go --
    package b

    var B = 1
    -- b/go-names/n.go --
    package names

    var N = 1
    -- nested/go.mod --
    module example.com/a/nested
    -- nested/lib/l.go --
    package lib

    var L = 1
    -- legacy/part/p.go --
    package part

    var P = 1
    `,
  ],
  [
    'external test packages import the package beside them; tests inside share its scope',
    `
    -- go.mod --
    module m
    -- p/p.go --
    package p

    func hidden() {}
    func Shown() {}
    -- p/in_test.go --
    package p

    func check() { hidden() }
                   ^ hidden().
    -- p/out_test.go --
    package p_test

    import "m/p"

    func check() { p.Shown() }
                     ^ go:p#p Shown().
    `,
  ],
  [
    'receivers, promoted members, interfaces, methods declared in another file',
    `
    -- types.go --
    package p

    type Base struct{ ID int }
    func (b *Base) Save() error { return nil }
    type Named interface { Name() string }
    type Full interface {
    	Named
    	Close()
    }
    type User struct {
    	*Base
    	Friends []User
    	ByName map[string]*User
    	Next func() *User
    	inner struct{ depth int }
    }
    -- methods.go --
    package p

    func (u User) Go(f Full) {
          ^ -
            ^ User#
    	u.ID++
    	  ^ Base#ID.
    	u.Save()
    	  ^ Base#Save().
    	u.Base.Save()
    	  ^ User#Base.
    	f.Name()
    	  ^ Named#Name().
    	for _, one := range u.Friends { one.Save() }
    	                                    ^ Base#Save().
    	for _, one := range u.ByName { one.Go(nil) }
    	                                   ^ User#Go().
    	u.Friends[0].ByName["x"].Go(f)
    	                         ^ User#Go().
    	u.Next().Go(f)
    	         ^ User#Go().
    	u.inner.depth = 2
    	        ^ User#inner.depth.
    }
    -- use.go --
    package p

    func use() { User{}.Go(nil) }
                        ^ User#Go().
    `,
  ],
  [
    'values: literals, new, make, several results, assertions, switches, closures, channels, generics, conversions',
    `
    -- v.go --
    package p

    type T struct{ a, b int; next *T }
    type Kind int
    func (k Kind) String() string { return "" }
    func (t *T) M() *T { return t }
    func open() (*T, error) { return nil, nil }
    func named() (first *T, second Kind) { return }
    type List[E any] struct{ items []E }
    func (l *List[E]) Len() int { return len(l.items) }
    type Handler func(*T) Kind
    type Many []T

    const (
    	One Kind = iota
    	Two
    )
    var shared = &T{}

    func use(x interface{}, ch chan *T, hs ...Handler) {
    	t := T{a: 1, next: &T{b: 2}}
    	       ^ T#a.
    	             ^ T#next.
    	                      ^ T#b.
    	t.M().M()
    	      ^ T#M().
    	p, q, r := new(T), make([]T, 1), map[string]T{"k": {a: 1}}
    	                                                    ^ T#a.
    	p.M()
    	  ^ T#M().
    	q[0].M()
    	     ^ T#M().
    	r["k"].M()
    	       ^ T#M().
    	if o, err := open(); err == nil { o.M() }
    	                                    ^ T#M().
    	_, s := named()
    	s.String()
    	  ^ Kind#String().
    	x.(*T).M()
    	       ^ T#M().
    	switch v := x.(type) {
    	case *T:
    		v.M()
    		  ^ T#M().
    	case Kind, string:
    		v.String()
    		  ^ ?
    	}
    	(<-ch).M()
    	       ^ T#M().
    	select {
    	case got := <-ch:
    		got.M()
    		    ^ T#M().
    	}
    	hs[0](p).String()
    	         ^ Kind#String().
    	f := func() *T { return p }
    	f().M()
    	    ^ T#M().
    	Two.String()
    	    ^ Kind#String().
    	Kind(3).String()
    	        ^ Kind#String().
    	shared.M()
    	       ^ T#M().
    	l := &List[T]{}
    	l.Len()
    	  ^ List#Len().
    	for _, one := range (Many{{a: 1}}) { one.M() }
    	                                         ^ T#M().
    	rows := []struct{ name string }{{name: "x"}}
    	for _, row := range rows { _ = row.name }
    	                                   ^ std go:struct{}.name
    	type local struct{ z int }
    	_ = local{z: 1}
    	    ^ use().local#
    	          ^ use().local#z.
    }
    `,
  ],
  [
    'members of types without a name, in lists, maps, pointers and one another, embedded ones too',
    `
    -- s.go --
    package p

    type Base struct{ ID int }
    func (b *Base) Save() {}
    type reqs []struct{ nilX bool; base *Base }
    type byName map[string]*struct{ Base; rows [2][]struct{ cell int } }
    type holder struct {
    	list []struct{ r int }
    	ch chan struct{ done bool }
    	in struct{ *Base; deep struct{ er int } }
    	any interface{ Name() string }
    }
    var tests = []struct{ name string; want reqs }{{name: "x", want: reqs{{nilX: true}}}}
                                                    ^ tests.name.
                                                               ^ tests.want.
                                                                           ^ reqs#nilX.
    var one = &struct{ z int }{z: 1}
                               ^ one.z.
    var state struct{ Base; x int }
    -- use.go --
    package p

    func use(rs reqs, m byName, h holder) {
    	for _, r := range rs { r.nilX = r.base.ID > 0 }
    	                         ^ reqs#nilX.
    	                                  ^ reqs#base.
    	                                       ^ Base#ID.
    	_ = rs[0].nilX
    	          ^ reqs#nilX.
    	for _, b := range m { b.rows[0][1].cell = b.ID }
    	                        ^ byName#rows.
    	                                   ^ byName#rows.cell.
    	                                            ^ Base#ID.
    	m["x"].Save()
    	       ^ Base#Save().
    	h.list[0].r = 1
    	  ^ holder#list.
    	          ^ holder#list.r.
    	_ = (<-h.ch).done
    	             ^ holder#ch.done.
    	h.in.deep.er = h.in.ID
    	  ^ holder#in.
    	     ^ holder#in.deep.
    	          ^ holder#in.deep.er.
    	                    ^ Base#ID.
    	h.any.Name()
    	      ^ holder#any.Name().
    	for _, tt := range tests { _ = tt.name; _ = tt.want[0].nilX }
    	                                  ^ tests.name.
    	                                               ^ tests.want.
    	                                                       ^ reqs#nilX.
    	one.z, state.x = 1, state.ID
    	    ^ one.z.
    	             ^ state.x.
    	                          ^ Base#ID.
    	state.Save()
    	      ^ Base#Save().
    	type local []struct{ w int }
    	for _, l := range (local{{w: 1}}) { _ = l.w }
    	                          ^ use().local#w.
    	                                          ^ use().local#w.
    }
    `,
  ],
  [
    'blocks: inner names hide outer ones from where they are declared',
    `
    -- b.go --
    package p

    type A struct{ x int }
    type setter interface{ set() }
    var v = 1
    func f(setter setter) {
                  ^ setter#
    	_ = v
    	    ^ v.
    	if v := (A{}); v.x > 0 {
    	               ^ -
    	                 ^ A#x.
    		_ = v
    		    ^ -
    	}
    	v = 3
    	^ v.
    	v := v
    	     ^ v.
    	_ = v
    	    ^ -
    	func() { setter.set() }()
    	                ^ setter#set().
    }
    `,
  ],
  [
    'nothing by its name where the receiver is known and lacks it, or is a dependency’s',
    `
    -- go.mod --
    module example.com/app
    -- a.go --
    package app

    import (
    	"github.com/them/lib"
    	"net/http"
    	"slices"
    )

    type Known struct{ lib.Base }
    func f(known Known, client lib.Client) {
    	known.Nope()
    	      ^ elsewhere
    	client.Nope()
    	       ^ go github.com/them/lib:Client.Nope
    	made := lib.New()
    	made.Nope()
    	     ^ elsewhere
    	missing().Nope()
    	          ^ ?
    	request, _ := http.NewRequest("GET", "/", nil)
    	request.Nope()
    	        ^ elsewhere
    	slices.Max(missing()).Nope()
    	                      ^ ?
    }
    `,
  ],
  [
    'functions and types with type arguments that are called, and conversions to named types',
    `
    -- go.mod --
    module example.com/app
    -- main.go --
    package main

    import "example.com/app/inner"

    type Box[T any] []T
    func (b Box[T]) First() {}

    func local[T any]() *Box[T] { return nil }

    func main() {
    	t := inner.New[int]("x")
    	           ^ go:inner#inner New().
    	t.Do()
    	  ^ go:inner#inner Thing#Do().
    	local[int]().First()
    	^ local().
    	             ^ Box#First().
    	Box[int](nil).First()
    	^ Box#
    	              ^ Box#First().
    	f := inner.Fn(nil)
    	           ^ go:inner#inner Fn#
    	f.Call()
    	  ^ go:inner#inner Fn#Call().
    	f(1).Inc()
    	     ^ go:inner#inner Emb#Inc().
    }
    -- inner/a.go --
    package inner

    type Emb struct{}
    func (e *Emb) Inc() {}
    type Thing[T any] struct {}
    func (t *Thing[T]) Do() {}
    func New[T any](n string) *Thing[T] { return nil }
    type Fn func(int) *Emb
    func (Fn) Call() {}
    `,
  ],
];

test('each init of a Go package is one of its own, which nothing refers to', async () => {
  const text = 'package p\nfunc init() { type t struct{}; _ = t{} }\nfunc init() {}\nfunc shared() {}\n';
  const documents = [(await mountFile('one.go', text))!, (await mountFile('two.go', text))!];
  const ids = documents.map(document =>
    document.facts.definitions.map(({ tail }) => symbolHash(scopeOfTail(document, tail), tail)),
  );
  const tails = documents[0]!.facts.definitions.map(definition => definition.tail);
  assert.deepEqual(tails, ['static/init().', 'static/init(+1).', 'shared().', 'static/init().t#']);
  assert.equal(new Set(ids.flat()).size, 7, 'all but `shared` differ between the files');
  await expectLinks(`
    -- a.go --
    package p
    func init() { type t struct{ n int }; _ = t{n: 1} }
                                              ^ a.go static/init().t#
                                                ^ a.go static/init().t#n.
    -- b.go --
    package p
    func (t T) init() {}
    func init() {}
    type T struct{}
    func f(t T) { t.init(); init() }
                    ^ T#init().
                            ^ ?
  `);
});

test('each program that no build takes in is one of its own; files of different builds share a package', async () => {
  const scopes: Readonly<Record<string, readonly [head: string, scope: string]>> = {
    'gen/one.go': ['//go:build ignore\n\npackage main', 'go:gen/one.go#main'],
    'gen/two.go': ['// Copyright\n\n// +build ignore\n\npackage main', 'go:gen/two.go#main'],
    'gen/a_linux.go': ['//go:build linux && !ignore\n\npackage main', 'go:gen#main'],
    'gen/b_windows.go': ['package main\n\n//go:build ignore', 'go:gen#main'],
    'gen/types.go': ['//go:build ignore\n\npackage gen', 'go:gen#gen'],
  };
  for (const [path, [head, scope]] of Object.entries(scopes)) {
    assert.equal((await mountFile(path, `${head}\nfunc main() {}\n`))?.scope, scope, path);
  }
  await expectLinks(`
    -- gen/one.go --
    //go:build ignore

    package main
    func main() { helper(); init() }
                  ^ helper().
                            ^ ?
    func helper() {}
    func init() {}
    -- gen/two.go --
    //go:build ignore

    package main
    func main() { helper(); shared() }
                  ^ helper().
                            ^ ?
    func helper() {}
    -- gen/main.go --
    package main
    func main() { helper(); shared() }
                  ^ ?
                            ^ shared().
    -- gen/more.go --
    package main
    func shared() {}
  `);
});

for (const [name, tree] of cases) test(`Go ${name}`, () => expectLinks(tree));
