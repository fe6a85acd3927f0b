import { Button, Group, Text, VisuallyHidden } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/client.ts';
import { perform } from '../../api/deeds.ts';
import { useDeed } from '../../api/use-deed.ts';
import { orderTexts } from '../../texts/operator-orders.ts';
import { DialogAbout } from '../dialog.tsx';
import { DialogForm } from '../dialog-form.tsx';
import { ErrorNote } from '../error-note.tsx';
import { type OrderFilter, queryOf } from './order-filter.ts';

type Name = keyof typeof DEEDS;

const texts = orderTexts.forAll;
const DEEDS = {
  ask: 'POST /admin/v1/tasks/ask',
  cancel: 'POST /admin/v1/tasks/cancel',
  give_up: 'POST /admin/v1/tasks/give_up',
} as const;
const NAMES = Object.keys(DEEDS) as Name[];

/** What an operator can do about all open orders that a filter finds, once their number is confirmed. */
export function DeedsForAll({
  filter,
  of,
  isOffered,
}: {
  readonly filter: OrderFilter;
  /** What they have in common, for names of buttons on a page with several of these. */
  readonly of?: string;
  /** Whether there are several. An open dialog and its receipt stay. */
  readonly isOffered: boolean;
}) {
  const [asked, setAsked] = useState<Name | null>(null);
  const [done, setDone] = useState<string | null>(null);
  return (
    <Group gap="xs" justify="flex-end">
      {done !== null && (
        <Text size="sm" role="status">
          {done}
        </Text>
      )}
      {(isOffered ? NAMES : []).map((name) => (
        <Button
          key={name}
          size="xs"
          variant="default"
          {...(name === 'give_up' ? { color: 'red' } : {})}
          onClick={() => {
            setDone(null);
            setAsked(name);
          }}
        >
          {texts.buttons[name]}
          {of !== undefined && <VisuallyHidden>: {of}</VisuallyHidden>}
        </Button>
      ))}
      <DialogAbout about={asked} title={(name) => texts.titles[name]} onClose={() => setAsked(null)}>
        {(name) => <Confirm name={name} filter={filter} onDone={setDone} onClose={() => setAsked(null)} />}
      </DialogAbout>
    </Group>
  );
}

function Confirm({
  name,
  filter,
  onDone,
  onClose,
}: {
  readonly name: Name;
  readonly filter: OrderFilter;
  readonly onDone: (words: string) => void;
  readonly onClose: () => void;
}) {
  const query = queryOf(filter);
  // Read once: the number that is sent is the one that was read here.
  const count = useMutation({ mutationFn: () => call('GET /admin/v1/tasks/deeds', { query }) });
  const { mutate: look } = count;
  useEffect(look, [look]);
  const orders = count.data?.[name] ?? 0;
  const deed = useDeed(
    async () => {
      try {
        return await perform(DEEDS[name], { body: { ...query, expected: orders } }, texts.deeds[name](orders));
      } catch (error) {
        if (error instanceof ApiError && error.code === 'orders_changed') look();
        throw error;
      }
    },
    ({ orders: entered }) => {
      onDone(texts.done[name](entered));
      onClose();
    },
  );
  return (
    <DialogForm
      deed={deed}
      texts={{ submit: texts.deeds[name](orders), failed: 'Nothing was changed', keep: 'Not now' }}
      isReady={orders > 0 && !count.isPending}
      isGrave={name !== 'ask'}
      onClose={onClose}
    >
      <ErrorNote error={count.error} onRetry={look} />
      {count.data !== undefined && <Text size="sm">{texts.count(orders)}</Text>}
      <Text size="sm">{texts.explained[name]}</Text>
    </DialogForm>
  );
}
