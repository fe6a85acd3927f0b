import type { ShareChange, ShareRow, ShareStore } from '../src/accounts/share-store.ts';

/**
 * The table in which cells share upstream accounts, in memory. It writes as the statements of the real one do.
 * @param now its clock, in milliseconds
 */
export function createShareTable(now: () => number) {
  const rows = new Map<string, ShareRow>();
  let versions = 0;
  const put = (row: Omit<ShareRow, 'version'>) => {
    const written = { ...row, version: ++versions };
    rows.set(keyOf(row), written);
    return written;
  };
  const write = (changes: readonly ShareChange[]) =>
    changes.flatMap(({ id, cell, part, whole }) => {
      const isTurn = whole === null || rows.get(keyOf({ id, cell: '' }))?.version === whole.version;
      const written = whole !== null && isTurn ? [put({ id, cell: '', state: whole.state })] : [];
      if (part !== null && isTurn && rows.get(keyOf({ id, cell }))?.version === part.version)
        written.push(put({ id, cell, state: part.state }));
      return written;
    });
  const store: ShareStore = {
    async read(ids) {
      const asked = new Set(ids);
      return { rows: [...rows.values()].filter(({ id }) => asked.has(id)), now: now() };
    },
    write: async (changes) => write(changes),
    async add(missing) {
      for (const row of missing) if (!rows.has(keyOf(row))) put(row);
    },
    async remove(row) {
      if (rows.get(keyOf(row))?.version === row.version) rows.delete(keyOf(row));
    },
  };
  return {
    store,
    write,
    stateOf: (id: string, cell: string) => rows.get(keyOf({ id, cell }))?.state,
  };
}

function keyOf({ id, cell }: Pick<ShareRow, 'id' | 'cell'>): string {
  return `${id} ${cell}`;
}
