import type { AuthoredLines } from '../../../../daemon/analysis/ownership/weights.ts';
import { weighLines } from '../../../../daemon/analysis/ownership/weights.ts';
import type { Author } from '../../../../daemon/model/people.ts';

/** Unix seconds. */
export const now = Date.UTC(2026, 5, 30) / 1000;

export function author(identity: string): Author {
  return { identity, name: identity.replace(/^@/, '') };
}

/** `@alice 10 0` are ten lines of today, `@bob 4 90` four that are 90 days old, `- 5 0` five by a bot. */
export function blamed(...lines: readonly string[]): readonly AuthoredLines[] {
  return lines.map(line => {
    const [who, count, days] = line.split(' ') as [string, string, string];
    return {
      author: who === '-' ? undefined : author(who),
      authoredAt: now - Number(days) * 86_400,
      count: Number(count),
    };
  });
}

export function weights(...lines: readonly string[]) {
  return weighLines(blamed(...lines), now);
}
