import { useLocation } from 'wouter';
import { useMay } from '../../api/may.ts';
import { useApi } from '../../api/use-api.ts';
import { orderAddress } from '../../components/orders/order-name.tsx';
import { promptOf } from '../../components/task-facts.ts';
import { formatMoment } from '../../format.ts';
import type { Find } from './find.ts';

/** A search looks through thousands of orders. */
const SHORTEST = 3;
const AT_MOST = 5;

/** Orders by id and words: one's own, and for operators all by whatever the list of orders finds. */
export function useOrders(search: string): { readonly finds: readonly Find[]; readonly isPending: boolean } {
  const [, navigate] = useLocation();
  const may = useMay();
  const isLong = search.length >= SHORTEST;
  const own = { query: { search, limit: AT_MOST } };
  const ofOwn = { enabled: isLong && may('POST /v1/images') };
  const images = useApi('GET /v1/images', own, ofOwn);
  const videos = useApi('GET /v1/videos', own, ofOwn);
  const all = useApi(
    'GET /admin/v1/tasks',
    { query: { search, mode: 'all', limit: AT_MOST } },
    { enabled: isLong && may('GET /admin/v1/tasks') },
  );
  const made = [...(images.data?.items ?? []), ...(videos.data?.items ?? [])].map((task) => ({
    id: task.task_id,
    label: promptOf(task) || task.task_id,
    more: `${task.model_id} · ${formatMoment(task.created_at)}`,
    act: () => navigate(`/t/${task.task_id}`),
  }));
  const others = (all.data?.items ?? [])
    .filter(({ task_id: id }) => made.every((one) => one.id !== id))
    .map(({ task_id: id, account_name: account, model_id: model, end_user: customer, created_at: at }) => ({
      id,
      label: [account, model, customer].filter((part) => part !== null).join(', '),
      more: formatMoment(at),
      act: () => navigate(orderAddress(id)),
    }));
  return {
    finds: [...made, ...others],
    isPending: [images, videos, all].some(({ isFetching, data }) => isFetching && data === undefined),
  };
}
