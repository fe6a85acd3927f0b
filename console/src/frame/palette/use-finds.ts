import { useMantineColorScheme } from '@mantine/core';
import { IconChevronRight, IconFileText, IconKey, IconPhoto, IconSparkles, IconUsers } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { useMay } from '../../api/may.ts';
import { chooseAccount, useOtherAccounts } from '../../api/person.ts';
import { switchMode, useSession } from '../../api/session.ts';
import { useApi } from '../../api/use-api.ts';
import { hasWords } from '../../components/model-search.ts';
import { ordersAddress } from '../../components/orders/order-filter.ts';
import { orderAddress } from '../../components/orders/order-name.tsx';
import { promptOf } from '../../components/task-facts.ts';
import { formatMoment } from '../../format.ts';
import { frameTexts } from '../../texts/frame.ts';
import { useAccess } from '../access.ts';
import { addKeyStore } from '../add-key.ts';
import { useLeaving } from '../leaving.ts';
import { SCHEMES } from '../schemes.ts';
import { type Find, type FindGroup, hasAllWords } from './find.ts';

const FRESH_MS = 60_000;
const AT_MOST = 5;

/**
 * Everything that a search finds among what this session may open and do. Orders come last, because they come late:
 * nothing moves from under the choice.
 * @param search as typed; empty = the pages and the commands
 * @param settled the same once nothing has been typed for a moment
 */
export function useFinds(
  search: string,
  settled: string,
): { readonly groups: readonly FindGroup[]; readonly isPending: boolean } {
  const orders = useOrders(settled);
  const groups: readonly FindGroup[] = [
    { name: 'pages', icon: IconFileText, finds: usePlaces(search) },
    {
      name: 'commands',
      icon: IconChevronRight,
      finds: useCommands().filter(({ label }) => hasAllWords(search, label)),
    },
    { name: 'models', icon: IconSparkles, finds: useModels(search) },
    { name: 'accounts', icon: IconUsers, finds: useAccounts(search) },
    { name: 'keys', icon: IconKey, finds: useKeys(search) },
    { name: 'orders', icon: IconPhoto, finds: search === settled ? orders.finds : [] },
  ];
  return { groups: groups.filter(({ finds }) => finds.length > 0), isPending: search !== settled || orders.isPending };
}

function usePlaces(search: string): readonly Find[] {
  const [, navigate] = useLocation();
  return useAccess().open.flatMap(({ name, views }) => {
    const place = frameTexts.places[name];
    return views
      .filter((view) => view.isLinked !== true)
      .map((view) => ({ id: `view-${view.name}`, path: view.path, label: frameTexts.views[view.name] }))
      .filter(({ label }) => hasAllWords(search, label, place))
      .map(({ id, path, label }) => ({
        id,
        label,
        ...(label === place ? {} : { more: place }),
        act: () => navigate(path),
      }));
  });
}

function useModels(search: string): readonly Find[] {
  const [, navigate] = useLocation();
  const isAsked = useMay()('GET /v1/models') && search !== '';
  const { data } = useApi('GET /v1/models', {}, { enabled: isAsked, staleTime: FRESH_MS });
  if (!isAsked) return [];
  return (data?.items ?? [])
    .filter((model) => hasWords(model, search))
    .slice(0, AT_MOST)
    .map(({ model_id: id, name, vendor }) => ({
      id: `model-${id}`,
      label: name,
      more: vendor,
      act: () => navigate(`/models/${id}`),
    }));
}

function useAccounts(search: string): readonly Find[] {
  const [, navigate] = useLocation();
  const isAsked = useMay()('GET /admin/v1/accounts') && search !== '';
  const { data } = useApi('GET /admin/v1/accounts', {}, { enabled: isAsked, staleTime: FRESH_MS });
  if (!isAsked) return [];
  return (data?.items ?? [])
    .filter(({ account_id: id, name }) => hasAllWords(search, id, name))
    .slice(0, AT_MOST)
    .map(({ account_id: id, name }) => ({
      id: `account-${id}`,
      label: name,
      ...(id === name ? {} : { more: id }),
      act: () => navigate(ordersAddress({ search: id, withTest: true })),
    }));
}

function useKeys(search: string): readonly Find[] {
  const [, navigate] = useLocation();
  const isAsked = useMay()('GET /admin/v1/keys') && search !== '';
  const { data } = useApi('GET /admin/v1/keys', { query: {} }, { enabled: isAsked, staleTime: FRESH_MS });
  if (!isAsked) return [];
  return (data?.items ?? [])
    .filter(({ key_id: id, name, account_id: account }) => hasAllWords(search, id, name, account))
    .slice(0, AT_MOST)
    .map(({ key_id: id, name, account_id: account }) => ({
      id: `key-${id}`,
      label: name,
      more: account,
      act: () => navigate(ordersAddress({ search: id, withTest: true })),
    }));
}

const texts = frameTexts.palette;

/** What this session can do without a page. */
function useCommands(): readonly Find[] {
  const { keys, mode } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const mayOrder = useMay()('POST /v1/images');
  const otherAccounts = useOtherAccounts();
  const { signOut } = useLeaving();
  const other = mode === 'test' ? 'live' : 'test';
  return [
    ...(mayOrder && keys[other] !== undefined
      ? [{ id: other, label: texts.use[other], act: () => switchMode(other) }]
      : []),
    ...otherAccounts.map(({ account_id: id, name }) => ({
      id: `work-${id}`,
      label: frameTexts.session.workIn(name),
      act: () => void chooseAccount(id),
    })),
    { id: 'add-key', label: frameTexts.session.add, act: () => addKeyStore.set(true) },
    ...SCHEMES.filter(({ value }) => value !== colorScheme).map(({ value }) => ({
      id: `scheme-${value}`,
      label: texts.scheme[value],
      act: () => setColorScheme(value),
    })),
    { id: 'reference', label: frameTexts.reference, act: () => void window.open('docs', '_blank', 'noreferrer') },
    { id: 'sign-out', label: frameTexts.session.signOut, act: signOut },
  ];
}

/** A search looks through thousands of orders. */
const SHORTEST = 3;

/** Orders by id and words: one's own, and for operators all by whatever the list of orders finds. */
function useOrders(search: string): { readonly finds: readonly Find[]; readonly isPending: boolean } {
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
