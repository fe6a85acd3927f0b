import { ActionIcon, Button, Group, Menu, Progress, Text } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Batch } from '../../api/types.ts';
import { DataTable } from '../../components/data-table.tsx';
import { formatMoney } from '../../components/money.tsx';
import { Mark, type Tone } from '../../components/status-mark.tsx';
import { formatMinute } from '../../format.ts';
import { batchTexts as texts } from '../../texts/batches.ts';
import { saveResults } from './save-results.ts';

const TONES: Readonly<Record<Batch['status'], Tone>> = {
  processing: 'busy',
  succeeded: 'good',
  partial: 'bad',
  failed: 'bad',
  canceled: 'quiet',
};

export function BatchTable({
  batches,
  onCancel,
}: {
  readonly batches: readonly Batch[];
  readonly onCancel: (batch: Batch) => void;
}) {
  return (
    <DataTable
      label={texts.title}
      rows={batches}
      rowKey={(batch) => batch.batch_id}
      columns={[
        { head: texts.heads.batch, phone: 'title', cell: (batch) => <BatchName batch={batch} /> },
        {
          head: texts.heads.when,
          phone: 'note',
          cell: (batch) => <span className="figures">{formatMinute(batch.created_at)}</span>,
        },
        { head: texts.heads.progress, cell: (batch) => <Counts batch={batch} /> },
        { head: texts.heads.cost, phone: 'fact', numeric: true, cell: (batch) => <Cost batch={batch} /> },
        {
          head: texts.heads.actions,
          actions: true,
          cell: (batch) => <Actions batch={batch} onCancel={onCancel} />,
        },
      ]}
    />
  );
}

function BatchName({ batch }: { readonly batch: Batch }) {
  const [label] = Object.values(batch.metadata);
  const isEnding = batch.status === 'processing' && batch.cancel_requested_at !== null;
  return (
    <div>
      {label !== undefined && (
        <Text size="sm" fw={550} dir="auto">
          {label}
        </Text>
      )}
      <Text size="xs" c="dimmed" ff="monospace">
        {batch.batch_id}
      </Text>
      <Mark tone={TONES[batch.status]}>{isEnding ? texts.canceling : texts.status[batch.status]}</Mark>
    </div>
  );
}

function Counts({ batch: { counts, orders } }: { readonly batch: Batch }) {
  const done = counts.succeeded + counts.failed + counts.canceled;
  const parts = (['succeeded', 'failed', 'canceled', 'processing', 'queued'] as const).filter(
    (status) => counts[status] > 0,
  );
  return (
    <div style={{ minWidth: 160 }}>
      <Text size="sm">{texts.finished(done, orders)}</Text>
      <Progress.Root size={6} my={5}>
        <Progress.Section
          value={(counts.succeeded / orders) * 100}
          color="var(--good)"
          aria-label={texts.counts.succeeded(counts.succeeded)}
        />
        <Progress.Section
          value={((counts.failed + counts.canceled) / orders) * 100}
          color="var(--mantine-color-error)"
          aria-label={texts.counts.failed(counts.failed)}
        />
      </Progress.Root>
      <Text size="xs" c="dimmed">
        {parts.map((status) => texts.counts[status](counts[status])).join(', ')}
      </Text>
    </div>
  );
}

function Cost({ batch: { cost, mode } }: { readonly batch: Batch }) {
  return (
    <div>
      <span className="figures">{formatMoney(cost.charged)}</span>
      <Text size="xs" c="dimmed">
        {texts.ofQuoted(formatMoney(cost.quoted))}
      </Text>
      {Number(cost.held) > 0 && (
        <Text size="xs" c="dimmed">
          {texts.held(formatMoney(cost.held))}
        </Text>
      )}
      {mode === 'test' && (
        <Text size="xs" c="dimmed">
          {texts.playMoney}
        </Text>
      )}
    </div>
  );
}

function Actions({ batch, onCancel }: { readonly batch: Batch; readonly onCancel: (batch: Batch) => void }) {
  const save = useMutation({ mutationFn: (format: 'jsonl' | 'zip') => saveResults(batch.batch_id, format) });
  const mayCancel = batch.status === 'processing' && batch.cancel_requested_at === null;
  const hasResults = batch.counts.succeeded > 0;
  return (
    <>
      <Group gap={6} wrap="nowrap" justify="flex-end">
        <Button
          component={Link}
          href={`/batches/${batch.batch_id}`}
          size="xs"
          variant="default"
          aria-label={texts.tasksOf(batch.batch_id)}
        >
          {texts.tasks}
        </Button>
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon aria-label={texts.more(batch.batch_id)} loading={save.isPending}>
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => save.mutate('jsonl')}>{texts.lines}</Menu.Item>
            <Menu.Item disabled={!hasResults} onClick={() => save.mutate('zip')}>
              {texts.zip}
            </Menu.Item>
            {mayCancel && (
              <Menu.Item color="red" onClick={() => onCancel(batch)}>
                {texts.cancel}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      </Group>
      {save.error !== null && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert" mt={4}>
          {texts.notSaved}: {save.error.message}
        </Text>
      )}
    </>
  );
}
