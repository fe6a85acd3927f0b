/** Runs deeds one after the other, in the order of the calls, whether the one before failed or not. */
export type Turn = <Result>(deed: () => Promise<Result>) => Promise<Result>;

export function createTurn(): Turn {
  let last: Promise<unknown> = Promise.resolve();
  return (deed) => {
    const done = last.then(deed);
    last = done.catch(() => {});
    return done;
  };
}
