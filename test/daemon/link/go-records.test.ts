import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

const cases: readonly (readonly [name: string, tree: string])[] = [
  [
    'what rows of a table hold, whose type has no name',
    `
    -- types.go --
    package p

    type Port int
    func (p Port) String() string { return "" }
    type Address struct{ Host string; Port Port }
    func (a *Address) String() string { return "" }
    -- use_test.go --
    package p

    func use() {
    	for _, tc := range []struct {
    		input  string
    		expect Address
    		       ^ Address#
    		err    error
    	}{
    		{input: "x", expect: Address{Host: "h"}},
    		 ^ -
    		             ^ -
    		                             ^ Address#Host.
    	} {
    		_ = tc.expect.Host
    		       ^ -
    		              ^ Address#Host.
    		tc.expect.String()
    		          ^ Address#String().
    		tc.expect.Port.String()
    		               ^ Port#String().
    		tc.err.Error()
    		       ^ std go:error.Error
    		tc.missing.String()
    		           ^ elsewhere
    	}
    	tests := []*struct{ in, want *Address; deep struct{ a Address }; more []Address }{{want: nil}}
    	                                                                                   ^ -
    	for i, tt := range tests {
    		tt.want.String()
    		        ^ Address#String().
    		tests[i].in.Port.String()
    		            ^ Address#Port.
    		                 ^ Port#String().
    		tt.deep.a.Host = tt.more[0].Host
    		        ^ -
    		          ^ Address#Host.
    		                            ^ Address#Host.
    	}
    	for _, one := range map[string]struct{ a Address }{"k": {a: Address{}}} {
    	                                                         ^ -
    		one.a.String()
    		      ^ Address#String().
    	}
    	var s struct{ a Address }
    	s.a.Port.String()
    	    ^ Address#Port.
    	         ^ Port#String().
    	t := &struct{ a Address; f func(int) *Address }{}
    	t.f(1).String()
    	  ^ -
    	       ^ Address#String().
    	func(u struct{ a Address }) { u.a.String() }(*t)
    	                                  ^ Address#String().
    	ch := make(chan struct{ a Address }, 1)
    	(<-ch).a.String()
    	         ^ Address#String().
    }
    `,
  ],
  [
    'what functions of other files give, and fields of what such a type embeds',
    `
    -- types.go --
    package p

    type Base struct{ ID int; Name string }
    func (b *Base) Save() {}
    type Other struct{ Late int; Name string }
    type Closer interface { Close() }
    func cases() []struct{ Base; want *Other } { return nil }
    func pair() (struct{ o Other }, error) { return struct{ o Other }{}, nil }
    type List[E any] struct{ items []E }
    func (l *List[E]) First() E { return l.items[0] }
    -- use.go --
    package p

    func use(x any) {
    	for _, c := range cases() {
    		c.Save()
    		  ^ Base#Save().
    		c.ID = c.want.Late
    		  ^ Base#ID.
    		         ^ -
    		              ^ Other#Late.
    		c.Base.Save()
    		       ^ Base#Save().
    	}
    	p, _ := pair()
    	p.o.Late++
    	    ^ Other#Late.
    	both := struct{ *Base; Other; Name Base }{}
    	both.Late = 1
    	     ^ Other#Late.
    	both.ID = 1
    	     ^ Base#ID.
    	both.Name.Save()
    	     ^ -
    	          ^ Base#Save().
    	l := List[struct{ b Base }]{}
    	l.First().b.Save()
    	            ^ Base#Save().
    	x.(interface{ Next() *Base }).Next().Save()
    	                              ^ ?
    	                                     ^ Base#Save().
    	x.(interface{ Closer; Next() *Base }).Close()
    	                                      ^ Closer#Close().
    	x.(interface{}).Close()
    	                ^ ?
    }
    `,
  ],
  [
    'twins of a field in other types of no name, which are not mixed up',
    `
    -- a.go --
    package p

    type A struct{ x int }
    type B struct{ x int }
    func use[T any](given T, named interface{ A() *A }) {
    	one := []struct{ v A }{{}}
    	two := []struct{ v B }{{}}
    	for _, c := range one { c.v.x++ }
    	                            ^ A#x.
    	for _, c := range two { c.v.x++ }
    	                            ^ B#x.
    	three := struct{ v T; w B }{}
    	three.v.x++
    	        ^ ?
    	three.w.x++
    	        ^ B#x.
    	named.A().x++
    	      ^ ?
    	          ^ A#x.
    }
    `,
  ],
];

for (const [name, tree] of cases) test(`Go ${name}`, () => expectLinks(tree));
