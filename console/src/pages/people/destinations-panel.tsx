import { Badge, Group, TextInput } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { useMay } from '../../api/may.ts';
import { useApi } from '../../api/use-api.ts';
import { useDeed } from '../../api/use-deed.ts';
import { DialogButton } from '../../components/dialog.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
import { atOnce, ListPanel } from '../../components/list-panel.tsx';
import { Named, Told } from '../../components/two-lines.tsx';
import { Hint } from '../../components/words.ts';
import { developerTexts } from '../../texts/developers.ts';
import { type Destination, DestinationForm } from './destination-form.tsx';
import { useLiveKey } from './use-live-key.ts';

const texts = developerTexts.destinations;

/** The buckets of the account that outputs are delivered to. */
export function DestinationsPanel() {
  const may = useMay();
  const live = useLiveKey('PUT /v1/destinations/{name}');
  const destinations = useApi('GET /v1/destinations', {});
  const [isOnItsWay, setOnItsWay] = useState(false);
  const remove = useDeed(({ name }: Destination) =>
    perform('DELETE /v1/destinations/{name}', { path: { name } }, texts.removeOf(name), { key: live ?? '' }),
  );
  return (
    <ListPanel
      pages={atOnce(destinations)}
      title="Destinations"
      hint="Buckets of your own, which get the outputs of orders that name them in deliver_to."
      empty="No destination yet."
      aside={
        live !== null && (
          <DialogButton
            word={texts.add}
            title={texts.add}
            leftSection={<IconPlus size={16} aria-hidden="true" />}
            form={(onClose) => <DestinationForm destination={null} live={live} onClose={onClose} />}
          />
        )
      }
      above={
        isOnItsWay && (
          <Hint px="md" pb="xs" role="status">
            Its outputs are on their way.
          </Hint>
        )
      }
      rowKey={({ name }) => name}
      columns={[
        {
          head: texts.heads.name,
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
          word: 'Deliver',
          name: ({ name }) => `Deliver an order to ${name}`,
          form: ({ name }, onClose) => (
            <DeliverForm
              destination={name}
              onClose={onClose}
              onDelivered={() => {
                onClose();
                setOnItsWay(true);
              }}
            />
          ),
        },
        live !== null && {
          word: 'Change',
          name: ({ name }) => `Change the destination ${name}`,
          form: (destination, onClose) => <DestinationForm destination={destination} live={live} onClose={onClose} />,
        },
        live !== null && {
          word: 'Remove',
          name: ({ name }) => texts.removeOf(name),
          deed: remove,
          failed: texts.failed,
          unknown: texts.unknown,
        },
      ]}
    />
  );
}

const deliveryTexts = developerTexts.delivery;

/** Delivers the outputs of an order again, to a destination of the account. */
function DeliverForm({
  destination,
  onClose,
  onDelivered,
}: {
  readonly destination: string;
  readonly onClose: () => void;
  readonly onDelivered: () => void;
}) {
  const [taskId, setTaskId] = useState('');
  const deliver = useDeed(
    () =>
      perform(
        taskId.startsWith('vid_') ? 'POST /v1/videos/{task_id}/deliveries' : 'POST /v1/images/{task_id}/deliveries',
        { path: { task_id: taskId }, body: { deliver_to: { destination } } },
        `Deliver ${taskId} to ${destination}`,
      ),
    onDelivered,
  );
  return (
    <DialogForm deed={deliver} texts={deliveryTexts} isReady={taskId !== ''} onClose={onClose}>
      <TextInput
        label="Order id"
        placeholder="img_…"
        maxLength={64}
        value={taskId}
        onChange={({ currentTarget }) => setTaskId(currentTarget.value.trim())}
        data-autofocus
      />
    </DialogForm>
  );
}
