import { Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { useApi } from '../../api/use-api.ts';
import { atOnce, ListPanel } from '../../components/list-panel.tsx';
import { Toggle } from '../../components/toggle.tsx';
import { Moment, Told } from '../../components/two-lines.tsx';
import { formatMoment } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { CausesPanel } from './causes-panel.tsx';
import { OrderName } from './order-name.tsx';
import { SearchField } from './search-field.tsx';

const texts = operationsTexts.failures;
const MOST = 100;

/** Recent failures of all keys, with the engine's own reason. */
export function FailuresView() {
  const [showsTest, setShowsTest] = useState(false);
  const [search, setSearch] = useState<string | null>(null);
  const mode = showsTest ? 'all' : 'live';
  return (
    <Stack>
      <Group justify="flex-end">
        <Toggle label={operationsTexts.showTest} isOn={showsTest} onChange={setShowsTest} />
        <SearchField label={operationsTexts.live.search} onSearch={setSearch} />
      </Group>
      {search === null && <CausesPanel mode={mode} />}
      <Failures mode={mode} search={search} />
    </Stack>
  );
}

function Failures({ mode, search }: { readonly mode: 'live' | 'all'; readonly search: string | null }) {
  const query = { limit: MOST, mode, ...(search === null ? {} : { search }) };
  const failures = useApi('GET /admin/v1/failures', { query }, { keep: true });
  const { truncated = false, since = '' } = failures.data ?? {};
  return (
    <ListPanel
      pages={atOnce(failures)}
      title={operationsTexts.views.failures}
      hint={truncated ? texts.truncated(formatMoment(since)) : texts.hint}
      empty={texts.empty}
      rowKey={(failure) => failure.task_id}
      columns={[
        {
          head: texts.heads.when,
          phone: 'aside',
          cell: (failure) => <Moment at={failure.completed_at ?? failure.created_at} />,
        },
        { head: texts.heads.who, phone: 'title', cell: (failure) => <OrderName order={failure} /> },
        {
          head: texts.heads.reason,
          phone: 'note',
          cell: (failure) => <Told more={<code>{`${failure.engine}, ${failure.code}`}</code>}>{failure.message}</Told>,
        },
      ]}
    />
  );
}
