import type { Flag } from '../commands.ts';

/** What of an answer may be held against a bound: how complex functions are, or how many symbols are found. */
export type GateKind = 'functions' | 'symbols';

/** What the command line said of a gate. */
export interface GateAsked {
  /** As `--fail-over` has it. */
  readonly failOver?: string;
  readonly failOn?: number;
  readonly baseline?: string;
  readonly format?: FindingFormat;
}

const findingFormats = ['github', 'sarif'] as const;
export type FindingFormat = (typeof findingFormats)[number];

const baseline = value('baseline', 'baseline', 'A file of svc baseline: what it lists is no finding', 'string');
const format = {
  ...value('format', 'format', 'How findings are written, for other programs', 'string'),
  schema: { type: 'string', enum: findingFormats, description: 'How findings are written, for other programs' },
};

/** What functions may have more of than a bound. */
export const measuresWords = 'than so much: cyclomatic, cognitive, lines or parameters, as cognitive=25,cyclomatic=15';

const failOver = value(
  'failOver',
  'fail-over',
  `Exit with 1 where a function has more ${measuresWords}; with 2 where nothing that is asked about can be measured`,
  'string',
);

/** What a gate may begin with: what Sonar and ESLint hold functions against by default. */
export const usualThresholds = 'cognitive=15,cyclomatic=20';

/** Over what `svc baseline` lists functions where nothing else is said: McCabe's bound, which few gates are below. */
export const baselineThresholds = 'cognitive=10,cyclomatic=10';

/** Flags of the command line alone: they decide over its exit code, and what it writes. */
export const gateFlags: Readonly<Record<GateKind, readonly Flag[]>> = {
  functions: [failOver, baseline, format],
  symbols: [
    {
      ...value('failOn', 'fail-on', '', 'integer'),
      schema: { type: 'integer', minimum: 1, maximum: 1_000_000, description: 'Exit with 1 where so many are found' },
    },
    baseline,
    format,
  ],
};

function value(field: keyof GateAsked, name: string, description: string, type: string): Flag {
  return { field, name, kind: 'value', isRequired: false, schema: { type, description } };
}
