/** Does it as somebody to whom modes apply, as they don't to root. */
export function withoutRights<Answer>(work: () => Answer): Answer {
  if (process.getuid!() !== 0) return work();
  process.seteuid!(1234);
  try {
    return work();
  } finally {
    process.seteuid!(0);
  }
}

/** The same for work that takes its time: nothing else of the process has rights meanwhile. */
export async function whileWithoutRights<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  if (process.getuid!() !== 0) return work();
  process.seteuid!(1234);
  try {
    return await work();
  } finally {
    process.seteuid!(0);
  }
}
