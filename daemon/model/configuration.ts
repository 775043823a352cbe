/** What a configuration file says, as its extraction wrote it down. */
export type Configuration = Readonly<Record<string, unknown>>;

/** All of it; undefined where the facts of a document have none. */
export function configurationOf({ configuration }: { readonly configuration: string }): Configuration | undefined {
  return configuration === '' ? undefined : (JSON.parse(configuration) as Configuration);
}

/** Without what is told for the module model alone: no document is linked anew for that. */
export function linkingPart(configuration: Configuration | undefined): Configuration | undefined {
  if (configuration?.['project'] === undefined) return configuration;
  const { project: _, ...rest } = configuration;
  return rest;
}

/** Whether two documents say the same to linking. */
export function sayTheSame(
  one: { readonly configuration: string },
  other: { readonly configuration: string },
): boolean {
  if (one.configuration === other.configuration) return true;
  const [these, those] = [one, other].map(facts => JSON.stringify(linkingPart(configurationOf(facts)) ?? null));
  return these === those;
}
