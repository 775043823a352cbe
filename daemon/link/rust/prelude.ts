/** What every module of Rust sees without a `use`; `[]` and `tuple` are how extraction writes arrays and tuples. */
export const preludeTypes: ReadonlySet<string> = new Set(
  `Option Result Vec String Box ToString ToOwned Clone Copy Send Sync Sized Drop Fn FnMut FnOnce Iterator
  IntoIterator Extend DoubleEndedIterator ExactSizeIterator Default Eq PartialEq Ord PartialOrd AsRef AsMut Into From
  TryFrom TryInto FromIterator Unpin Debug Hash bool char str u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32
  f64 [] tuple`.split(/\s+/),
);

/** What is called with `!`, and what can be derived. */
export const macroNames: ReadonlySet<string> = new Set(
  `println print eprintln eprint format write writeln vec panic assert assert_eq assert_ne debug_assert debug_assert_eq
  debug_assert_ne todo unimplemented unreachable matches dbg env option_env concat include include_str include_bytes line
  column file module_path stringify cfg compile_error thread_local format_args Debug Clone Copy Default Hash PartialEq Eq PartialOrd Ord`.split(
    /\s+/,
  ),
);
