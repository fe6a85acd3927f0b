import { Group, Text } from '@mantine/core';
import type { DataOf } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { ExampleMark } from '../../components/example-mark.tsx';
import { modelTexts } from '../../texts/models.ts';

type Order = DataOf<'GET /admin/v1/tasks/{task_id}'>;

/** Whether one of the operator's own orders is an example of its model. */
export function OrderExample({ order }: { readonly order: Order }) {
  const { task_id: taskId, account_id: accountId } = order;
  const canBe = order.status === 'succeeded' && order.mode === 'live' && order.action === null;
  const keys = useApi('GET /admin/v1/keys', { query: {} }, { enabled: canBe });
  const examples = useApi('GET /admin/v1/examples', { query: { task_id: taskId } }, { enabled: canBe });
  const isOwn = keys.data?.items.some(
    (key) => key.mode === 'admin' && key.account_id === accountId && key.revoked_at === null,
  );
  if (isOwn !== true || examples.data === undefined) return null;
  const isExample = examples.data.items.length > 0;
  // Keyed, because a note about a lost answer says nothing of what was read since.
  return (
    <Group gap="sm" mb="md">
      <ExampleMark key={String(isExample)} taskId={taskId} isExample={isExample} />
      {isExample && <Text size="sm">{modelTexts.examples.marked(order.model_id)}</Text>}
    </Group>
  );
}
