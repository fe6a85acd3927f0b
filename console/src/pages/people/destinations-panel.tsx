import { Badge, Group, Text, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { useMay } from '../../api/may.ts';
import type { DataOf } from '../../api/operations.ts';
import { onTask } from '../../api/task-cache.ts';
import { notify } from '../../api/undo.ts';
import { useApi } from '../../api/use-api.ts';
import { DeedForm, DialogButton } from '../../components/dialog.tsx';
import { RequestFields } from '../../components/fields/request-fields.tsx';
import { useRequestForm } from '../../components/fields/request-form.ts';
import { ListPanel, singlePage } from '../../components/list-panel.tsx';
import { Named, Told } from '../../components/words.tsx';
import { useLiveKey } from './use-live-key.ts';

type Destination = DataOf<'GET /v1/destinations'>['items'][number];

const ADD = 'New destination';
const UNCHANGED = 'The destination was not changed';

/** The account's buckets to which outputs are delivered. */
export function DestinationsPanel() {
  const may = useMay();
  const live = useLiveKey('PUT /v1/destinations/{name}');
  const destinations = useApi('GET /v1/destinations', {});
  const refusal = destinations.data?.cannot_set;
  const removeOf = ({ name }: Destination) => `Remove the destination ${name}`;
  return (
    <ListPanel
      pages={singlePage(destinations, ({ name }) => name)}
      title="Destinations"
      hint="Buckets of your own, which get the outputs of orders that name them in deliver_to."
      empty="No destination yet."
      aside={
        live !== null &&
        (refusal !== undefined ? (
          <Text size="sm">None can be set: {refusal}.</Text>
        ) : (
          <DialogButton word={ADD} title={ADD} leftSection={<IconPlus size={16} aria-hidden="true" />}>
            <DestinationForm destination={null} live={live} />
          </DialogButton>
        ))
      }
      columns={[
        {
          head: 'Name',
          phone: 'title',
          cell: ({ name, bucket, default: isDefault }) => (
            <Group gap={8} wrap="nowrap">
              <Named name={name} more={bucket} />
              {isDefault && (
                <Badge variant="light" color="gray" tt="none" fw={550}>
                  Default
                </Badge>
              )}
            </Group>
          ),
        },
        {
          head: 'Server',
          phone: 'note',
          cell: ({ endpoint, region, path }) => <Told more={path}>{endpoint ?? `Amazon S3, ${region}`}</Told>,
        },
        { head: 'Access key', phone: 'fact', cell: ({ last_four: end }) => `…${end}` },
      ]}
      deeds={[
        may('POST /v1/images/{task_id}/deliveries') && {
          word: 'Deliver an order',
          name: ({ name }) => `Deliver an order to ${name}`,
          form: ({ name }) => <DeliverForm destination={name} />,
        },
        live !== null &&
          refusal === undefined && {
            word: 'Change',
            name: ({ name }) => `Change the destination ${name}`,
            form: (destination) => <DestinationForm destination={destination} live={live} />,
          },
        live !== null && {
          word: 'Remove',
          name: removeOf,
          act: (one) =>
            perform('DELETE /v1/destinations/{name}', { path: { name: one.name } }, removeOf(one), { key: live }),
          failed: UNCHANGED,
          says: 'Nothing is delivered to it any more. The service does not show its secret again.',
        },
      ]}
    />
  );
}

/** Delivers the outputs of an order again, to a destination of the account. */
function DeliverForm({ destination }: { readonly destination: string }) {
  const [taskId, setTaskId] = useState('');
  const request = { path: { task_id: taskId }, body: { deliver_to: { destination } } };
  return (
    <DeedForm
      act={() =>
        perform(onTask('POST /v1/images/{task_id}/deliveries', taskId), request, `Deliver ${taskId} to ${destination}`)
      }
      onDone={() => notify('Its outputs are on their way.')}
      submit="Deliver"
      failed="The order is not delivered"
      isReady={taskId !== ''}
    >
      <TextInput
        label="Order id"
        placeholder="img_…"
        maxLength={64}
        value={taskId}
        onChange={({ currentTarget }) => setTaskId(currentTarget.value.trim())}
        data-autofocus
      />
    </DeedForm>
  );
}

/** Sets a destination with its credentials, which the service does not show again. */
function DestinationForm({
  destination,
  live,
}: {
  readonly destination: Destination | null;
  /** The live key that may set it. */
  readonly live: string;
}) {
  const form = useRequestForm('PUT /v1/destinations/{name}', destination ?? {});
  return (
    <DeedForm
      act={() => perform(form.operation, form.request, ADD, { key: live })}
      submit="Save"
      failed={UNCHANGED}
      isReady={form.isComplete}
    >
      <RequestFields
        form={form}
        rows={[['name', 'bucket'], ['region', 'endpoint'], 'path', ['access_key_id', 'secret_access_key'], 'default']}
        autoFocus
      />
    </DeedForm>
  );
}
