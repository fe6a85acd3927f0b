import { Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import type { DataOf } from '../../api/operations.ts';
import { SmallButton } from '../../components/buttons.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { Panel } from '../../components/panel.tsx';
import classes from '../../components/records.module.css';
import { Mark } from '../../components/status-mark.tsx';
import { Toggle } from '../../components/toggle.tsx';
import { withReadableTimes } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import { HoldButton } from './hold-button.tsx';
import type { Hold } from './read-checks.ts';

type Health = DataOf<'GET /admin/v1/health'>;

const texts = operationsTexts.health;

/** What can be done about the whole service: hold it, and check everything, which asks every upstream. */
export function ServiceActions({
  hold,
  showsEnded,
  onShowEnded,
}: {
  /** Undefined = not known. */
  readonly hold: Hold | null | undefined;
  readonly showsEnded: boolean;
  readonly onShowEnded: (shows: boolean) => void;
}) {
  const check = useMutation({ mutationFn: () => call('GET /admin/v1/health', {}) });
  return (
    <Stack gap="sm">
      <Group gap="sm" justify="space-between">
        <Toggle label={operationsTexts.alerts.showEnded} isOn={showsEnded} onChange={onShowEnded} />
        <Group gap="sm">
          <SmallButton loading={check.isPending} onClick={() => check.mutate()}>
            {texts.check}
          </SmallButton>
          <HoldButton hold={hold} />
        </Group>
      </Group>
      {check.error !== null && <ErrorNote error={check.error} />}
      <div role="status">{check.data !== undefined && <Results checks={check.data.checks} />}</div>
    </Stack>
  );
}

function Results({ checks }: Pick<Health, 'checks'>) {
  const faults = checks.filter(({ ok }) => !ok).length;
  return (
    <Panel title={texts.title} hint={faults === 0 ? texts.allWell : texts.faults(faults)}>
      <dl className={classes.facts}>
        {checks.map(({ name, ok, detail }) => (
          <div key={name}>
            <dt>
              <Mark tone={ok ? 'good' : 'bad'}>{name}</Mark>
            </dt>
            <dd>{withReadableTimes(detail)}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
