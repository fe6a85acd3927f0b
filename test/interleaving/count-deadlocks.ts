import { Client, DatabaseError } from 'pg';

/**
 * Counts from now on the transactions of this process that the server ended because they waited for one another. They
 * are run again, so nobody else notices.
 */
export function countDeadlocks(): { readonly deadlocks: () => readonly string[]; readonly stop: () => void } {
  const found: string[] = [];
  const { query } = Client.prototype;
  const watched = function (this: Client, ...sent: unknown[]): unknown {
    const answer = (query as (...sent: unknown[]) => unknown).apply(this, sent);
    if (answer instanceof Promise)
      answer.catch((error: unknown) => {
        if (error instanceof DatabaseError && error.code === '40P01') found.push(`${error.detail} ${error.where}`);
      });
    return answer;
  };
  Object.assign(Client.prototype, { query: watched });
  return { deadlocks: () => found, stop: () => void Object.assign(Client.prototype, { query }) };
}
