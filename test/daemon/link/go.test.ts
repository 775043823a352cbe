import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

const cases: readonly (readonly [name: string, tree: string])[] = [
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
    	                                   ^ -
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
  [
    'a call with one name as its type argument and no value is one, a call of an element is none',
    `
    -- go.mod --
    module example.com/app
    -- use.go --
    package main

    import "example.com/app/lib"

    func local[T any]() T { var t T; return t }
    func many[K, V any]() map[K]V { return nil }
    type own struct{}
    func (own) Do() {}
    const last = 3
    var steps [4]func()
    var table [4]func() own

    func Use[T any](at int, steps [2]func()) {
    	lib.Zero[int]()
    	    ^ call go:lib#lib Zero().
    	a := lib.NewSet[int]()
    	                ^ type std go:int
    	a.Add(1)
    	  ^ go:lib#lib Set#Add().
    	lib.NewSet[own]().First().Do()
    	           ^ type own#
    	                          ^ own#Do().
    	lib.NewSet[*own]().First().Do()
    	                           ^ own#Do().
    	local[own]().Do()
    	^ call local().
    	      ^ type own#
    	             ^ own#Do().
    	local[T]()
    	^ call local().
    	defer elsewhere[elses]()
    	      ^ call elsewhere().
    	                ^ type elses#
    	many[string, own]()["a"].Do()
    	                         ^ own#Do().
    	steps[at]()
    	^ -
    	table[at]().Do()
    	^ read table.
    	            ^ own#Do().
    	table[last]()
    	^ read table.
    	      ^ read last.
    	lib.Table[at]()
    	    ^ read go:lib#lib Table.
    	lib.Table[last]()
    	    ^ read go:lib#lib Table.
    }
    -- more.go --
    package main

    type elses struct{}
    func elsewhere[T any]() {}
    -- lib/lib.go --
    package lib

    var Table []func()
    type Set[T any] struct{ all []T }
    func NewSet[T any]() *Set[T] { return nil }
    func (s *Set[T]) Add(one T) {}
    func (s *Set[T]) First() T { return s.all[0] }
    func Zero[T any]() T { var t T; return t }
    `,
  ],
  [
    'type parameters, as far as what is passed and what is applied tell them',
    `
    -- go.mod --
    module ex.com/m
    -- util/util.go --
    package util

    type Core struct{ Next *Core }
    func (c *Core) Do() *Core { return c }
    func Same[T any](x T) T { return x }
    func Pair[K comparable, V any](k K, v ...V) (V, error) { panic(1) }
    func First[T any](all []T) T { return all[0] }
    type Stack[T any] struct{ items []T }
    func Of[T any](x T) *Stack[T] { return nil }
    func (s *Stack[E]) Top(e E) E { e.Do(); return s.items[0] }
                                      ^ ?
    -- cmd/main.go --
    package main

    import u "ex.com/m/util"

    type T struct{}
    func (T) Do() {}
    func (T) Top() {}
    func main() {
    	c := &u.Core{}
    	u.Same(c).Do()
    	          ^ go:util#util Core#Do().
    	u.Same(T{}).Do()
    	            ^ T#Do().
    	u.Same[*u.Core](nil).Do()
    	                     ^ go:util#util Core#Do().
    	u.Same(unknown).Do()
    	                ^ ?
    	v, _ := u.Pair(1, c)
    	v.Do()
    	  ^ go:util#util Core#Do().
    	u.First([]*u.Core{c}).Do()
    	                      ^ go:util#util Core#Do().
    	s := &u.Stack[*u.Core]{}
    	s.Top(c).Do()
    	  ^ go:util#util Stack#Top().
    	         ^ go:util#util Core#Do().
    	u.Of(c).Top(c).Next.Do()
    	               ^ go:util#util Core#Next.
    	                    ^ go:util#util Core#Do().
    	own(T{}).Do()
    	         ^ T#Do().
    }
    func own[A any](a A) A { return a }
    `,
  ],
  [
    'values of type parameters have what a constraint of one type says, several types and any say nothing',
    `
    -- shapes.go --
    package p

    type Named interface { Name() string }
    type Base struct{ ID int }
    func (b *Base) Save() {}
    type Number interface { ~int | ~float64 }
    type Ordered[T any] interface { Before(other T) bool }
    -- use.go --
    package p

    func All[N Named, B *Base, X any, Y comparable, Z int | Base](ns []N, b B, x X, y Y, z Z) {
    	for _, n := range ns { n.Name() }
    	                         ^ Named#Name().
    	b.Save()
    	  ^ Base#Save().
    	x.Save()
    	  ^ ?
    	y.Save()
    	  ^ ?
    	z.Save()
    	  ^ ?
    }
    func Least[T Ordered[T]](a, b T) bool { return a.Before(b) }
                                                     ^ Ordered#Before().
    type Sorted[T Named] struct { items []T }
    func (s *Sorted[E]) First() { s.items[0].Name() }
                                             ^ Named#Name().
    func most() {
    	s := Sorted[Base]{}
    	s.items[0].Save()
    	           ^ Base#Save().
    }
    `,
  ],
];

for (const [name, tree] of cases) test(`Go ${name}`, () => expectLinks(tree));
