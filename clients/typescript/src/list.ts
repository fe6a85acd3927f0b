import type { CallOptions, Transport } from './transport.ts';

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly has_more: boolean;
  /** The position at which a search continues, also after a page without entries. Null at the end. */
  readonly next_after?: string | null | undefined;
}

/** A list that is read page by page. Iterate over it to get every entry, or read one page. */
export class List<T> implements AsyncIterable<T> {
  readonly #fetchPage: (after: string | undefined) => Promise<Page<T>>;
  readonly #idOf: (item: T) => string;

  constructor(fetchPage: (after: string | undefined) => Promise<Page<T>>, idOf: (item: T) => string) {
    this.#fetchPage = fetchPage;
    this.#idOf = idOf;
  }

  /** Reads the first page. */
  async page(): Promise<Page<T>> {
    return await this.#fetchPage(undefined);
  }

  async *pages(): AsyncGenerator<Page<T>> {
    let after: string | undefined;
    for (;;) {
      const page = await this.#fetchPage(after);
      yield page;
      const last = page.items.at(-1);
      const next = page.next_after ?? (last === undefined ? undefined : this.#idOf(last));
      if (!page.has_more || next === undefined) return;
      after = next;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for await (const { items } of this.pages()) yield* items;
  }
}

/** The list at a path of the interface. @param idOf what the next page begins after */
export function listAt<T>(
  transport: Transport,
  path: string,
  query: object,
  idOf: (item: T) => string,
  options: CallOptions,
): List<T> {
  const read = async (after: string | undefined) => {
    const paged = { ...query, ...(after === undefined ? {} : { after }) };
    return (await transport.send<Page<T>>({ ...options, path, query: paged })).data;
  };
  return new List(read, idOf);
}
