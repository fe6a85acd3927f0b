import { Group, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { call } from '../../api/client.ts';
import { useMay } from '../../api/may.ts';
import { saveFile } from '../../api/save-answer.ts';
import { useSession } from '../../api/session.ts';
import { usePages } from '../../api/use-api.ts';
import { PlainButton } from '../../components/buttons.ts';
import { ListPanel } from '../../components/list-panel.tsx';
import { Panel } from '../../components/panel.tsx';
import { Moment, Told } from '../../components/words.tsx';
import { formatMoney } from '../../format.ts';
import { inWords } from '../../texts/in-words.ts';
import { orderTexts } from '../../texts/orders.ts';
import type { Scope } from './usage-figures.ts';

/** Every ledger entry, newest first, with the receipts of charges. */
export function LedgerPanel({
  scope,
  hasReceipts,
}: {
  readonly scope: Scope;
  /** Whether the receipts of all its orders are accessible. */
  readonly hasReceipts: boolean;
}) {
  const { mode } = useSession();
  // The history contains only the user's own orders.
  const mayOpen = useMay()('POST /v1/images') && scope === 'key';
  return (
    <ListPanel
      pages={usePages('GET /v1/account/ledger', { scope, limit: 15 }, (entry) => entry.entry_id)}
      title="Ledger"
      hint={`${orderTexts.ofMode[mode]}. The balance is the sum of these entries.`}
      empty="No entries yet. The first order adds a hold for its price."
      more="Show older entries"
      columns={[
        { head: 'When', phone: 'note', cell: (entry) => <Moment at={entry.created_at} /> },
        {
          head: 'Entry',
          phone: 'title',
          cell: ({ kind }) => (kind === 'correction' ? 'Credit taken back' : inWords(kind)),
        },
        {
          head: 'Order',
          phone: 'note',
          cell: ({ task_id: taskId, note, corrects }) =>
            taskId === null ? (
              <Told more={corrects !== null && `takes back ${corrects}`}>{note}</Told>
            ) : mayOpen ? (
              <Link href={`/history/${taskId}`}>{taskId}</Link>
            ) : (
              taskId
            ),
        },
        { head: 'Amount', phone: 'aside', numeric: true, cell: (entry) => formatMoney(entry.amount) },
      ]}
      deedsOnPhone="note"
      deeds={[
        hasReceipts && {
          word: 'Receipt',
          name: ({ task_id: taskId }) => `Receipt of ${taskId}`,
          isOffered: ({ kind, task_id: taskId }) => kind === 'charge' && taskId !== null,
          act: async ({ task_id: id }) => {
            if (id !== null) await saveReceipt(id, scope);
          },
          failed: 'The receipt was not downloaded',
        },
      ]}
    />
  );
}

const ID = 'Id of an order or a batch that has ended';

/** Downloads the receipt of an order or a batch that has ended. */
export function ReceiptForm({ scope }: { readonly scope: Scope }) {
  const { mode } = useSession();
  const [id, setId] = useState('');
  const save = useMutation({ mutationFn: () => saveReceipt(id, scope) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Panel title="Receipts" hint={`${orderTexts.ofMode[mode]}: the order, where it was made and its cost, signed.`}>
      <form onSubmit={submit}>
        <Group gap={8} align="flex-start" maw={560}>
          <TextInput
            flex={1}
            aria-label={ID}
            placeholder={ID}
            maxLength={64}
            value={id}
            error={save.error?.message}
            onChange={({ currentTarget }) => {
              setId(currentTarget.value.trim());
              save.reset();
            }}
          />
          <PlainButton
            type="submit"
            leftSection={<IconDownload size={16} aria-hidden="true" />}
            disabled={id === ''}
            loading={save.isPending}
          >
            Download
          </PlainButton>
        </Group>
      </form>
    </Panel>
  );
}

/** Downloads a receipt with its signature. @throws ApiError */
async function saveReceipt(id: string, scope: Scope): Promise<void> {
  saveFile(`${id}-receipt.json`, new Blob([JSON.stringify(await readReceipt(id, scope), null, 2)]));
}

async function readReceipt(id: string, scope: Scope): Promise<object> {
  const query = { scope };
  if (id.startsWith('bat_')) return await call('GET /v1/batches/{batch_id}/receipt', { path: { batch_id: id }, query });
  const path = { task_id: id };
  if (id.startsWith('vid_')) return await call('GET /v1/videos/{task_id}/receipt', { path, query });
  return await call('GET /v1/images/{task_id}/receipt', { path, query });
}
