import { test } from 'node:test';
import { expectLinks } from '../../support/carets.ts';

const cases: readonly (readonly [name: string, tree: string])[] = [
  [
    'what a `use` binds is seen in its module, beside it, in its crate or everywhere, as it says',
    `
    -- Cargo.toml --
    [workspace]
    members = ["a", "b"]
    -- a/Cargo.toml --
    [package]
    name = "aa"
    -- a/src/lib.rs --
    mod kind;
    mod inner;
    pub mod shown { use crate::kind::Deep; pub(crate) use crate::kind::Own; pub(self) use crate::kind::Self_; }
    use kind::Kind::Load;
    use kind::Deep;
    pub use inner::{Open, Wide};
    pub(crate) use kind::Own;
    fn f() { Deep; Own; shown::Own; shown::Deep; shown::Self_; }
             ^ a/src/kind.rs Deep#
                   ^ a/src/kind.rs Own#
                               ^ a/src/kind.rs Own#
    -- a/src/kind.rs --
    pub enum Kind { Load }
    pub struct Deep;
    pub struct Own;
    pub struct Self_;
    fn f() { crate::Load; super::Deep; crate::shown::Deep; crate::shown::Own; }
                    ^ Kind#Load.
                                 ^ Deep#
                                                     ^ ?
                                                                         ^ Own#
    -- a/src/inner/mod.rs --
    pub(super) use crate::kind::Deep;
    pub(in super) use crate::kind::Own;
    pub struct Open;
    pub struct Wide;
    pub mod leaf;
    fn f() { self::Deep; }
                   ^ a/src/kind.rs Deep#
    -- a/src/inner/leaf.rs --
    use crate::kind::Own;
    fn f() { super::Deep; Own; }
                    ^ a/src/kind.rs Deep#
                          ^ a/src/kind.rs Own#
    -- b/Cargo.toml --
    [package]
    name = "b"
    [dependencies]
    aa = { path = "../a" }
    -- b/src/lib.rs --
    use aa::{Load, Deep, Own, Open};
             ^ ?
                   ^ ?
                         ^ ?
                              ^ a/src/inner Open#
    fn f() { aa::shown::Own; }
                        ^ ?
    `,
  ],
  [
    'a trait and the macro that derives it, of one name: by a `use` each, by one for both, beside a private name',
    `
    -- Cargo.toml --
    [workspace]
    members = ["x", "y", "z"]
    -- x/Cargo.toml --
    [package]
    name = "x"
    [lib]
    proc-macro = true
    -- x/src/lib.rs --
    mod kind;
    use kind::Kind::Load;
    /// Derives.
    #[proc_macro_derive(Load, attributes(load))]
    // Really.
    #[allow(unused)]
    pub fn derive_load(item: TokenStream) -> TokenStream { Load; made(item) }
                                                           ^ x/src/kind.rs Kind#Load.
    #[proc_macro_attribute]
    pub fn handler(a: TokenStream, item: TokenStream) -> TokenStream { made(item) }
    #[proc_macro]
    pub fn path(item: TokenStream) -> TokenStream { made(item) }
    fn made(item: TokenStream) -> TokenStream { item }
    -- x/src/kind.rs --
    pub(crate) enum Kind { Load }
    -- y/Cargo.toml --
    [package]
    name = "y"
    [dependencies]
    x = { path = "../x" }
    -- y/src/lib.rs --
    mod core { pub trait Load { fn load(&self); } }
    pub use self::core::Load;
                        ^ core/Load#
    #[cfg(feature = "macros")]
    pub use x::Load;
               ^ x/src derive_load!
    pub use x::{handler, path as way};
                ^ x/src handler!
                         ^ x/src path!
    struct P;
    impl Load for P { fn load(&self) {} }
         ^ implementation core/Load#
    fn f<T: Load>(t: T, d: &dyn Load) { t.load(); d.load() }
            ^ type core/Load#
                                ^ type core/Load#
                                          ^ core/Load#load().
                                                    ^ core/Load#load().
    #[derive(Load, Debug, ::std::clone::Clone)]
             ^ call x/src derive_load!
                   ^ std rust:Debug
                                        ^ std rust:clone.Clone
    #[load(skip)]
      ^ -
    struct Q;
    -- z/Cargo.toml --
    [package]
    name = "z"
    [dependencies]
    y = { path = "../y" }
    -- z/src/lib.rs --
    use y::{Load, handler, way};
            ^ import y/src core/Load#
                  ^ import x/src handler!
    #[cfg_attr(feature = "s", derive(Load))]
                                     ^ x/src derive_load!
    struct S;
    #[derive(y::Load)]
                ^ call x/src derive_load!
    struct R;
    #[handler]
      ^ call x/src handler!
    fn f(s: impl Load) { s.load(); way!(); fn Load() {} }
                 ^ type y/src core/Load#
                           ^ y/src core/Load#load().
                                   ^ x/src path!
    #[y::handler(a)]
         ^ call x/src handler!
    fn g() {}
    #[rustfmt::skip]
               ^ -
    fn h() {
        struct Load;
        #[derive(Load)]
                 ^ call x/src derive_load!
        struct In;
    }
    `,
  ],
  [
    'declarations of which one is compiled, and names that a macro may declare',
    `
    -- Cargo.toml --
    [package]
    name = "a"
    -- src/lib.rs --
    mod unix;
    mod other;
    mod made;
    #[cfg(unix)]
    pub use unix::Handle;
    #[cfg(not(unix))]
    pub use other::Handle;
    made_by! { thing }
    fn f(a: Handle, b: made::Nothing, c: crate::Made) { a.close(); }
            ^ src/unix.rs Handle#
                             ^ elsewhere
                                                ^ ?
                                                          ^ src/unix.rs Handle#close().
    -- src/unix.rs --
    pub struct Handle;
    impl Handle { pub fn close(&self) {} }
    -- src/other.rs --
    pub struct Handle;
    impl Handle { pub fn close(&self) {} }
    -- src/made.rs --
    pub struct Something;
    `,
  ],
  [
    'macros that a crate exports from a module, files that only a macro declares',
    `
    -- Cargo.toml --
    [package]
    name = "a"
    -- src/lib.rs --
    #[macro_use]
    mod macros;
    cfg_net! { pub mod net; mod tcp; }
    fn f() { net::open(); crate::made!(1); crate::hidden!(1); }
             ^ elsewhere
                  ^ src/net open().
                                 ^ src/macros.rs made!
                                                  ^ ?
    -- src/macros.rs --
    #[macro_export]
    macro_rules! made { ($x:expr) => { $x } }
    macro_rules! hidden { ($x:expr) => { $x } }
    -- src/net/mod.rs --
    pub fn open() { super::tcp::connect(); crate::tcp::connect(); crate::lone::None; }
                                ^ src/tcp.rs connect().
                                                       ^ src/tcp.rs connect().
                                                                         ^ ?
    -- src/tcp.rs --
    pub fn connect() { crate::net::open(); }
                                   ^ src/net open().
    -- src/bin/tool.rs --
    use a::{made, net::open};
            ^ src/macros.rs made!
                       ^ src/net open().
    fn main() { crate::helper(); made!(1); }
                       ^ helper().
                                 ^ src/macros.rs made!
    fn helper() {}
    -- tests/main.rs --
    all! {}
    fn helper() {}
    -- tests/other.rs --
    fn f() { crate::helper(); }
                    ^ helper().
    fn helper() {}
    `,
  ],
  [
    'what is awaited: futures by their implementation, by a bound, and all that functions give which are async',
    `
    -- src/lib.rs --
    use std::future::{Future, IntoFuture};
    use std::pin::Pin;
    pub struct Request;
    pub struct Reply;
    impl Request { pub fn text(self) -> Request { self } }
    impl Reply { pub fn text(&self) {} fn next(self) -> Reply { self } }
    impl IntoFuture for Request { type Output = Reply; }
    pub struct Sum;
    impl std::ops::Add for Sum { type Output = Reply; }
    impl Sum { fn text(&self) {} }
    struct Held<T> { held: T }
    impl<T> Future for Held<T> { type Output = T; }
    type Boxed<T> = Pin<Box<dyn Future<Output = T> + Send>>;
    async fn ask() -> Reply { Reply }
    async fn sum() -> Sum { Sum }
    fn later() -> impl Future<Output = Reply> { ask() }
    fn boxed() -> Boxed<Reply> { Box::pin(ask()) }
    async fn f(request: Request, held: Held<Reply>, all: impl Iterator<Item = Reply>) {
        request.text().text();
                       ^ Request#text().
        request.text().await.text();
                             ^ Reply#text().
        ask().await.next().text();
                           ^ Reply#text().
        sum().await.text();
                    ^ Sum#text().
        later().await.text();
                      ^ Reply#text().
        boxed().await.text();
                      ^ Reply#text().
        held.await.text();
                   ^ Reply#text().
        assert!(request.await.text());
                              ^ Reply#text().
        for one in all { one.text(); }
                             ^ Reply#text().
    }
    `,
  ],
  [
    'what a loop gives over a type of the repository, and chains in what a macro is given',
    `
    -- src/lib.rs --
    #[derive(Default, Clone)]
    pub struct Part;
    impl Part { pub fn size(&self) -> usize { 1 } }
    pub struct Steps { left: usize }
    impl Iterator for Steps { type Item = Part; fn next(&mut self) -> Option<Self::Item> { None } }
    pub struct Bag<T> { held: Vec<T> }
    impl<'a, T> IntoIterator for &'a Bag<T> { type Item = &'a T; }
    type Parts = Bag<Part>;
    fn f(steps: Steps, bag: &Bag<Part>, parts: Parts, list: Vec<Part>) {
        for one in steps { one.size(); }
                               ^ Part#size().
        for one in bag { one.size(); }
                             ^ Part#size().
        for one in &parts { one.size(); }
                                ^ Part#size().
        for one in list { one.size(); }
                              ^ Part#size().
        assert_eq!(Part::default().size(), bag.held[0].clone().size());
                                   ^ Part#size().
                                                               ^ Part#size().
        assert!(list.into_iter().collect::<Vec<Part>>()[0].size() == 1);
                                               ^ Part#
                                                           ^ Part#size().
    }
    `,
  ],
  [
    'attributes name functions and types for the macros that read them, and texts take constants in',
    `
    -- src/main.rs --
    mod cli;
    mod limits;
    use limits::*;
    pub const WIDTH: usize = 3;
    fn main() {
        let width = 1;
        println!("{width} {WIDTH:>4} {{WIDTH}} {MOST}", );
                   ^ -
                           ^ WIDTH.
                                       ^ -
                                                ^ src/limits.rs MOST.
    }
    -- src/limits.rs --
    pub const MOST: usize = 9;
    -- src/cli.rs --
    #[derive(Parser)]
    #[command(name = "x", version = crate::cli::version())]
                                                ^ call version().
    pub struct Cli {
        #[arg(long, value_parser = parse_port, default_value_t = port())]
                                   ^ parse_port().
                                                                 ^ call port().
        port: u16,
        #[serde(default = "port", rename = "version", with = "crate::cli::dates", deserialize_with = "other::read")]
                           ^ port().
                                            ^ -
                                                                          ^ dates/
                                                                                                      ^ -
        day: u8,
        #[tracing::instrument(fields(id = port))]
        #[cfg_attr(feature = "port", serde(skip_serializing_if = "self::is_none"))]
                              ^ -
                                                                        ^ is_none().
        id: u8,
    }
    pub fn parse_port(_: &str) -> u16 { 1 }
    pub fn port() -> u16 { 1 }
    pub fn version() -> &'static str { "" }
    pub fn is_none(_: &u8) -> bool { false }
    pub mod dates { pub fn serialize() {} pub fn deserialize() {} }
    `,
  ],
];

for (const [name, tree] of cases) {
  test(name, async () => {
    await expectLinks(tree);
  });
}

test('what is of another crate has the methods of traits that the file declares or uses', () =>
  expectLinks(`
  -- Cargo.toml --
  [package]
  name = "app"
  -- src/ext.rs --
  use std::path::Path;
  pub trait Twice { fn twice(&self) -> String; fn more(&self) {} }
  impl Twice for String {
    fn twice(&self) -> String { self.more(); self.clone() }
                                     ^ Twice#more().
                                                  ^ std rust:String.clone
  }
  impl Twice for str { fn twice(&self) -> String { String::new() } }
  impl<T> Twice for Vec<T> { fn twice(&self) -> String { String::new() } }
  impl Twice for Path { fn twice(&self) -> String { self.more(); String::new() } }
                                                         ^ Twice#more().
  pub trait Blank { fn blank(&self); }
  impl<T> Blank for T { fn blank(&self) {} }
  #[cfg(test)]
  mod tests {
    use super::*;
    fn t(s: &str) { s.twice(); }
                      ^ Twice#twice().
  }
  -- src/lib.rs --
  mod ext;
  use crate::ext::{Blank, Twice as _};
  struct Own;
  fn f(s: &str, n: u32, v: Vec<u8>, own: Own) {
    s.twice();
      ^ src/ext.rs Twice#twice().
    n.twice();
      ^ std rust:u32.twice
    v.twice();
      ^ src/ext.rs Twice#twice().
    "x".twice();
        ^ src/ext.rs Twice#twice().
    String::new().twice();
                  ^ src/ext.rs Twice#twice().
    own.blank();
        ^ src/ext.rs Blank#blank().
    v.blank();
      ^ src/ext.rs Blank#blank().
    s.len();
      ^ std rust:str.len
    let c = s.to_string(); c.twice();
                             ^ ?
  }
  -- src/other.rs --
  fn f(s: &str) { s.twice(); }
                    ^ std rust:str.twice
  `));
