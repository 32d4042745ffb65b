/** How long writing waits for vectors, in milliseconds; those that come later follow. */
export const PATIENCE = 1_000;

/** Whether something is done within so many milliseconds. */
export async function isDoneWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<false>((done) => {
    timer = setTimeout(() => done(false), milliseconds);
  });
  try {
    return await Promise.race([work.then(() => true), over]);
  } finally {
    clearTimeout(timer);
  }
}
