/** A language server: what to look for and what it speaks. */
export interface LanguageServer {
  readonly name: string;
  /** Looked for on PATH, or an absolute path; arguments follow. */
  readonly command: readonly string[];
  /** Languages as snapshots count them. */
  readonly languages: readonly string[];
  /** The user has written it down: that it is missing is worth a word. */
  readonly isConfigured?: boolean;
  /** What it is told with the greeting. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/**
 * Servers that are looked for. Each may run what it finds in a repository (plugins, build scripts, the workspace's own
 * compiler), so that only repositories are shown to them which the user trusts.
 */
export const languageServers: readonly LanguageServer[] = [
  {
    name: 'typescript-language-server',
    command: ['typescript-language-server', '--stdio'],
    languages: ['typescript', 'javascript'],
    // Else another server answers from the open file alone until the first has read the project.
    options: { tsserver: { useSyntaxServer: 'never' } },
  },
  { name: 'pyright', command: ['pyright-langserver', '--stdio'], languages: ['python'] },
  { name: 'gopls', command: ['gopls'], languages: ['go'] },
  { name: 'rust-analyzer', command: ['rust-analyzer'], languages: ['rust'] },
  { name: 'clangd', command: ['clangd', '--background-index=false'], languages: ['c', 'cpp'] },
  { name: 'jdtls', command: ['jdtls'], languages: ['java'] },
  { name: 'kotlin-language-server', command: ['kotlin-language-server'], languages: ['kotlin'] },
  { name: 'csharp-ls', command: ['csharp-ls'], languages: ['csharp'] },
  { name: 'ruby-lsp', command: ['ruby-lsp'], languages: ['ruby'] },
  { name: 'intelephense', command: ['intelephense', '--stdio'], languages: ['php'] },
  { name: 'dart', command: ['dart', 'language-server'], languages: ['dart'] },
];

/** The identifiers of LSP where they differ from ours. */
export function languageId(language: string, path: string): string {
  if (/\.tsx$/.test(path)) return 'typescriptreact';
  return /\.jsx$/.test(path) ? 'javascriptreact' : language;
}
