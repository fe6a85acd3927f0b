import { Button, Group, Popover, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { perform, useDeed } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { ErrorNote } from '../error-note.tsx';

type Order = DataOf<'GET /admin/v1/tasks/{task_id}'>;
type Name = keyof typeof DEEDS;

const DEEDS = {
  ask: ['Ask now', 'POST /admin/v1/tasks/{task_id}/ask'],
  cancel: ['Cancel', 'POST /admin/v1/tasks/{task_id}/cancel'],
  give_up: ['Give up', 'POST /admin/v1/tasks/{task_id}/give_up'],
} as const;
/** Steps in which an upstream has, or may have, the order. */
const AT_UPSTREAM = ['submitting', 'running'];

const LOOK_AGAIN_MS = 500;
/** Maximum number of polls, ten seconds in all; then the upstream may be asked again. */
const LOOKS = 20;

/** An operator's deeds for an order that is not final. */
export function OrderDeeds({ order }: { readonly order: Order }) {
  const { task_id: id, standing } = order;
  const [isAsking, setAsking] = useState(false);
  const action = useDeed(async (name: Name) => {
    const [word, operation] = DEEDS[name];
    await perform(operation, { path: { task_id: id } }, `${word}: ${id}`);
    if (name === 'ask') await untilAsked(order);
  });
  if (standing === null) return null;
  const isAtUpstream = AT_UPSTREAM.includes(order.step);
  const button = (name: Name) => ({
    size: 'xs',
    variant: 'default',
    'aria-label': `${DEEDS[name][0]}: ${id}`,
    loading: action.isPending && action.variables === name,
  });
  return (
    <Stack gap="xs">
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        {isAtUpstream && (
          <Button {...button('ask')} onClick={() => action.mutate('ask')}>
            Ask now
          </Button>
        )}
        <Button {...button('cancel')} onClick={() => action.mutate('cancel')}>
          Cancel
        </Button>
        {isAtUpstream && (
          <Popover width={320} position="bottom-end" trapFocus opened={isAsking} onChange={setAsking}>
            <Popover.Target>
              <Button {...button('give_up')} color="red" onClick={() => setAsking(!isAsking)}>
                Give up
              </Button>
            </Popover.Target>
            <Popover.Dropdown>
              <Text size="sm">
                The order ends with an unknown outcome, and its price is released. It is never sent again. If its result
                comes later, it is listed among the orders that are “Unknown”.
              </Text>
              <Button
                size="xs"
                color="red"
                mt="sm"
                onClick={() => {
                  setAsking(false);
                  action.mutate('give_up');
                }}
              >
                Give up and release
              </Button>
            </Popover.Dropdown>
          </Popover>
        )}
      </Group>
      <ErrorNote title="Nothing was changed" error={action.error} />
    </Stack>
  );
}

/** Waits for the check that an operator requested. Never throws: the request itself has succeeded. */
async function untilAsked({ task_id: id, standing: before }: Order): Promise<void> {
  for (let attempt = 0; attempt < LOOKS; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    const now = await call('GET /admin/v1/tasks/{task_id}', { path: { task_id: id } }).catch(() => null);
    if (now !== null && now.standing?.asked_at !== before?.asked_at) return;
  }
}
