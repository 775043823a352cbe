import { fits } from '../../model/fits-glob.ts';

/** Which repository a service's code lies in. */

/** What the configuration says of services by name, in which `*` is any text. */
export interface ServiceEntry {
  readonly name: string;
  /** Id of the repository. */
  readonly repo: string;
  /** Folder of it in which the service’s code lies; '' for all of it. */
  readonly folder: string;
}

export interface ReportingService {
  readonly name: string;
  /** What its resource calls its repository; '' where nothing is said. */
  readonly repository: string;
  /** Id of the repository that whoever sent its calls asked for; '' for none. */
  readonly asked: string;
}

export interface Mapped {
  readonly repo: string;
  readonly folder: string;
  /**
   * - `exact`, `pattern`: an entry of the configuration; `resource`: its own resource attributes; `name`: the repository is called so
   * - `assumed`: that of the request, or the only one there is: only what matches tells
   */
  readonly by: 'exact' | 'pattern' | 'resource' | 'name' | 'assumed';
}

/** Where a service belongs by what is known of it; undefined where nothing tells. */
export function repositoryOf(
  service: ReportingService,
  entries: readonly ServiceEntry[],
  repositories: readonly string[],
): Mapped | undefined {
  const entry = entries.find(({ name }) => name === service.name) ?? longest(entries, service.name);
  if (entry !== undefined) {
    return { repo: entry.repo, folder: entry.folder, by: entry.name === service.name ? 'exact' : 'pattern' };
  }
  const called = (name: string): string | undefined =>
    name === '' ? undefined : repositories.find(id => spelling(id) === spelling(name));
  const byResource = called(service.repository);
  if (byResource !== undefined) return { repo: byResource, folder: '', by: 'resource' };
  const byName = called(service.name);
  if (byName !== undefined) return { repo: byName, folder: '', by: 'name' };
  const assumed = service.asked !== '' ? service.asked : repositories.length === 1 ? repositories[0] : undefined;
  return assumed === undefined ? undefined : { repo: assumed, folder: '', by: 'assumed' };
}

/** Of the patterns that fit the one that says most. */
function longest(entries: readonly ServiceEntry[], name: string): ServiceEntry | undefined {
  const fitting = entries.filter(entry => entry.name.includes('*') && fitsPattern(entry.name, name));
  return fitting.sort((a, b) => b.name.length - a.name.length || (a.name < b.name ? -1 : 1))[0];
}

export function fitsPattern(pattern: string, text: string): boolean {
  return fits([...pattern], [...text], '*', (one, other) => one === other);
}

function spelling(name: string): string {
  return name.toLowerCase().replaceAll(/[_. ]/g, '-');
}
