/** A language server: what to look for and what it speaks. */
export interface LanguageServer {
  readonly name: string;
  /** Looked for on PATH, or an absolute path; arguments follow. */
  readonly command: readonly string[];
  /** Languages as snapshots count them. */
  readonly languages: readonly string[];
  /** The user has written it down: that it is missing is worth a word. */
  readonly isConfigured?: boolean;
  /** The command that installs it, where there is one for all systems. */
  readonly install?: string;
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
    install: 'npm install --global typescript-language-server typescript',
    // Else another server answers from the open file alone until the first has read the project.
    options: { tsserver: { useSyntaxServer: 'never' } },
  },
  {
    name: 'pyright',
    command: ['pyright-langserver', '--stdio'],
    languages: ['python'],
    install: 'npm install --global pyright',
  },
  { name: 'gopls', command: ['gopls'], languages: ['go'], install: 'go install golang.org/x/tools/gopls@latest' },
  {
    name: 'rust-analyzer',
    command: ['rust-analyzer'],
    languages: ['rust'],
    install: 'rustup component add rust-analyzer',
  },
  { name: 'clangd', command: ['clangd', '--background-index=false'], languages: ['c', 'cpp'] },
  { name: 'jdtls', command: ['jdtls'], languages: ['java'] },
  { name: 'kotlin-language-server', command: ['kotlin-language-server'], languages: ['kotlin'] },
  {
    name: 'csharp-ls',
    command: ['csharp-ls'],
    languages: ['csharp'],
    install: 'dotnet tool install --global csharp-ls',
  },
  { name: 'ruby-lsp', command: ['ruby-lsp'], languages: ['ruby'], install: 'gem install ruby-lsp' },
  {
    name: 'intelephense',
    command: ['intelephense', '--stdio'],
    languages: ['php'],
    install: 'npm install --global intelephense',
  },
  { name: 'dart', command: ['dart', 'language-server'], languages: ['dart'] },
];

/** The identifiers of LSP where they differ from ours. */
export function languageId(language: string, path: string): string {
  if (/\.tsx$/.test(path)) return 'typescriptreact';
  return /\.jsx$/.test(path) ? 'javascriptreact' : language;
}
