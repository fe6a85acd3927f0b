import { Badge, Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { perform } from '../../api/deeds.ts';
import { useMay } from '../../api/may.ts';
import { refresh, useApi } from '../../api/use-api.ts';
import { PlainButton, SmallButton } from '../../components/buttons.ts';
import { DialogAbout } from '../../components/dialog.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { atOnce, ListPanel } from '../../components/list-panel.tsx';
import { Named, Told } from '../../components/two-lines.tsx';
import { Hint } from '../../components/words.ts';
import { developerTexts } from '../../texts/developers.ts';
import { DeliverForm } from './deliver-form.tsx';
import { type Destination, DestinationForm } from './destination-form.tsx';
import { useLiveKey } from './use-live-key.ts';

const texts = developerTexts.destinations;

/** The buckets of the account that outputs are delivered to. */
export function DestinationsPanel() {
  const may = useMay();
  const live = useLiveKey('PUT /v1/destinations/{name}');
  const destinations = useApi('GET /v1/destinations', {});
  const [asked, setAsked] = useState<Destination | 'new' | null>(null);
  const [delivered, setDelivered] = useState<Destination | null>(null);
  const [isOnItsWay, setOnItsWay] = useState(false);
  const remove = useMutation({
    mutationFn: ({ name }: Destination) =>
      perform('DELETE /v1/destinations/{name}', { path: { name } }, texts.removeOf(name), { key: live ?? '' }),
    onSettled: () => refresh('GET /v1/destinations'),
  });
  return (
    <ListPanel
      pages={atOnce(destinations)}
      title={texts.title}
      hint={texts.hint}
      empty={texts.empty}
      aside={
        live !== null && (
          <PlainButton leftSection={<IconPlus size={16} aria-hidden="true" />} onClick={() => setAsked('new')}>
            {texts.add}
          </PlainButton>
        )
      }
      above={
        <>
          {isOnItsWay && (
            <Hint px="md" pb="xs" role="status">
              {developerTexts.delivery.done}
            </Hint>
          )}
          {remove.error !== null && <ErrorNote title={texts.failed} unknown={texts.unknown} error={remove.error} />}
          <DialogAbout
            about={asked}
            title={(one) => (one === 'new' ? texts.add : texts.changeOf(one.name))}
            onClose={() => setAsked(null)}
          >
            {(one) => (
              <DestinationForm
                destination={one === 'new' ? null : one}
                live={live ?? ''}
                onClose={() => setAsked(null)}
              />
            )}
          </DialogAbout>
          <DialogAbout about={delivered} title={({ name }) => texts.deliverTo(name)} onClose={() => setDelivered(null)}>
            {({ name }) => (
              <DeliverForm
                destination={name}
                onClose={() => setDelivered(null)}
                onDelivered={() => {
                  setDelivered(null);
                  setOnItsWay(true);
                }}
              />
            )}
          </DialogAbout>
        </>
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
                  {texts.default}
                </Badge>
              )}
            </Group>
          ),
        },
        {
          head: texts.heads.where,
          phone: 'note',
          cell: ({ endpoint, region, path }) => <Told more={path}>{endpoint ?? `Amazon S3, ${region}`}</Told>,
        },
        { head: texts.heads.access, phone: 'fact', cell: ({ last_four: end }) => `…${end}` },
        {
          head: texts.heads.actions,
          actions: true,
          cell: (one) => (
            <Group gap={6} wrap="nowrap" justify="flex-end">
              {may('POST /v1/images/{task_id}/deliveries') && (
                <SmallButton aria-label={texts.deliverTo(one.name)} onClick={() => setDelivered(one)}>
                  {texts.deliver}
                </SmallButton>
              )}
              {live !== null && (
                <>
                  <SmallButton aria-label={texts.changeOf(one.name)} onClick={() => setAsked(one)}>
                    {texts.change}
                  </SmallButton>
                  <SmallButton aria-label={texts.removeOf(one.name)} onClick={() => remove.mutate(one)}>
                    {texts.remove}
                  </SmallButton>
                </>
              )}
            </Group>
          ),
        },
      ]}
    />
  );
}
