import { baseName } from '../../model/paths.ts';
import { buildReaderOf } from './builds/readers.ts';
import { cppReader } from './languages/cpp.ts';
import { csharpReader } from './languages/csharp.ts';
import { dartReader } from './languages/dart.ts';
import { elixirReader, erlangReader } from './languages/elixir.ts';
import { goReader } from './languages/go.ts';
import { javascriptReader } from './languages/javascript.ts';
import { javaReader, kotlinReader } from './languages/jvm.ts';
import { phpReader } from './languages/php.ts';
import { pythonReader } from './languages/python.ts';
import { rubyReader } from './languages/ruby.ts';
import { rustReader } from './languages/rust.ts';
import { scalaReader } from './languages/scala.ts';
import { objectiveCReader, swiftReader } from './languages/swift.ts';
import type { Reader } from './reader.ts';
import { placesOfPlay, playReader } from './routes/play.ts';

/** How a file is looked through, by its path; undefined where nothing in it can be a use. */
export function readerOf(path: string): (Reader & { readonly language: string }) | undefined {
  const build = buildReaderOf(path);
  if (build !== undefined) return { ...build, language: 'configuration' };
  if (placesOfPlay.test(path)) return { ...playReader, language: 'scala' };
  const name = baseName(path);
  const dot = name.lastIndexOf('.');
  const extension = dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
  if (!Object.hasOwn(languages, extension)) return undefined;
  const [language, reader] = languages[extension]!;
  return { ...reader, language };
}

/** By what a file's name ends in. */
const languages: Readonly<Record<string, readonly [language: string, reader: Reader]>> = {
  go: ['go', goReader],
  java: ['java', javaReader],
  kt: ['kotlin', kotlinReader],
  kts: ['kotlin', kotlinReader],
  scala: ['scala', scalaReader],
  sc: ['scala', scalaReader],
  cs: ['csharp', csharpReader],
  cc: ['cpp', cppReader],
  cpp: ['cpp', cppReader],
  cxx: ['cpp', cppReader],
  'c++': ['cpp', cppReader],
  hh: ['cpp-header', cppReader],
  hpp: ['cpp-header', cppReader],
  hxx: ['cpp-header', cppReader],
  h: ['header', cppReader],
  py: ['python', pythonReader],
  pyi: ['python', pythonReader],
  pyw: ['python', pythonReader],
  rb: ['ruby', rubyReader],
  rake: ['ruby', rubyReader],
  php: ['php', phpReader],
  rs: ['rust', rustReader],
  dart: ['dart', dartReader],
  swift: ['swift', swiftReader],
  m: ['objective-c', objectiveCReader],
  mm: ['objective-c', objectiveCReader],
  ex: ['elixir', elixirReader],
  exs: ['elixir', elixirReader],
  erl: ['erlang', erlangReader],
  hrl: ['erlang', erlangReader],
  ts: ['typescript', javascriptReader],
  mts: ['typescript', javascriptReader],
  cts: ['typescript', javascriptReader],
  tsx: ['tsx', javascriptReader],
  js: ['javascript', javascriptReader],
  mjs: ['javascript', javascriptReader],
  cjs: ['javascript', javascriptReader],
  jsx: ['javascript', javascriptReader],
  vue: ['vue', javascriptReader],
  svelte: ['svelte', javascriptReader],
  astro: ['astro', javascriptReader],
};
