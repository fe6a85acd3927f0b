import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'wouter';
import { call } from '../../api/client.ts';
import { OPEN_ALERTS } from '../../api/open-alerts.ts';
import type { DataOf } from '../../api/operations.ts';
import { useApi } from '../../api/use-api.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Panel } from '../../components/panel.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { formatMoment } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { MoreButton } from './more-button.tsx';
import classes from './operations.module.css';
import { useAdminPages } from './use-admin-pages.ts';

type Alert = DataOf<'GET /admin/v1/alerts'>['items'][number];

const texts = operationsTexts.alerts;
const PAGE_SIZE = 20;

/** What needs attention now with what to do, and below it what has ended. */
export function AlertsView() {
  const open = useApi('GET /admin/v1/alerts', OPEN_ALERTS);
  if (open.error !== null) return <ErrorNote error={open.error} onRetry={() => void open.refetch()} />;
  if (open.data === undefined) return <Skeleton h={220} radius={14} aria-hidden="true" />;
  return (
    <Stack>
      {open.data.items.length === 0 ? (
        <EmptyState
          icon={<IconCircleCheck size={44} stroke={1.2} color="var(--accent)" aria-hidden="true" />}
          title={texts.empty}
          text={texts.emptyText}
        />
      ) : (
        open.data.items.map((alert) => <OpenAlert key={alert.alert_id} alert={alert} />)
      )}
      <EndedAlerts />
    </Stack>
  );
}

function OpenAlert({ alert }: { readonly alert: Alert }) {
  const { kind, subject, summary } = alert;
  const label = subject === null ? texts.kinds[kind] : `${texts.kinds[kind]}: ${subject}`;
  return (
    <section className={classes.entry} aria-label={label}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Text fw={550} component="h2" size="md" m={0}>
          <Mark tone="bad">{label}</Mark>
        </Text>
        <Button component={Link} href={pageOf(alert)} variant="default" size="xs">
          {texts.show[kind]}
        </Button>
      </Group>
      <Text size="sm" mt="xs" maw="72ch">
        {summary}
      </Text>
      <Text size="sm" maw="72ch">
        {texts.advice[kind]}
      </Text>
      <Text size="sm" c="dimmed" mt="sm">
        {texts.since(formatMoment(alert.began_at))} {told(alert)}
      </Text>
    </section>
  );
}

function EndedAlerts() {
  const ended = useAdminPages(
    ['GET /admin/v1/alerts', 'ended'],
    (after, signal) =>
      call(
        'GET /admin/v1/alerts',
        { query: { state: 'ended', limit: PAGE_SIZE, ...(after === undefined ? {} : { after }) } },
        { signal },
      ),
    (alert) => alert.alert_id,
  );
  if (ended.error !== null) return <ErrorNote error={ended.error} onRetry={() => void ended.refetch()} />;
  if (ended.items === undefined || ended.items.length === 0) return null;
  return (
    <Panel title={texts.ended} hint={texts.endedHint} flush>
      <DataTable
        label={texts.ended}
        rows={ended.items}
        rowKey={(alert) => alert.alert_id}
        columns={[
          {
            head: texts.heads.began,
            phone: 'aside',
            cell: (alert) => <span className="figures">{formatMoment(alert.began_at)}</span>,
          },
          {
            head: texts.heads.ended,
            phone: 'fact',
            cell: (alert) => (
              <span className="figures">{alert.ended_at === null ? '' : formatMoment(alert.ended_at)}</span>
            ),
          },
          {
            head: texts.heads.what,
            phone: 'title',
            cell: (alert) => (
              <div className={classes.reason}>
                {texts.kinds[alert.kind]}
                <Text size="xs" c="dimmed">
                  {alert.summary}
                </Text>
              </div>
            ),
          },
          { head: texts.heads.told, phone: 'note', cell: told },
          {
            head: texts.heads.page,
            phone: 'note',
            cell: (alert) => <Link href={pageOf(alert)}>{texts.show[alert.kind]}</Link>,
          },
        ]}
      />
      <MoreButton pages={ended} />
    </Panel>
  );
}

function pageOf({ url }: Alert): string {
  return new URL(url).hash.slice(1);
}

/** Who got the last message about it, and with what result. */
function told({ messages }: Alert): string {
  if (messages.length === 0) return texts.nobody;
  return messages
    .map(({ receiver, status, error, ...message }) => {
      const name = receiver === null ? texts.webhook : `${texts.webhook} (${receiver})`;
      const when = formatMoment(message.delivered_at ?? message.created_at);
      return texts.messages[status](name, when, error ?? '');
    })
    .join(' ');
}
