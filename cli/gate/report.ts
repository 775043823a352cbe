import type { Session } from '../session.ts';
import { safe } from '../terminal.ts';
import type { Finding } from './findings.ts';
import type { FindingFormat } from './flags.ts';

/** What a gate found. */
export interface Outcome {
  readonly failed: boolean;
  /** Without those that a baseline knows. */
  readonly findings: readonly Finding[];
  /** How many a baseline knows. */
  readonly known: number;
  /** What is to be said beside it. */
  readonly notes: readonly string[];
}

/** Writes what was found: a line each for people and problem matchers, one document for programs. */
export function writeOutcome(
  { terminal, format, version }: Pick<Session, 'terminal' | 'format' | 'version'>,
  findingFormat: FindingFormat | undefined,
  { failed, findings, known, notes }: Outcome,
): void {
  const write = (line: string): void => terminal.out(`${line}\n`);
  if (findingFormat === 'github') for (const one of findings) write(githubLine(one));
  else if (findingFormat === 'sarif') write(JSON.stringify(sarifLog(findings, version)));
  else if (format === 'json') write(JSON.stringify({ failed, findings, known, notes }));
  else if (format === 'plain') for (const one of findings) write(plainLine(one));
  else for (const one of findings) write(humanLine(one));
  if (format === 'json' || format === 'plain') return;
  for (const note of notes) terminal.err(`${safe(note)}\n`);
}

/** As compilers tell what they find. */
function humanLine({ path, line, column = 1, level = 'error', message }: Finding): string {
  return `${safe(path)}:${line}:${column}: ${level}: ${safe(message)}`;
}

function plainLine({ path, line, rule, name, value, limit }: Finding): string {
  return [`${path}:${line}`, rule, name, String(value ?? ''), String(limit ?? '')].map(safe).join('\t');
}

/** A workflow command of GitHub Actions, which escape what would end a part of it. */
function githubLine({ path, line, column, endColumn, rule, level = 'error', message }: Finding): string {
  const text = (part: string): string => part.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const property = (part: string): string => text(part).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const columns =
    column === undefined ? '' : `,col=${column}${endColumn === undefined ? '' : `,endColumn=${endColumn}`}`;
  return `::${level} file=${property(path)},line=${line}${columns},title=${property(`svc ${rule}`)}::${text(message)}`;
}

/** SARIF 2.1.0, as far as code scanning reads it. */
function sarifLog(findings: readonly Finding[], version: string): object {
  const rules = [...new Set(findings.map(({ rule }) => rule))].sort().map(id => ({ id }));
  const results = findings.map(({ rule, message, path, line, column, endColumn, name, level = 'error', id }) => ({
    ruleId: rule,
    level,
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' },
          region: {
            startLine: line,
            ...(column === undefined ? {} : { startColumn: column }),
            ...(endColumn === undefined ? {} : { endColumn }),
          },
        },
      },
    ],
    partialFingerprints: { 'svc/v1': id ?? JSON.stringify([rule, path, name]) },
  }));
  const tool = { driver: { name: 'svc', version, rules } };
  const run = { tool, columnKind: 'utf16CodeUnits', results };
  return { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
}
