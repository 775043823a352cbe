import { exampleId, exampleRests } from './examples.ts';
import { exampleCommit, historyFields } from './hotspots.ts';
import { inFormats, operation, withDefault } from './operation.ts';
import { Revision } from './revision.ts';
import { Type } from './schemas.ts';
import { Count, OneOf, Shape, Share, SymbolId, SymbolKind, snapshotFields, Warning } from './shapes.ts';

const ChangedFile = Shape({
  path: Type.String(),
  from: Type.Optional(Type.String({ description: 'Of a renamed file, its path before' })),
  status: OneOf(['added', 'modified', 'deleted', 'renamed']),
  linesAdded: Count('0 of a binary file'),
  linesRemoved: Count('0 of a binary file'),
  binary: Type.Boolean(),
  moduleId: Type.String(),
});

const Reviewer = Shape({
  identity: Type.String(),
  lines: Count('Lines that the change takes away or stands next to and that they wrote'),
  share: Share('Of all such lines that the authors of the change did not write, newer ones counting more'),
  declaredFor: Count('Changed files that the base’s CODEOWNERS names them for'),
});

const ChangedSymbol = Shape({
  id: SymbolId,
  name: Type.String(),
  container: Type.String({ description: 'Name of what it stands in; empty at the top of its file' }),
  kind: SymbolKind,
  path: Type.String(),
  line: Type.Integer(),
  change: OneOf(
    ['added', 'modified', 'removed', 'unexported', 'moved'],
    'removed: path and line are those that it had; unexported: its file exports it no more; moved: its file is another, and something still looks for it in the old one',
  ),
  risk: OneOf(['low', 'medium', 'high', 'critical', 'unknown'], 'Of its impact, as svc impact tells of it'),
  directCount: Count('What uses it directly; of one that is taken away the files that still look for it'),
  transitiveCount: Count('What hangs on that; 0 of one that is taken away'),
  users: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Of one that is removed, unexported or moved: the first of the files that still look for it, by path',
    }),
  ),
});

export const pullRequest = {
  'pr.summary': inFormats(
    { field: 'format', media: { json: 'application/json', markdown: 'text/markdown' } },
    operation({
      summary: 'What a branch changes, how risky that is, and who should look at it',
      http: { method: 'POST', path: '/pr/summary' },
      cli: {
        command: 'pr',
        examples: ['svc pr --base main', 'svc pr --base main --head feature --format markdown'],
        flags: { baseBranch: 'base', headBranch: 'head', includeOwnership: 'owners', includeSymbols: 'symbols' },
      },
      input: Shape({
        baseBranch: Type.Optional(
          Revision(
            'What it is to be merged into: the default branch of the remote, main or master where none is given',
          ),
        ),
        headBranch: withDefault(Revision('What is to be merged'), 'HEAD'),
        includeOwnership: withDefault(
          Type.Boolean({ description: 'Who owns the changed lines, and should review' }),
          true,
        ),
        includeSymbols: withDefault(Type.Boolean({ description: 'Which symbols changed, with their impact' }), true),
        limit: withDefault(
          Type.Integer({ minimum: 1, maximum: 10_000, description: 'Most files that are listed' }),
          300,
        ),
        symbolLimit: withDefault(
          Type.Integer({
            minimum: 1,
            maximum: 1000,
            description:
              'Most symbols that are listed: those that leave somebody behind, then those of the most changed lines',
          }),
          25,
        ),
        format: withDefault(OneOf(['json', 'markdown'], 'markdown: for a comment'), 'json'),
      }),
      output: Shape({
        filesChanged: Count('Files that differ between where the branches parted and the head'),
        linesAdded: Count('As git diff --numstat counts them'),
        linesRemoved: Count('As git diff --numstat counts them'),
        modulesAffected: Type.Array(Type.String()),
        hotspotsTouched: Type.Array(
          Shape({ path: Type.String(), score: Share('Of the hotspot'), trend: Type.String() }),
        ),
        suggestedReviewers: Type.Array(Type.String(), {
          description:
            'By how much of what is changed they wrote, newer lines counting more, then code owners; where nobody else did, who else works on these files or beside them. Who wrote the change is left out',
        }),
        riskAssessment: OneOf(['low', 'medium', 'high', 'critical']),
        riskFactors: Type.Array(Type.String()),
        riskScore: Share('How likely it is that one of the factors does harm, were each to do so by itself'),
        base: Type.String({ description: 'Commit of the base, full hash' }),
        baseName: Type.String(),
        head: Type.String({ description: 'Commit of the head, full hash' }),
        headName: Type.String(),
        mergeBase: Type.String({ description: 'Where they parted, full hash' }),
        commits: Count('Commits of the head that the base has not'),
        authors: Type.Array(Type.String(), {
          description: 'Of these commits, by their trailers (`Co-authored-by`) as well',
        }),
        files: Type.Array(ChangedFile),
        reviewers: Type.Array(Reviewer, { description: 'What the suggestion rests on' }),
        symbolsChanged: Type.Array(ChangedSymbol, {
          description: 'The riskiest first, by what the index of the work tree has of their users',
        }),
        symbolsTotal: Count('Symbols that changed, listed or not, in the files that could be told of'),
        symbolsOmitted: Count(
          'Files of code of which not all symbols could be told: they have not been read yet, can’t be, or are very many',
        ),
        usuallyChangesWith: Type.Array(
          Shape({
            path: Type.String({ description: 'A file that the change leaves as it is' }),
            because: Type.String({ description: 'The changed file that it usually changes with' }),
            strength: Share('Of the commits that changed that, the part that changed this as well'),
            together: Count('Commits that changed both'),
          }),
        ),
        filesNotBlamed: Count(
          'Changed files of which git has not said yet who wrote their lines: who changed them counts in their place. With sync they are waited for',
        ),
        filesNotRead: Count(
          'Changed files of code whose contents before, or in a head that is not checked out, nobody has read yet: what they define is missing. With sync they are waited for',
        ),
        truncated: Type.Boolean(),
        warnings: Type.Optional(Type.Array(Warning)),
        ...historyFields,
        ...snapshotFields,
      }),
      faults: ['invalidBody', 'resourceNotFound', 'preconditionFailed', 'notReady', 'indexStale', 'backendUnavailable'],
      effect: 'read',
      scope: 'repository',
      needs: 'work tree',
      example: {
        input: { baseBranch: 'main', headBranch: 'feature' },
        output: {
          filesChanged: 1,
          linesAdded: 12,
          linesRemoved: 4,
          modulesAffected: ['src'],
          hotspotsTouched: [{ path: 'src/config.ts', score: 0.61, trend: 'increasing' }],
          suggestedReviewers: ['@ann'],
          riskAssessment: 'medium',
          riskFactors: ['touches a hotspot: src/config.ts (0.61)'],
          riskScore: 0.42,
          base: exampleCommit,
          baseName: 'main',
          head: exampleCommit,
          headName: 'feature',
          mergeBase: exampleCommit,
          commits: 2,
          authors: ['ben@example.com'],
          files: [
            {
              path: 'src/config.ts',
              status: 'modified',
              linesAdded: 12,
              linesRemoved: 4,
              binary: false,
              moduleId: 'src',
            },
          ],
          reviewers: [{ identity: '@ann', lines: 4, share: 1, declaredFor: 0 }],
          symbolsChanged: [
            {
              id: exampleId,
              name: 'parseConfig',
              container: '',
              kind: 'function',
              path: 'src/config.ts',
              line: 12,
              change: 'modified',
              risk: 'medium',
              directCount: 9,
              transitiveCount: 21,
            },
          ],
          symbolsTotal: 1,
          symbolsOmitted: 0,
          filesNotRead: 0,
          usuallyChangesWith: [
            { path: 'docs/configuration.md', because: 'src/config.ts', strength: 0.55, together: 21 },
          ],
          filesNotBlamed: 0,
          truncated: false,
          commit: exampleCommit,
          ...exampleRests,
        },
      },
    }),
  ),
};
