import { useMantineColorScheme } from '@mantine/core';
import { IconChevronRight, IconFileText, IconKey, IconPhoto, IconSparkles, IconUsers } from '@tabler/icons-react';
import { useLocation } from 'wouter';
import { useMay } from '../../api/may.ts';
import type { Operation } from '../../api/operations.ts';
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
import { addKeyStore, SCHEMES, useLeaving } from '../session-acts.ts';

/** Something that the palette offers. */
export interface Find {
  /** Unique id. */
  readonly id: string;
  readonly label: string;
  /** Details that distinguish it from others of the same name. */
  readonly more?: string;
  readonly act: () => void;
}

/** Finds of one kind, best first. */
export interface FindGroup {
  readonly title: string;
  readonly icon: typeof IconKey;
  readonly finds: readonly Find[];
}

const FRESH_MS = 60_000;
const AT_MOST = 5;

/**
 * Returns everything that a search finds among the pages and actions that are open to this session. Orders come last,
 * because they load last: the selected entry never moves.
 * @param search as typed; empty = the pages and the commands
 * @param settled the search once nothing has been typed for a moment
 */
export function useFinds(
  search: string,
  settled: string,
): { readonly groups: readonly FindGroup[]; readonly isPending: boolean } {
  const orders = useOrders(settled);
  const { models, accounts, keys } = useNamed(search);
  const commands = useCommands().filter(({ label }) => hasAllWords(search, label));
  const groups: readonly FindGroup[] = [
    { title: 'Pages', icon: IconFileText, finds: usePlaces(search) },
    { title: 'Commands', icon: IconChevronRight, finds: commands },
    { title: 'Models', icon: IconSparkles, finds: models },
    { title: 'Accounts', icon: IconUsers, finds: accounts },
    { title: 'Keys', icon: IconKey, finds: keys },
    { title: 'Orders', icon: IconPhoto, finds: search === settled ? orders.finds : [] },
  ];
  return { groups: groups.filter(({ finds }) => finds.length > 0), isPending: search !== settled || orders.isPending };
}

function usePlaces(search: string): readonly Find[] {
  const [, navigate] = useLocation();
  return useAccess().open.flatMap(({ name: place, views }) =>
    views
      .filter(({ name, isLinked }) => isLinked !== true && hasAllWords(search, name, place))
      .map(({ name, path }) => ({
        id: `view-${path}`,
        label: name,
        ...(name === place ? {} : { more: place }),
        act: () => navigate(path),
      })),
  );
}

/** Returns models, accounts and keys from the lists that this session may read. */
function useNamed(search: string): Readonly<Record<'models' | 'accounts' | 'keys', readonly Find[]>> {
  const [, navigate] = useLocation();
  const may = useMay();
  const asked = (operation: Operation) => ({ enabled: search !== '' && may(operation), staleTime: FRESH_MS });
  const models = useApi('GET /v1/models', {}, asked('GET /v1/models'));
  const accounts = useApi('GET /admin/v1/accounts', {}, asked('GET /admin/v1/accounts'));
  const keys = useApi('GET /admin/v1/keys', { query: {} }, asked('GET /admin/v1/keys'));
  if (search === '') return { models: [], accounts: [], keys: [] };
  const showOrdersOf = (id: string) => navigate(ordersAddress({ search: id, withTest: true }));
  return {
    models: (models.data?.items ?? [])
      .filter((model) => hasWords(model, search))
      .slice(0, AT_MOST)
      .map(({ model_id: id, name, vendor }) => ({
        id: `model-${id}`,
        label: name,
        more: vendor,
        act: () => navigate(`/models/${id}`),
      })),
    accounts: (accounts.data?.items ?? [])
      .filter(({ account_id: id, name }) => hasAllWords(search, id, name))
      .slice(0, AT_MOST)
      .map(({ account_id: id, name }) => ({
        id: `account-${id}`,
        label: name,
        ...(id === name ? {} : { more: id }),
        act: () => showOrdersOf(id),
      })),
    keys: (keys.data?.items ?? [])
      .filter(({ key_id: id, name, account_id: account }) => hasAllWords(search, id, name, account))
      .slice(0, AT_MOST)
      .map(({ key_id: id, name, account_id: account }) => ({
        id: `key-${id}`,
        label: name,
        more: account,
        act: () => showOrdersOf(id),
      })),
  };
}

/** Returns the actions of this session that need no page. */
function useCommands(): readonly Find[] {
  const { keys, mode } = useSession();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const otherAccounts = useOtherAccounts();
  const { signOut } = useLeaving();
  const other = mode === 'test' ? 'live' : 'test';
  return [
    ...(keys[other] === undefined
      ? []
      : [{ id: other, label: `Switch to ${other} orders`, act: () => switchMode(other) }]),
    ...otherAccounts.map(({ account_id: id, name }) => ({
      id: `work-${id}`,
      label: `Work in ${name}`,
      act: () => void chooseAccount(id),
    })),
    { id: 'add-key', label: frameTexts.addKey, act: () => addKeyStore.set(true) },
    ...SCHEMES.filter(({ value }) => value !== colorScheme).map(({ value, command }) => ({
      id: `scheme-${value}`,
      label: command,
      act: () => setColorScheme(value),
    })),
    { id: 'reference', label: 'Reference', act: () => void window.open('docs', '_blank', 'noreferrer') },
    { id: 'sign-out', label: frameTexts.signOut, act: signOut },
  ];
}

/** Minimum number of letters: a search reads thousands of orders. */
const SHORTEST = 3;

/** Returns orders by id and words: the session's own, and for operators all that their list of orders finds. */
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

/** Tells whether texts have words that begin like the words of a search, in any order and case. */
function hasAllWords(search: string, ...texts: readonly string[]): boolean {
  const words = wordsOf(texts.join(' '));
  return wordsOf(search).every((start) => words.some((word) => word.startsWith(start)));
}

function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
