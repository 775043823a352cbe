import { strangeAnswer } from '../../backends/index-server-rows.ts';

/** Of a list so many pages may have no rows. */
const mostEmptyPages = 1_000;

/**
 * Is told of each page of a list, and throws the fault of `strangeAnswer` for a list without end: one whose cursors lead back
 * to a page that was read, however many lie between, or that gives nothing for too long.
 */
export function endlessLists(): (rows: number, next: string | undefined) => void {
  // Brent's way: the cursor that the others are held against is a later one each time the pages have doubled. Whatever the
  // circle, one of its cursors is held for as long as it takes to come round; and there is never more than one to remember.
  let held: string | undefined;
  let heldUntil = 1;
  let pages = 0;
  let empty = 0;
  return (rows, next) => {
    if (rows === 0 && ++empty > mostEmptyPages) throw strangeAnswer('it goes on for ever');
    if (next === undefined) return;
    if (next === held) throw strangeAnswer('its pages lead back to one before');
    if (++pages < heldUntil) return;
    held = next;
    heldUntil *= 2;
  };
}
