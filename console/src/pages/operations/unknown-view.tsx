import { Button, Group, Modal, Skeleton, Stack, Switch, Text, Textarea } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { call } from '../../api/client.ts';
import type { DataOf } from '../../api/operations.ts';
import { refresh, useApi } from '../../api/use-api.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { formatMoney } from '../../components/money.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { formatMinute, formatMoment } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { formatDetail } from './format-detail.ts';
import classes from './operations.module.css';
import { orderAddress } from './orders-view.tsx';

type Entry = DataOf<'GET /admin/v1/reconciliation'>['items'][number];

const texts = operationsTexts.unknown;

/** Orders with unknown outcome and late results, each with advice. */
export function UnknownView() {
  const [showsResolved, setShowsResolved] = useState(false);
  const [showsTest, setShowsTest] = useState(false);
  const [asked, setAsked] = useState<string | null>(null);
  const entries = useApi(
    'GET /admin/v1/reconciliation',
    { query: { limit: 100, resolved: showsResolved ? 'true' : 'false', mode: showsTest ? 'all' : 'live' } },
    { keep: true },
  );
  return (
    <Stack>
      <Group justify="flex-end">
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
        entries.data.items.map((entry) => (
          <EntryCard key={entry.reconciliation_id} entry={entry} onResolve={() => setAsked(entry.reconciliation_id)} />
        ))
      )}
      <ResolveModal id={asked} onClose={() => setAsked(null)} />
    </Stack>
  );
}

function EntryCard({ entry, onResolve }: { readonly entry: Entry; readonly onResolve: () => void }) {
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
          <Button variant="default" size="xs" onClick={onResolve}>
            {texts.resolve}
          </Button>
        )}
      </Group>
      <Text size="sm" mt="sm" maw="72ch">
        {entry.resolved_at === null
          ? entry.mode === 'test'
            ? texts.testAdvice
            : texts.advice[entry.kind]
          : texts.resolved(formatMinute(entry.resolved_at), entry.resolution ?? '')}
      </Text>
      <p className={classes.detail}>{formatDetail(entry.detail)}</p>
    </section>
  );
}

function ResolveModal({ id, onClose }: { readonly id: string | null; readonly onClose: () => void }) {
  const [found, setFound] = useState('');
  const resolve = useMutation({
    mutationFn: (entryId: string) =>
      call('POST /admin/v1/reconciliation/{id}/resolve', { path: { id: entryId }, body: { resolution: found.trim() } }),
    onSuccess: async () => {
      await refresh('GET /admin/v1/reconciliation', 'GET /admin/v1/audit');
      setFound('');
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (id !== null) resolve.mutate(id);
  };
  return (
    <Modal
      opened={id !== null}
      onClose={onClose}
      title={texts.resolveTitle}
      closeButtonProps={{ 'aria-label': operationsTexts.close }}
      centered
    >
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{texts.resolveText}</Text>
          <Textarea
            label={texts.resolution}
            placeholder={texts.placeholder}
            required
            autosize
            minRows={3}
            maxLength={2000}
            value={found}
            onChange={(event) => setFound(event.currentTarget.value)}
            data-autofocus
          />
          {resolve.error !== null && <ErrorNote title={texts.failed} error={resolve.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {operationsTexts.cancel}
            </Button>
            <Button type="submit" loading={resolve.isPending} disabled={found.trim() === ''}>
              {texts.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
