/**
 * Returns an action that loads its program when it runs. The command line declares every command, so anything that only
 * one of them needs, such as the database, must not be loaded for all.
 */
export function whenRun<Words extends unknown[]>(
  load: () => Promise<(...words: Words) => Promise<void> | void>,
): (...words: Words) => Promise<void> {
  return async (...words) => {
    const run = await load();
    await run(...words);
  };
}
