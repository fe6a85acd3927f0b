import { Group, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.ts';
import { saveFile } from '../../api/save-answer.ts';
import { PlainButton } from '../../components/buttons.ts';
import { Panel } from '../../components/panel.tsx';
import type { Scope } from './usage-figures.ts';

const ID = 'Id of an order or a batch that has ended';

/** Downloads the receipt of an order or a batch that has ended. */
export function ReceiptForm({ scope }: { readonly scope: Scope }) {
  const [id, setId] = useState('');
  const save = useMutation({ mutationFn: () => saveReceipt(id, scope) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Panel title="Receipts" hint="What was ordered, where it was made and what it cost, signed.">
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

/** Downloads a receipt as it is signed. @throws ApiError */
export async function saveReceipt(id: string, scope: Scope): Promise<void> {
  saveFile(`${id}-receipt.json`, new Blob([JSON.stringify(await readReceipt(id, scope), null, 2)]));
}

async function readReceipt(id: string, scope: Scope): Promise<object> {
  const query = { scope };
  if (id.startsWith('bat_')) return await call('GET /v1/batches/{batch_id}/receipt', { path: { batch_id: id }, query });
  const path = { task_id: id };
  if (id.startsWith('vid_')) return await call('GET /v1/videos/{task_id}/receipt', { path, query });
  return await call('GET /v1/images/{task_id}/receipt', { path, query });
}
