import type { GivenPlace, Shared } from './prepare-shared.ts';
import type { Prepared } from './prepared.ts';

interface Call {
  readonly values: Readonly<Record<string, unknown>>;
  readonly resolve: (row: object | undefined) => void;
  readonly reject: (error: unknown) => void;
}

type AnyShared = Shared<object, object>;
type Run = (query: Prepared<object, unknown>, values: object) => Promise<readonly unknown[]>;

/**
 * Calls of shared statements by the units of a group, gathered until every unit waits for an answer of the database:
 * calls of the same statement are sent as one.
 */
export class GatheredCalls {
  readonly #run: Run;
  #calls = new Map<AnyShared, Call[]>();

  /** Creates the gatherer. @param run sends a statement and returns its rows */
  constructor(run: Run) {
    this.#run = run;
  }

  /** Returns the row of a set of arguments. @throws the error of the statement, for all sets that share it */
  first(query: AnyShared, values: object): Promise<object | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<object | undefined>();
    const call = { values: values as Call['values'], resolve, reject };
    if (this.#calls.size === 0) process.nextTick(() => this.#sendAll());
    const others = this.#calls.get(query) ?? [];
    const { changes } = query;
    const isChanged = changes !== null && others.some((other) => other.values[changes] === call.values[changes]);
    if (isChanged) this.#send(query, others.splice(0));
    this.#calls.set(query, others);
    others.push(call);
    return promise;
  }

  #sendAll(): void {
    const gathered = this.#calls;
    this.#calls = new Map();
    for (const [query, calls] of gathered) this.#send(query, calls);
  }

  #send(query: AnyShared, calls: readonly Call[]): void {
    const answered = calls.length === 1 ? this.#runOne(query, calls[0]!) : this.#runMany(query, calls);
    answered.catch((error: unknown) => {
      for (const { reject } of calls) reject(error);
    });
  }

  async #runOne(query: AnyShared, { values, resolve }: Call): Promise<void> {
    resolve((await this.#run(query.one, values))[0] as object | undefined);
  }

  async #runMany(query: AnyShared, calls: readonly Call[]): Promise<void> {
    const lists = Object.fromEntries(
      query.arguments.map((name) => [name, calls.map(({ values }) => (values as Record<string, unknown>)[name])]),
    );
    const rows = (await this.#run(query.many, lists)) as (GivenPlace & object)[];
    const found = new Map(rows.map(({ given_place: place, ...row }) => [place, row]));
    for (const [index, { resolve }] of calls.entries()) resolve(found.get(index + 1));
  }
}
