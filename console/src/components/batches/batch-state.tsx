import type { BatchView as Batch } from '@darkroom-service/contract';
import { Group, Menu, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { perform } from '../../api/deeds.ts';
import { saveAnswer } from '../../api/save-answer.ts';
import { formatCount, formatMany, formatMoney } from '../../format.ts';
import { orderTexts } from '../../texts/orders.ts';
import { SmallButton } from '../buttons.ts';
import { DeedForm, DialogButton } from '../dialog.tsx';
import { Mark, type Tone } from '../status-mark.tsx';
import { Fault } from '../words.tsx';

const texts = {
  status: {
    processing: 'In progress',
    succeeded: 'Complete',
    partial: 'Complete, some without a result',
    failed: 'Failed',
    canceled: 'Canceled',
  },
  counts: { queued: 'waiting', processing: 'running', failed: 'failed', canceled: 'canceled' },
};

/** Name of the metadata field that marks a batch as a table. */
export const LIGHT_TABLE = 'light_table';
/** Maximum number of cells of a table. With more, the cells of a table that fits the window would be too small. */
export const MOST_CELLS = 400;
const TONES: Readonly<Record<Batch['status'], Tone>> = {
  processing: 'busy',
  succeeded: 'good',
  partial: 'good',
  failed: 'bad',
  canceled: 'quiet',
};

/** Returns the title of a batch: from its metadata, otherwise its id. */
export function batchTitle({ metadata, batch_id: id }: Batch): string {
  return metadata[LIGHT_TABLE] ?? Object.values(metadata)[0] ?? id;
}

/** The progress and the cost of a batch. */
export function BatchState({ batch }: { readonly batch: Batch }) {
  const { status, orders, counts, cost } = batch;
  const isEnding = status === 'processing' && batch.cancel_requested_at !== null;
  const others = (['failed', 'canceled', 'processing', 'queued'] as const).filter((name) => counts[name] > 0);
  return (
    <>
      <Mark tone={TONES[status]}>{isEnding ? 'Being canceled' : texts.status[status]}</Mark>
      <span>{`${formatCount(counts.succeeded + counts.failed + counts.canceled)} of ${formatCount(orders)} done`}</span>
      {others.length > 0 && (
        <span>{others.map((name) => `${formatCount(counts[name])} ${texts.counts[name]}`).join(', ')}</span>
      )}
      {batch.mode === 'test' ? (
        <span>{formatMoney(cost.quoted)} with a live key; nothing is charged for a test</span>
      ) : (
        <span>
          Charged {formatMoney(cost.charged)}
          {Number(cost.held) > 0 && `, ${formatMoney(cost.held)} held`}
        </span>
      )}
    </>
  );
}

/** Downloads the results of a batch, or cancels it. */
export function BatchActions({ batch }: { readonly batch: Batch }) {
  const save = useMutation({ mutationFn: (format: 'jsonl' | 'zip') => saveResults(batch.batch_id, format) });
  return (
    <Group flex="none" gap="xs">
      <Menu position="bottom-end">
        <Menu.Target>
          <SmallButton leftSection={<IconDownload size={15} aria-hidden="true" />} loading={save.isPending}>
            Results
          </SmallButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => save.mutate('jsonl')}>Results as JSON lines</Menu.Item>
          <Menu.Item disabled={batch.counts.succeeded === 0} onClick={() => save.mutate('zip')}>
            Pictures and videos as ZIP
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {batch.status === 'processing' && (
        <DialogButton
          word="Cancel what has not started"
          title="Cancel this batch?"
          size="xs"
          disabled={batch.cancel_requested_at !== null}
        >
          <CancelForm batch={batch} />
        </DialogButton>
      )}
      {save.error !== null && <Fault size="xs">The results were not saved: {save.error.message}</Fault>}
    </Group>
  );
}

/** Downloads the results of a batch as a file. @throws Error */
async function saveResults(batchId: string, format: 'jsonl' | 'zip'): Promise<void> {
  const request = { path: { batch_id: batchId }, query: { format } };
  await saveAnswer('GET /v1/batches/{batch_id}/results', request, `${batchId}.${format}`);
}

/** The form that warns of remaining costs before a batch is canceled. */
function CancelForm({ batch }: { readonly batch: Batch }) {
  const path = { batch_id: batch.batch_id };
  return (
    <DeedForm
      act={() => perform('POST /v1/batches/{batch_id}/cancel', { path }, orderTexts.cancelOf(batch.batch_id))}
      submit="Cancel the batch"
      keep="Keep it"
      failed="The batch was not canceled"
      isGrave
    >
      <Text size="sm">
        Orders that have not started end now and cost nothing. Orders that already run may still finish and are charged.
      </Text>
      <Text fw={600}>{`${formatMany(batch.counts.queued, 'order has', 'orders have')} not started.`}</Text>
    </DeedForm>
  );
}
