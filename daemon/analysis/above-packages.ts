import { withoutPackages } from '../model/mount.ts';
import { baseName } from '../model/paths.ts';

/**
 * Of a path the folders that say what its code is for: those of a package of the JVM do not, whether a source root is above
 * them or their names alone tell it, as `com/example/demo` does.
 */
export function abovePackages(path: string): string {
  const place = withoutPackages(path);
  const domain = ofJvm.test(place) ? reversedDomain.exec(place) : null;
  return domain === null ? place : place.slice(0, domain.index + domain[0].length) + baseName(place);
}

const ofJvm = /\.(?:java|kt)$/;
const reversedDomain = /(?:^|\/)(?=(?:com|org|net|io|dev|edu|gov)\/\w+\/)/;
