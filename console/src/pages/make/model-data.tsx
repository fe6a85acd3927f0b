import { Anchor, Text } from '@mantine/core';
import type { DataOf } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Panel } from '../../components/panel.tsx';
import { formatMany } from '../../format.ts';

type Receiver = DataOf<'GET /v1/models/{model_id}/data'>['items'][number];

const [TITLE, UNKNOWN] = ['Where orders go', 'not known'];

/** Upstreams that may get the orders of a model, with what is known of their treatment of data. */
export function ModelData({ modelId, isOrderable }: { readonly modelId: string; readonly isOrderable: boolean }) {
  const path = { model_id: modelId };
  const { data } = useApi('GET /v1/models/{model_id}/data', { path }, { enabled: isOrderable });
  if (data === undefined || data.items.length === 0) return null;
  return (
    <Panel title={TITLE} hint="What these upstreams state about orders. An order can limit where it may go." flush>
      <DataTable
        label={TITLE}
        rows={data.items}
        rowKey={(receiver) => JSON.stringify(receiver)}
        columns={[
          { head: 'Upstream', phone: 'title', cell: nameOf },
          { head: 'Processes data in', phone: 'note', cell: countriesOf },
          { head: 'Keeps it for', phone: 'fact', cell: retentionOf },
          { head: 'Trains on it', phone: 'fact', cell: trainingOf },
          { head: 'Source', phone: 'aside', cell: (receiver) => <Source receiver={receiver} /> },
        ]}
      />
    </Panel>
  );
}

function nameOf({ engine, provider, excluded }: Receiver): string {
  const name = provider === null ? engine : `${provider} (${engine})`;
  return excluded === null ? name : `${name}: excluded by a rule of your account`;
}

function countriesOf({ in_service: isHere, country, passes_on: passesOn }: Receiver): string {
  if (isHere) return 'this service alone';
  return [country?.join(', ') ?? UNKNOWN, ...(passesOn ? ['may pass orders on to the maker of the model'] : [])].join(
    '; ',
  );
}

function retentionOf({ in_service: isHere, retention_days: days }: Receiver): string {
  if (isHere) return 'no copy';
  if (days === null) return UNKNOWN;
  return days === 0 ? 'not at all' : formatMany(days, 'day');
}

function trainingOf({ in_service: isHere, training }: Receiver): string {
  if (isHere) return 'no';
  if (training === null) return UNKNOWN;
  return training ? 'yes' : 'no';
}

function Source({ receiver: { source, as_of: asOf, note } }: { readonly receiver: Receiver }) {
  if (source === null) return <Text c="dimmed">{note === null ? 'none' : note}</Text>;
  return (
    <Anchor href={source} target="_blank" rel="noreferrer" title={note ?? undefined}>
      {asOf === null ? 'Its page' : `Its page, read on ${asOf}`}
    </Anchor>
  );
}
