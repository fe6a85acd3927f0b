import { Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { PlainButton } from '../../components/buttons.ts';
import { csvOf, saveText } from '../../components/csv.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import type { Scope } from './scope.ts';

const PAGE_SIZE = 100;

/** Exports CSV files: the usage of the period, and the whole ledger. */
export function ExportMenu({ from, scope }: { readonly from: string; readonly scope: Scope }) {
  const usage = useMutation({ mutationFn: () => exportUsage(from, scope) });
  const ledger = useMutation({ mutationFn: () => exportLedger(scope) });
  const error = usage.error ?? ledger.error;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <PlainButton
            leftSection={<IconDownload size={16} aria-hidden="true" />}
            loading={usage.isPending || ledger.isPending}
          >
            Export
          </PlainButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => usage.mutate()}>Usage as CSV</Menu.Item>
          <Menu.Item onClick={() => ledger.mutate()}>Ledger as CSV</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {error !== null && <ErrorNote title="The export failed" error={error} />}
    </>
  );
}

async function exportUsage(from: string, scope: Scope): Promise<void> {
  const { items } = await call('GET /v1/account/usage', {
    query: { from, scope, group_by: 'day,model_id,status' },
  });
  const rows = items.map((row) => [row.day, row.model_id, row.status, row.tasks, row.charged, row.held, row.currency]);
  saveText(
    `darkroom-usage-${from.slice(0, 10)}.csv`,
    csvOf(['day', 'model_id', 'status', 'tasks', 'charged', 'held', 'currency'], rows),
  );
}

async function exportLedger(scope: Scope): Promise<void> {
  const rows: (string | null)[][] = [];
  let after: string | undefined;
  do {
    const page = await call('GET /v1/account/ledger', {
      query: { scope, limit: PAGE_SIZE, ...(after === undefined ? {} : { after }) },
    });
    for (const entry of page.items)
      rows.push([
        entry.entry_id,
        entry.created_at,
        entry.kind,
        entry.task_id,
        entry.note,
        entry.amount,
        entry.currency,
      ]);
    after = page.has_more ? page.items.at(-1)?.entry_id : undefined;
  } while (after !== undefined);
  saveText(
    'darkroom-ledger.csv',
    csvOf(['entry_id', 'created_at', 'kind', 'task_id', 'note', 'amount', 'currency'], rows),
  );
}
