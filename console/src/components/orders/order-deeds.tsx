import { Button, Group, Popover, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api/client.ts';
import { perform } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { useDeed } from '../../api/use-deed.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { ErrorNote } from '../error-note.tsx';

type Order = DataOf<'GET /admin/v1/tasks/{task_id}'>;
type Name = keyof typeof DEEDS;

const texts = operationsTexts.deeds;
const DEEDS = {
  ask: 'POST /admin/v1/tasks/{task_id}/ask',
  cancel: 'POST /admin/v1/tasks/{task_id}/cancel',
  give_up: 'POST /admin/v1/tasks/{task_id}/give_up',
} as const;
/** Steps in which an upstream has the order, or may have it. */
const AT_UPSTREAM = ['submitting', 'running'];

const LOOK_AGAIN_MS = 500;
/** After ten seconds the upstream may be asked again. */
const LOOKS = 20;

/** What an operator can do about an order that is not final. */
export function OrderDeeds({ order }: { readonly order: Order }) {
  const { task_id: id, standing } = order;
  const [isAsking, setAsking] = useState(false);
  const deed = useDeed(async (name: Name) => {
    await perform(DEEDS[name], { path: { task_id: id } }, texts.titles[name](id));
    if (name === 'ask') await untilAsked(order);
  });
  if (standing === null) return null;
  const isAtUpstream = AT_UPSTREAM.includes(order.step);
  const button = (name: Name) => ({
    size: 'xs',
    variant: 'default',
    'aria-label': texts.titles[name](id),
    loading: deed.isPending && deed.variables === name,
  });
  return (
    <Stack gap="xs">
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        {isAtUpstream && (
          <Button {...button('ask')} onClick={() => deed.mutate('ask')}>
            {texts.ask}
          </Button>
        )}
        <Button {...button('cancel')} onClick={() => deed.mutate('cancel')}>
          {texts.cancel}
        </Button>
        {isAtUpstream && (
          <Popover width={320} position="bottom-end" trapFocus opened={isAsking} onChange={setAsking}>
            <Popover.Target>
              <Button {...button('give_up')} color="red" onClick={() => setAsking(!isAsking)}>
                {texts.giveUp}
              </Button>
            </Popover.Target>
            <Popover.Dropdown>
              <Text size="sm">{texts.giveUpText}</Text>
              <Button
                size="xs"
                color="red"
                mt="sm"
                onClick={() => {
                  setAsking(false);
                  deed.mutate('give_up');
                }}
              >
                {texts.giveUpNow}
              </Button>
            </Popover.Dropdown>
          </Popover>
        )}
      </Group>
      <ErrorNote title={texts.failed} error={deed.error} />
    </Stack>
  );
}

/** Waits for the check that an operator asked for. Never throws: the deed is done. */
async function untilAsked({ task_id: id, standing: before }: Order): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    const now = await call('GET /admin/v1/tasks/{task_id}', { path: { task_id: id } }).catch(() => null);
    if (now !== null && now.standing?.asked_at !== before?.asked_at) return;
  }
}
