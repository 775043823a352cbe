import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';
import { factsOf } from '../../support/outline.ts';

const cases: readonly (readonly [name: string, tree: string])[] = [
  [
    'modules: files, folders, paths, re-exports, globs, inner modules, names of their own module',
    `
    -- Cargo.toml --
    [package]
    name = "my-app"
    -- src/lib.rs --
    mod parse;
    mod deep;
    #[path = "elsewhere.rs"]
    mod moved;
    pub use crate::parse::parse;
                          ^ src/parse.rs parse().
    pub mod prelude { pub use crate::deep::Thing as Renamed; }
    use deep::inner::*;
        ^ deep/
              ^ src/deep inner/
    use self::moved::At;
                     ^ src/elsewhere.rs At#
    fn top() { helper(); parse(); At; }
               ^ src/deep/inner.rs helper().
                         ^ src/parse.rs parse().
                                  ^ src/elsewhere.rs At#
    #[cfg(test)]
    mod tests {
        use super::*;
        fn case() { top(); helper(); }
                    ^ top().
                           ^ src/deep/inner.rs helper().
    }
    -- src/parse.rs --
    pub fn parse() {
        super::top();
               ^ src top().
        crate::deep::inner::helper();
                     ^ src/deep inner/
                            ^ src/deep/inner.rs helper().
        crate::prelude::Renamed;
                        ^ src/deep Thing#
    }
    -- src/elsewhere.rs --
    pub struct At;
    -- src/deep/mod.rs --
    pub mod inner;
    pub struct Thing;
    -- src/deep/inner.rs --
    use super::Thing;
               ^ src/deep Thing#
    pub fn helper() -> Thing { Thing }
    -- src/main.rs --
    use my_app::prelude::Renamed;
                ^ prelude/
                         ^ src/deep Thing#
    fn main() { my_app::parse(); }
                        ^ src/parse.rs parse().
    -- tests/all.rs --
    mod util;
    use util::check;
              ^ tests/util.rs check().
    -- tests/util.rs --
    pub fn check() { crate::util::check() }
                                  ^ check().
    `,
  ],
  [
    'crates: neighbours by name and path, dependencies, the language’s own',
    `
    -- Cargo.toml --
    [workspace]
    members = ["a", "b"]
    -- a/Cargo.toml --
    [package]
    name = "grep-a"
    -- a/src/lib.rs --
    pub extern crate std as renamed;
    #[macro_export]
    macro_rules! both { ($x:expr) => { $crate::made($x) } }
                                               ^ made().
    pub fn made(x: u8) {}
    -- b/Cargo.toml --
    [package]
    name = "b"
    [dependencies]
    grep-a = { path = "../a" }
    serde = "1"
    -- b/src/lib.rs --
    use grep_a::made;
                ^ a/src made().
    use serde::Serialize;
               ^ cargo serde:Serialize
    use std::{fmt, collections::HashMap};
              ^ std rust:fmt
                                ^ std rust:collections.HashMap
    #[derive(Serialize, Debug)]
             ^ cargo serde:Serialize
                        ^ std rust:Debug
    struct Held(HashMap<u8, Vec<u8>>);
                            ^ std rust:Vec
    fn f() { made(1); grep_a::both!(2); println!("{}", made(3)); unheard(4); }
             ^ a/src made().
                              ^ a/src both!
                                        ^ std rust:println
                                                       ^ a/src made().
                                                                 ^ ?
    `,
  ],
  [
    'members: self, fields and methods of one name, traits, bounds, enums, patterns, generics of the library',
    `
    -- src/lib.rs --
    use std::sync::{Arc, Mutex};
    use std::collections::HashMap;
    pub trait Named { fn name(&self) -> &str; fn twice(&self) { self.name(); } }
                                                                     ^ Named#name().
    pub struct Part { pub size: usize }
    impl Part {
        pub fn new(size: usize) -> Self { Self { size } }
                                                 ^ Part#size.
        pub fn size(&self) -> usize { self.size }
                                           ^ Part#size.
        pub fn grown(self) -> Option<Self> { Some(self) }
    }
    impl Named for Part { fn name(&self) -> &str { "part" } }
    pub enum Kind { One, Of(Part), With { part: Part } }
    pub struct Whole<N: Named> { parts: Vec<Part>, shared: Arc<Mutex<Part>>, by: HashMap<u8, Part>, n: N }
    type Result<T> = std::result::Result<T, Error>;
    pub struct Error;
    impl Error { fn code(&self) {} }
    fn make() -> Result<Part> { Ok(Part::new(1)) }
                                         ^ Part#new().
    impl<N: Named> Whole<N> {
        fn all(&self, kind: &Kind, other: impl Named) -> Result<()> {
            self.parts[0].size();
                          ^ Part#size().
            for one in self.parts.iter() { one.name(); one.twice(); }
                                               ^ Part#\`impl Named\`#name().
                                                           ^ Named#twice().
            self.shared.lock().unwrap().size = 2;
                                        ^ Part#size.
            if let Some(found) = self.by.get(&1) { found.size(); }
                                                         ^ Part#size().
            for (_, part) in &self.by { part.size(); }
                                             ^ Part#size().
            self.n.name();
                   ^ Named#name().
            other.name();
                  ^ Named#name().
            match kind {
                Kind::One => {}
                      ^ Kind#One.
                Kind::Of(part) => part.size(),
                                       ^ Part#size().
                Kind::With { part } => part.size(),
                             ^ Kind#With.part.
                                            ^ Part#size().
            }
            let made = make()?;
            made.grown().unwrap().size();
                                  ^ Part#size().
            if let Err(error) = make() { error.code(); }
                                               ^ Error#code().
            self.parts.iter().map(|p| p.grown()).filter_map(|g| g).for_each(|p| assert_eq!(p.size(), 1));
                                        ^ Part#grown().
                                                                                             ^ Part#size().
            let size = 1;
            size;
            ^ -
            Ok(())
        }
    }
    `,
  ],
  [
    'namespaces: types, values and macros of one name, what the language gives beside them',
    `
    -- src/lib.rs --
    mod other;
    mod named;
    use other::{Err, Both};
                ^ src/other.rs Err#
                     ^ src/other.rs Both().
    use named::Some;
               ^ src/named.rs Some#
    pub enum Ok { A(u8), B { b: u8 } }
    pub struct Unit;
    pub struct Pair(pub u8, pub u8);
    pub struct Held { pub f: u8 }
    pub type None = Held;
    fn Held() {}
    mod text { pub fn of() {} }
    fn text() { text::of(); text() }
                ^ text/
                      ^ text/of().
                            ^ text().
    fn f(r: Result<Unit, Err>) -> Result<Ok, Err> {
                         ^ src/other.rs Err#
                                         ^ Ok#
        let unit: Unit = Unit;
                  ^ Unit#
                         ^ Unit#
        let Pair(a, b) = Pair(1, 2);
            ^ Pair#
                         ^ Pair#
        let held = Held { f: 1 };
                   ^ Held#
        Held();
        ^ Held().
        match r {
            Ok(unit) => Ok(Ok::A(1)),
            ^ std rust:Ok
                        ^ std rust:Ok
                           ^ Ok#
                               ^ Ok#A.
            Err(Err::One) => Err(crate::other::Err::One),
            ^ std rust:Err
                ^ src/other.rs Err#
                     ^ src/other.rs Err#One.
                             ^ std rust:Err
                                               ^ src/other.rs Err#
                                                    ^ src/other.rs Err#One.
            Err(e) if Some(1) == None => panic!("{}", Err(1)),
                      ^ std rust:Some
                                 ^ std rust:None
                                                      ^ std rust:Err
        }
    }
    fn g(b: Both) { Both(); other::Both(); named::Some(); }
            ^ src/other.rs Both#
                    ^ src/other.rs Both().
                                   ^ src/other.rs Both().
                                                  ^ elsewhere
    -- src/other.rs --
    pub enum Err { One, Two }
    pub struct Both { pub x: u8 }
    pub fn Both() {}
    fn h() -> Both { use Err::*; assert_eq!(Both(), One); Two; One::<u8>; assert!(Both::<u8>() == Err::Two) }
                                            ^ Both().
                                                    ^ Err#One.
                                                          ^ Err#Two.
                                                               ^ Err#One.
                                                                                  ^ Both().
                                                                                                  ^ Err#
    -- src/named.rs --
    pub trait Some {}
    `,
  ],
  [
    'globs: chains, cycles, shadowing, what others may see, what two give, enums, inner modules, decoys',
    `
    -- src/lib.rs --
    pub mod inner;
    pub mod ring;
    mod user;
    mod left;
    mod right;
    pub use inner::*;
    pub use self::ring::*;
    pub use crate::left::*;
    pub use right::{*, Same as Other};
    pub use deep::most::*;
    pub fn shadowed() {}
    mod deep { pub mod most { pub struct Most; pub(crate) use super::super::ring::Ring as Circle; pub use self::Kind::*; pub enum Kind { Few, Many } } }
    mod decoy { pub struct Alpha; pub struct Most; pub fn both() {} pub struct Far; }
    -- src/inner.rs --
    pub struct Alpha;
    impl Alpha { pub fn go(&self) {} }
    pub fn shadowed() {}
    struct Hidden;
    use std::fmt::Debug as Private;
    pub use far::*;
    pub mod far { pub struct Far; pub use crate::right::both as again; }
    -- src/ring.rs --
    pub use super::*;
    pub struct Ring;
    -- src/left.rs --
    pub fn both() {}
    pub struct Same;
    pub use crate::right::Once;
    struct Hidden;
    -- src/right.rs --
    pub fn both() {}
    pub struct Same;
    pub struct Once;
    -- src/user.rs --
    use crate::{Alpha, Hidden, Private, both, again, Once, Other};
                ^ src/inner.rs Alpha#
                       ^ elsewhere
                               ^ elsewhere
                                        ^ ?
                                              ^ src/right.rs both().
                                                     ^ src/right.rs Once#
                                                           ^ src/right.rs Same#
    use super::*;
    fn f(a: &Alpha, c: Circle, s: Same) {
                       ^ src/ring.rs Ring#
                                  ^ ?
        a.go(); shadowed(); crate::ring::Ring; crate::inner::Far; Many; Most; crate::Kind::Few;
          ^ src/inner.rs Alpha#go().
                ^ src shadowed().
                                         ^ src/ring.rs Ring#
                                                             ^ src/inner.rs far/Far#
                                                                  ^ src deep/most/Kind#Many.
                                                                        ^ src deep/most/Most#
                                                                                     ^ src deep/most/Kind#
                                                                                           ^ src deep/most/Kind#Few.
    }
    mod tests {
        use super::*;
        fn case() { f(); Alpha; Some(Far) }
                    ^ f().
                         ^ src/inner.rs Alpha#
                                ^ std rust:Some
                                     ^ src/inner.rs far/Far#
    }
    `,
  ],
  [
    'globs across crates, of paths that begin at the root, of dependencies',
    `
    -- Cargo.toml --
    [workspace]
    members = ["a", "b"]
    -- a/Cargo.toml --
    [package]
    name = "aa"
    -- a/src/lib.rs --
    pub mod inner { pub struct Alpha; pub(crate) struct Own; pub fn gamma() {} }
    mod file;
    pub use inner::*;
    pub use file::*;
    pub mod prelude { pub use serde::*; pub use crate::file::*; }
    -- a/src/file.rs --
    use inner::gamma;
               ^ a/src inner/gamma().
    pub struct Delta;
    pub fn f() { ::inner::gamma(); }
                          ^ a/src inner/gamma().
    -- b/Cargo.toml --
    [package]
    name = "b"
    [dependencies]
    aa = { path = "../a" }
    serde = "1"
    -- b/src/lib.rs --
    use aa::{Alpha, gamma, Delta};
             ^ a/src inner/Alpha#
                    ^ a/src inner/gamma().
                           ^ a/src/file.rs Delta#
    mod wide { use aa::prelude::*; fn f(d: Delta, s: Serialize) -> Option<u8> { unknown::Thing } }
                                           ^ a/src/file.rs Delta#
                                                                   ^ std rust:Option
    mod star { use aa::*; fn f(d: Delta, o: Own) {} }
                                  ^ a/src/file.rs Delta#
                                            ^ ?
    mod decoy { pub struct Alpha; pub struct Delta; pub fn gamma() {} }
    `,
  ],
];

for (const [name, tree] of cases) {
  test(name, async () => {
    await expectLinks(tree);
  });
}

test('a trait is implemented by what an impl is for, and by a trait that builds on it', async () => {
  await expectLinks(`
    -- src/lib.rs --
    pub mod shapes {
        pub trait Named {}
        pub trait Of<T> {}
    }
    use shapes::Named;
    pub struct Circle;
    pub trait Shape: Named + for<'a> shapes::Of<&'a Circle> + ?Sized where Self: Of<Circle>, Circle: Named {}
                     ^ implementation shapes/Named#
                                             ^ implementation shapes/Of#
                                                    ^ type Circle#
                                                                                 ^ implementation ?
                                                                                                     ^ type shapes/Named#
    impl Named for Circle {}
         ^ implementation shapes/Named#
                   ^ type Circle#
    impl<T: Named> shapes::Of<T> for Circle where T: Named {}
            ^ type shapes/Named#
                           ^ implementation shapes/Of#
                                                     ^ type shapes/Named#
    fn take(one: impl Named, other: &dyn Named) {}
                      ^ type shapes/Named#
                                         ^ type shapes/Named#
  `);
  const { definitions, references } = await factsOf('a.rs', 'struct Circle;\nimpl Named for Circle {}\n');
  const [named] = references.filter(({ kind }) => kind === 'implementation');
  assert.equal(definitions[named!.enclosing]?.name, 'Circle');
});

test('a neighbour that the manifest calls as a crate of the language is called is meant in that package alone', async () => {
  await expectLinks(`
    -- Cargo.toml --
    [workspace]
    members = ["core", "app", "other"]
    [workspace.dependencies]
    core = { package = "acme-core", path = "core" }
    -- core/Cargo.toml --
    [package]
    name = "acme-core"
    -- core/src/lib.rs --
    pub struct Area;
    impl Area { pub fn size(&self) -> u8 { core::mem::size_of::<u8>() as u8 } }
                                                 ^ std rust:mem
    -- app/Cargo.toml --
    [package]
    name = "app"
    [dependencies]
    core = { package = "acme-core", path = "../core" }
    alloc = { package = "rustc-std-workspace-alloc", version = "1" }
    -- app/src/lib.rs --
    use core::Area;
        ^ elsewhere
              ^ core/src Area#
    use alloc::vec::Vec;
               ^ std rust:vec
    pub fn size(of: &Area) -> u8 { of.size() + ::core::Area.size() }
                                      ^ core/src Area#size().
                                                       ^ core/src Area#
                                                            ^ core/src Area#size().
    -- other/Cargo.toml --
    [package]
    name = "other"
    [dependencies]
    app = { path = "../app" }
    -- other/src/lib.rs --
    use core::fmt;
              ^ std rust:fmt
  `);
});
