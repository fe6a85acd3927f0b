import { Group, Skeleton, Stack, Switch, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/use-api.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { ErrorNote } from '../../components/error-note.tsx';
import { Panel } from '../../components/panel.tsx';
import { formatMoment } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { CausesPanel } from './causes-panel.tsx';
import classes from './operations.module.css';
import { orderAddress } from './orders-view.tsx';

const texts = operationsTexts.failures;
const MOST = 100;

/** Recent failures of all keys, with the engine's own reason. */
export function FailuresView() {
  const [showsTest, setShowsTest] = useState(false);
  return (
    <Stack>
      <Group justify="flex-end">
        <Switch
          label={operationsTexts.showTest}
          checked={showsTest}
          onChange={(event) => setShowsTest(event.currentTarget.checked)}
        />
      </Group>
      <CausesPanel mode={showsTest ? 'all' : 'live'} />
      <Failures mode={showsTest ? 'all' : 'live'} />
    </Stack>
  );
}

function Failures({ mode }: { readonly mode: 'live' | 'all' }) {
  const failures = useApi('GET /admin/v1/failures', { query: { limit: MOST, mode } });
  if (failures.error !== null) return <ErrorNote error={failures.error} onRetry={() => void failures.refetch()} />;
  if (failures.data === undefined) return <Skeleton h={220} radius={14} aria-hidden="true" />;
  if (failures.data.items.length === 0) {
    return (
      <EmptyState
        icon={<IconCircleCheck size={44} stroke={1.2} color="var(--accent)" aria-hidden="true" />}
        title={texts.empty}
        text={texts.emptyText}
      />
    );
  }
  return (
    <Panel
      title={operationsTexts.views.failures}
      hint={failures.data.truncated ? texts.truncated(formatMoment(failures.data.since)) : texts.hint}
      flush
    >
      <DataTable
        label={operationsTexts.views.failures}
        rows={failures.data.items}
        rowKey={(failure) => failure.task_id}
        columns={[
          {
            head: texts.heads.when,
            phone: 'aside',
            cell: (failure) => (
              <span className="figures">{formatMoment(failure.completed_at ?? failure.created_at)}</span>
            ),
          },
          {
            head: texts.heads.model,
            phone: 'title',
            cell: (failure) => (
              <div className={classes.model}>
                {failure.model_id}
                <Text size="xs" c="dimmed">
                  {failure.engine}, {operationsTexts.engines.modes[failure.mode]}
                </Text>
              </div>
            ),
          },
          {
            head: texts.heads.reason,
            phone: 'note',
            cell: (failure) => (
              <div className={classes.reason}>
                {failure.message}
                <Text size="xs" c="dimmed" ff="monospace">
                  {failure.code}
                </Text>
              </div>
            ),
          },
          {
            head: texts.heads.who,
            phone: 'note',
            cell: (failure) => (
              <div>
                {failure.account_id}
                <div className={classes.code}>{failure.key_id}</div>
              </div>
            ),
          },
          {
            head: texts.heads.task,
            phone: 'note',
            cell: (failure) => (
              <Link href={orderAddress(failure.task_id)}>
                <span className={classes.code}>{failure.task_id}</span>
              </Link>
            ),
          },
        ]}
      />
    </Panel>
  );
}
