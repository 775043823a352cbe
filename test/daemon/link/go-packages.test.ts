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
