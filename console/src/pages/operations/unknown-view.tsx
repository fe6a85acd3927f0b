import { Button, Checkbox, Group, Select, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { perform } from '../../api/deeds.ts';
import type { DataOf } from '../../api/operations.ts';
import { refresh, useApi } from '../../api/use-api.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { addMoney, formatMoney } from '../../components/money.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { formatMinute, formatMoment } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { formatDetail } from './format-detail.ts';
import classes from './operations.module.css';
import { orderAddress } from './orders-view.tsx';
import { ResolveModal } from './resolve-modal.tsx';

type Entry = DataOf<'GET /admin/v1/reconciliation'>['items'][number];

const texts = operationsTexts.unknown;

/** The most that one request may resolve. */
const SHOWN_AT_ONCE = 100;

/** Orders with unknown outcome and late results, each with advice; several can be resolved with one finding. */
export function UnknownView() {
  const [showsResolved, setShowsResolved] = useState(false);
  const [showsTest, setShowsTest] = useState(false);
  const [engine, setEngine] = useState<string | null>(null);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [asked, setAsked] = useState<readonly string[]>([]);
  const engines = useApi('GET /admin/v1/engines', {});
  const entries = useApi(
    'GET /admin/v1/reconciliation',
    {
      query: {
        limit: SHOWN_AT_ONCE,
        resolved: showsResolved ? 'true' : 'false',
        mode: showsTest ? 'all' : 'live',
        ...(engine === null ? {} : { engine }),
      },
    },
    { keep: true },
  );
  const open = (entries.data?.items ?? []).filter((entry) => entry.resolved_at === null);
  const marked = open.filter((entry) => chosen.includes(entry.reconciliation_id));
  const names = [...new Set((engines.data?.items ?? []).map(({ name }) => name))].sort();
  return (
    <Stack>
      <Group justify="space-between" gap="sm">
        <Select
          aria-label={texts.engine}
          placeholder={texts.allEngines}
          data={names}
          value={engine}
          onChange={setEngine}
          clearable
          size="sm"
        />
        <Group>
          <Switch
            label={operationsTexts.showTest}
            checked={showsTest}
            onChange={(event) => setShowsTest(event.currentTarget.checked)}
          />
          <Switch
            label={texts.showResolved}
            checked={showsResolved}
            onChange={(event) => setShowsResolved(event.currentTarget.checked)}
          />
        </Group>
      </Group>
      {open.length > 1 && (
        <Group justify="space-between" gap="sm">
          <Checkbox
            label={texts.chooseAll(open.length, formatMoney(addMoney(open.map(({ price }) => price))))}
            checked={marked.length === open.length}
            indeterminate={marked.length > 0 && marked.length < open.length}
            onChange={(event) => setChosen(event.currentTarget.checked ? idsOf(open) : [])}
          />
          <Button variant="default" size="xs" disabled={marked.length === 0} onClick={() => setAsked(idsOf(marked))}>
            {texts.resolveChosen(marked.length)}
          </Button>
        </Group>
      )}
      {entries.error !== null ? (
        <ErrorNote error={entries.error} onRetry={() => void entries.refetch()} />
      ) : entries.data === undefined ? (
        <Skeleton h={150} radius={14} aria-hidden="true" />
      ) : entries.data.items.length === 0 ? (
        <EmptyState
          icon={<IconCircleCheck size={44} stroke={1.2} color="var(--accent)" aria-hidden="true" />}
          title={texts.empty}
          text={texts.emptyText}
        />
      ) : (
        entries.data.items.map((entry) => {
          const { reconciliation_id: id } = entry;
          return (
            <EntryCard
              key={id}
              entry={entry}
              isChosen={chosen.includes(id)}
              onChoose={(isChosen) => setChosen(isChosen ? [...chosen, id] : chosen.filter((other) => other !== id))}
              onResolve={() => setAsked([id])}
            />
          );
        })
      )}
      <ResolveModal ids={asked} onClose={() => setAsked([])} />
    </Stack>
  );
}

function idsOf(entries: readonly Entry[]): string[] {
  return entries.map((entry) => entry.reconciliation_id);
}

function EntryCard({
  entry,
  isChosen,
  onChoose,
  onResolve,
}: {
  readonly entry: Entry;
  readonly isChosen: boolean;
  readonly onChoose: (isChosen: boolean) => void;
  readonly onResolve: () => void;
}) {
  const { task_id: id } = entry;
  const refund = useMutation({
    mutationFn: () => perform('POST /admin/v1/tasks/{task_id}/refund', { path: { task_id: id } }, texts.refundOf(id)),
    onSuccess: () =>
      refresh(
        'GET /admin/v1/reconciliation',
        'GET /admin/v1/tasks/{task_id}',
        'GET /admin/v1/accounts',
        'GET /admin/v1/audit',
      ),
  });
  return (
    <section className={classes.entry} aria-label={`${texts.kinds[entry.kind]}: ${entry.task_id}`}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <div>
          <Text fw={550}>
            <Mark tone={entry.resolved_at === null && entry.mode === 'live' ? 'bad' : 'quiet'}>
              {texts.kinds[entry.kind]}
            </Mark>
          </Text>
          <Text size="sm" c="dimmed">
            {texts.task}{' '}
            <Link href={orderAddress(entry.task_id)}>
              <span className={classes.code}>{entry.task_id}</span>
            </Link>
            , {formatMoment(entry.created_at)}
            {entry.mode === 'test' && `, ${operationsTexts.engines.modes.test}`}
          </Text>
          <Text size="sm" c="dimmed">
            {texts.facts(entry.model_id, entry.engine, formatMoney(entry.price))}
          </Text>
        </div>
        {entry.resolved_at === null && (
          <Group gap="sm">
            {entry.kind === 'broken_output' && (
              <Button size="xs" loading={refund.isPending} onClick={() => refund.mutate()}>
                {texts.refund}
              </Button>
            )}
            <Button variant="default" size="xs" onClick={onResolve}>
              {texts.resolve}
            </Button>
            <Checkbox
              aria-label={texts.choose(entry.task_id)}
              checked={isChosen}
              onChange={(event) => onChoose(event.currentTarget.checked)}
            />
          </Group>
        )}
      </Group>
      <Text size="sm" mt="sm" maw="72ch">
        {entry.resolved_at === null
          ? entry.mode === 'test'
            ? texts.testAdvice
            : texts.advice[entry.kind]
          : texts.resolved(formatMinute(entry.resolved_at), entry.resolution ?? '')}
      </Text>
      {refund.error !== null && <ErrorNote title={texts.notRefunded} error={refund.error} />}
      <p className={classes.detail}>{formatDetail(entry.detail)}</p>
    </section>
  );
}
