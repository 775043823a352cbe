import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

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
];

for (const [name, tree] of cases) {
  test(name, async () => {
    await expectLinks(tree);
  });
}
