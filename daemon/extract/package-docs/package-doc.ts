import type { Markup } from '../../model/about-files.ts';
import { type CommentStyle, type LeadingComment, leadingComments } from './leading-comments.ts';

/** What the source of a package says of it, its marks as comments taken away. */
export interface PackageDoc {
  readonly text: string;
  readonly markup: Markup;
  /** 0-based, of the first line of `text`. */
  readonly line: number;
}

/**
 * The documentation of a package or module in one of its files, where the language has a place for that: see `places`.
 * What grants a licence is none. Undefined where there is none.
 */
export function packageDoc(source: string, language: string): PackageDoc | undefined {
  const read = Object.hasOwn(places, language) ? places[language] : undefined;
  return read?.(source);
}

const slashes: CommentStyle = { line: /^\s*\/\/[/!]? ?/, isBlock: true, passed: /^(?:'use strict'|"use strict");?$/ };
const ofRust: CommentStyle = { line: /^\s*\/\/(?:!|\/(?!\/)|) ?/, isBlock: true, passed: /^#!?\[/ };
const ofHeaders: CommentStyle = { ...slashes, passed: /^#\s*(?:pragma|ifndef|define)\b/ };
const ofPhp: CommentStyle = {
  line: /^\s*(?:#(?!\[)|\/\/) ?/,
  isBlock: true,
  passed: /^(?:<\?(?:php)?|declare\s*\(.{0,80}\);)$/,
};
const hashes: CommentStyle = { line: /^\s*# ?/, isBlock: false, passed: /^$/ };

/** Where each language says what a package is. */
const places: Readonly<Record<string, (source: string) => PackageDoc | undefined>> = {
  // The comment right above the package clause; of files that say nothing of the package it is of something else.
  go: source => {
    const doc = docOf(
      leadingComments(source, slashes).find(one => !one.isApart && /^package\s/.test(one.next)),
      'plain',
    );
    return doc !== undefined && /^(?:Package|Command|Program|The|This|An?)\s/.test(doc.text) ? doc : undefined;
  },
  // `//!` and `/*!` are about what they stand in.
  rust: source =>
    docOf(
      leadingComments(source, ofRust).find(({ mark }) => /^(?:\/\/!|\/\*!)$/.test(mark)),
      'markdown',
    ),
  python: docstring,
  // In package-info.java, and of Kotlin in no file but that.
  java: source =>
    javadoc(leadingComments(source, slashes).find(({ mark, next }) => mark === '/**' && /^(?:@|package\s)/.test(next))),
  csharp: xmlSummary,
  // Above the directive, which may be left out.
  dart: source =>
    docOf(
      leadingComments(source, slashes).find(
        ({ mark, next }) => mark === '///' && /^(?:library|import|export|part)\b|^@/.test(next),
      ),
      'markdown',
    ),
  typescript: ofScript,
  javascript: ofScript,
  ruby: source =>
    docOf(
      leadingComments(source, hashes).findLast(({ next }) => /^(?:module|class|require|autoload)\b/.test(next)),
      'rdoc',
    ),
  php: source =>
    javadoc(
      leadingComments(source, ofPhp).find(
        one => one.mark === '/**' && isOfFile(one, /^(?:namespace|use|declare|require|return)\b/),
      ),
    ),
  c: ofHeader,
  cpp: ofHeader,
};

/** With a tag that says so, or else on its own, in front of what the file begins with. */
function ofScript(source: string): PackageDoc | undefined {
  const comments = leadingComments(source, slashes);
  const isTagged = ({ lines }: LeadingComment): boolean => lines.some(line => fileTag.test(line));
  const isApart = (one: LeadingComment): boolean =>
    one.mark === '/**' && isOfFile(one, /^(?:import|export\s*[*{]|const .{0,300}require\()/);
  return firstOf(comments.filter(isTagged), javadoc) ?? firstOf(comments.filter(isApart), javadoc);
}

const fileTag = /@(?:packageDocumentation|fileoverview|fileOverview|file|module)\b/;

/** Doxygen's pages of a file or of all, else what stands above the code of a header. */
function ofHeader(source: string): PackageDoc | undefined {
  const comments = leadingComments(source, ofHeaders);
  const isPage = ({ lines }: LeadingComment): boolean =>
    lines.some(line => /[@\\](?:mainpage|file|brief)\b/.test(line));
  const isApart = (one: LeadingComment): boolean => one.isApart || one.next.startsWith('#');
  return firstOf(comments.filter(isPage), javadoc) ?? firstOf(comments.filter(isApart), one => docOf(one, 'plain'));
}

/** The first comment that says something: others grant licences. */
function firstOf(
  comments: readonly LeadingComment[],
  read: (comment: LeadingComment) => PackageDoc | undefined,
): PackageDoc | undefined {
  for (const one of comments) {
    const doc = read(one);
    if (doc !== undefined) return doc;
  }
  return undefined;
}

/** Not of what the next line defines. */
function isOfFile({ next, isApart }: LeadingComment, begins: RegExp): boolean {
  return isApart || begins.test(next);
}

function docstring(source: string): PackageDoc | undefined {
  const head = source.slice(0, 64 * 1024);
  const [, before = '', quote = '', text = ''] =
    /^((?:[ \t]*(?:#[^\n]*)?\r?\n)*)[rRuU]{0,2}("""|''')([\s\S]*?)\2/.exec(head.replace(/^\ufeff/, '')) ?? [];
  if (quote === '') return undefined;
  const line = before.split('\n').length - 1;
  return docIn(
    text.split(/\r?\n/).map((one, at) => (at === 0 ? one.trimStart() : one)),
    line,
    'restructured',
  );
}

/** `/// <summary>` of a class that is there for that, or what the attributes of an assembly say. */
function xmlSummary(source: string): PackageDoc | undefined {
  const head = source.slice(0, 64 * 1024);
  const described = /\[assembly:\s*AssemblyDescription\("([^"\n]{1,1000})"\)\]/.exec(head);
  if (described !== null) return docIn([described[1]!], lineAt(head, described.index), 'plain');
  const page = head.search(/\bclass\s+\w{0,80}NamespaceDoc\b/);
  const from = head.lastIndexOf('<summary>', page);
  const to = head.indexOf('</summary>', from);
  if (page < 0 || from < 0 || to > page) return undefined;
  const lines = head.slice(from + '<summary>'.length, to).split(/\r?\n/);
  return docIn(
    lines.map(line => withoutXml(line.replace(/^\s*\/\/\/ ?/, ''))),
    lineAt(head, from),
    'plain',
  );
}

function withoutXml(line: string): string {
  return line
    .replace(/<(?:see|paramref|typeparamref)\s[^>]{0,80}?(?:cref|langword|name)="(?:\w:)?([^"]{1,200})"\s*\/>/g, '$1')
    .replace(/<\/?\w{1,20}[^>]{0,200}>/g, '');
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length - 1;
}

/** A comment in the manner of Javadoc: tags end it but for those that say that it is the file's, inline ones are their words. */
function javadoc(comment: LeadingComment | undefined): PackageDoc | undefined {
  if (comment === undefined) return undefined;
  const lines = comment.lines.map(inlineTags);
  const own = lines.findIndex(line =>
    /^\s*[@\\](?!(?:packageDocumentation|file|brief|mainpage|module|description|since)\b|fileoverview\b|fileOverview\b)\w/.test(
      line,
    ),
  );
  const kept = (own < 0 ? lines : lines.slice(0, own)).map(line =>
    line
      .replace(/^\s*[@\\](?:packageDocumentation|fileoverview|fileOverview|brief|description)\b:?\s*/, '')
      .replace(/^\s*[@\\](?:mainpage)\s.*$/, '')
      .replace(/^\s*[@\\](?:file|module|since)\b.*$/, '')
      .replace(/^\s*<p>\s*/i, ''),
  );
  return docIn(kept, comment.line, 'markdown');
}

function inlineTags(line: string): string {
  return line
    .replace(/\{@(?:code|literal|value)\s+([^{}]{1,500})\}/g, '$1')
    .replace(
      /\{@(?:link|linkplain|see)\s+([^{}\s|]{1,300})(?:[\s|]+([^{}]{1,300}))?\}/g,
      (_, target: string, label?: string) => label ?? target.replace(/^.*[.#/]/, ''),
    )
    .replace(/\{@inheritDoc\}/g, '');
}

function docOf(comment: LeadingComment | undefined, markup: Markup): PackageDoc | undefined {
  return comment === undefined ? undefined : docIn(comment.lines, comment.line, markup);
}

/** Without paragraphs of licences and lines for tools; undefined where nothing is left. */
function docIn(lines: readonly string[], line: number, markup: Markup): PackageDoc | undefined {
  const kept = withoutLicence(lines.map(one => (forTools.test(one) ? '' : one)));
  const first = kept.findIndex(one => one.trim() !== '');
  if (first < 0) return undefined;
  return { text: kept.slice(first).join('\n').trimEnd(), markup, line: line + first };
}

/** Magic comments, pragmas, directives of linters and builds, editors' lines. */
const forTools =
  /^\s*(?:go:\w|\+build\s|frozen_string_literal:|encoding:|-\*-|vim:|eslint-|@ts-|tslint:|prettier-|typed:|rubocop:|warn_indent:|:markup:|:include:|:nodoc:|:stopdoc:|:startdoc:|--\s*$|\+\+\s*$|ignore_for_file|@dart\s*=|swagger:|nolint|clang-format|NOLINT|cspell:|istanbul )/;

const licence =
  /code generated|do not edit|auto-?generated|copyright|\(c\)\s*\d{4}|©|licen[sc]ed?\b|SPDX-|all rights reserved|warrant(?:y|ies)|permission is hereby|redistribution and use|www\.apache\.org|without limitation the rights|in no event shall/i;

/** Once a licence begins, a paragraph ends it that has none of its words. */
function withoutLicence(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at < lines.length; ) {
    let end = at;
    while (end < lines.length && lines[end]!.trim() !== '') end++;
    const paragraph = lines.slice(at, end);
    const isLicence = licence.test(paragraph.join(' '));
    kept.push(...(isLicence ? paragraph.map(() => '') : paragraph));
    if (end < lines.length) kept.push('');
    at = end + 1;
  }
  return kept;
}
