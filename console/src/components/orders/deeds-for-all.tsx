import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { perform } from '../../api/deeds.ts';
import { notify } from '../../api/undo.ts';
import { formatMany } from '../../format.ts';
import { DeedForm, DialogAbout } from '../dialog.tsx';
import { ErrorNote } from '../error-note.tsx';
import { type OrderFilter, queryOf } from './order-filter.ts';

type Name = keyof typeof DEEDS;

const DEEDS = {
  ask: {
    deed: 'POST /admin/v1/tasks/ask',
    word: 'Ask about all',
    title: 'Ask the upstreams about all of them?',
    text: 'Only orders that an upstream has, or may have. Each is asked about at most every ten seconds.',
    submit: 'Ask about',
    done: 'Being asked about',
  },
  cancel: {
    deed: 'POST /admin/v1/tasks/cancel',
    word: 'Cancel all',
    title: 'Cancel all of them?',
    text: 'As if their customers had canceled them. Orders that cannot be stopped any more go on.',
    submit: 'Cancel',
    done: 'Being canceled',
  },
  give_up: {
    deed: 'POST /admin/v1/tasks/give_up',
    word: 'Give up all',
    title: 'Give up all of them?',
    text: 'Only orders that an upstream has, or may have. They end with an unknown outcome, and their prices are released. They are never sent again.',
    submit: 'Give up',
    done: 'Being given up',
  },
} as const;
const NAMES = Object.keys(DEEDS) as Name[];

/** An operator's deeds for all open orders that match a filter, once their number is confirmed. */
export function DeedsForAll({
  filter,
  of,
  isOffered,
}: {
  readonly filter: OrderFilter;
  /** Common property of the orders, for names of buttons on a page with several of these. */
  readonly of?: string;
  /** Whether there are several orders. An open dialog stays. */
  readonly isOffered: boolean;
}) {
  const [asked, setAsked] = useState<Name | null>(null);
  return (
    <Group gap="xs" justify="flex-end">
      {(isOffered ? NAMES : []).map((name) => (
        <Button
          key={name}
          size="xs"
          variant="default"
          {...(name === 'give_up' ? { color: 'red' } : {})}
          onClick={() => setAsked(name)}
        >
          {DEEDS[name].word}
          {of !== undefined && <VisuallyHidden>: {of}</VisuallyHidden>}
        </Button>
      ))}
      <DialogAbout about={asked} title={(name) => DEEDS[name].title} onClose={() => setAsked(null)}>
        {(name) => <Confirm name={name} filter={filter} />}
      </DialogAbout>
    </Group>
  );
}

function Confirm({ name, filter }: { readonly name: Name; readonly filter: OrderFilter }) {
  const query = queryOf(filter);
  const { deed, text, submit, done } = DEEDS[name];
  // Read once, so that the number sent is the number shown.
  const count = useMutation({ mutationFn: () => call('GET /admin/v1/tasks/deeds', { query }) });
  const { mutate: recount } = count;
  useEffect(recount, [recount]);
  const orders = count.data?.[name] ?? 0;
  const act = async () => {
    try {
      return await perform(deed, { body: { ...query, expected: orders } }, `${submit} ${orders}`);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'orders_changed') recount();
      throw error;
    }
  };
  return (
    <DeedForm
      act={act}
      onDone={({ orders: entered }) => notify(`${done}: ${entered}.`)}
      submit={`${submit} ${orders}`}
      failed="Nothing was changed"
      keep="Not now"
      isReady={orders > 0 && !count.isPending}
      isGrave={name !== 'ask'}
    >
      <ErrorNote error={count.error} onRetry={recount} />
      {count.data !== undefined && (
        <Text size="sm">
          {orders === 0 ? 'This would change no order.' : `This changes ${formatMany(orders, 'order')}.`}
        </Text>
      )}
      <Text size="sm">{text}</Text>
    </DeedForm>
  );
}
