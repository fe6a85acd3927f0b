import { Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { IconChartLine } from '@tabler/icons-react';
import { useState } from 'react';
import { useApi } from '../../../api/use-api.ts';
import { EmptyState } from '../../../components/empty-state.tsx';
import { ErrorNote } from '../../../components/error-note.tsx';
import { formatMinute } from '../../../format.ts';
import { trendsTexts } from '../../../texts/trends.ts';
import { EngineTrends } from './engine-trends.tsx';
import { isIdle, type TrendSpan } from './history-figures.ts';

const texts = trendsTexts;

/** How each engine did over an hour, a day or 30 days. */
export function TrendsView() {
  const [span, setSpan] = useState<TrendSpan>('day');
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {texts.hint[span]}
        </Text>
        <SegmentedControl
          aria-label={texts.span}
          value={span}
          onChange={(next) => setSpan(next as TrendSpan)}
          data={Object.entries(texts.spans).map(([value, label]) => ({ value, label }))}
        />
      </Group>
      <Engines span={span} />
    </Stack>
  );
}

function Engines({ span }: { readonly span: TrendSpan }) {
  const history = useApi('GET /admin/v1/engines/history', { query: { span } });
  if (history.error !== null) return <ErrorNote error={history.error} onRetry={() => void history.refetch()} />;
  if (history.data === undefined) return <Skeleton h={320} radius={14} aria-hidden="true" />;
  const { items, since, from } = history.data;
  const engines = items.filter((engine) => !isIdle(engine));
  return (
    <>
      {engines.length === 0 && (
        <EmptyState
          icon={<IconChartLine size={44} stroke={1.2} color="var(--accent)" aria-hidden="true" />}
          title={texts.empty}
          text={texts.emptyText}
        />
      )}
      {engines.map((engine) => (
        <EngineTrends key={engine.engine} history={engine} span={span} />
      ))}
      {since > from && (
        <Text size="sm" c="dimmed">
          {texts.since(formatMinute(since))}
        </Text>
      )}
    </>
  );
}
