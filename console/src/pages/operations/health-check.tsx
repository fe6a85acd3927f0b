import { Button } from '@mantine/core';
import { IconStethoscope } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { ErrorNote } from '../../components/error-note.tsx';
import { Panel } from '../../components/panel.tsx';
import { Mark } from '../../components/status-mark.tsx';
import { withReadableTimes } from '../../format.ts';
import { operationsTexts } from '../../texts/operations.ts';
import classes from './operations.module.css';

interface Health {
  readonly ready: boolean;
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[];
}

const texts = operationsTexts.health;

/** Runs all health checks on demand, because they probe every upstream, and shows the results with advice. */
export function HealthCheck() {
  const check = useMutation({ mutationFn: async () => (await call('GET /admin/v1/health', {})) as Health });
  const faults = check.data?.checks.filter(({ ok }) => !ok).length ?? 0;
  return (
    <Panel
      title={texts.title}
      hint={check.data === undefined ? texts.hint : faults === 0 ? texts.allWell : texts.faults(faults)}
      aside={
        <Button
          variant="default"
          leftSection={<IconStethoscope size={16} aria-hidden="true" />}
          loading={check.isPending}
          onClick={() => check.mutate()}
        >
          {texts.check}
        </Button>
      }
    >
      {check.error !== null && <ErrorNote error={check.error} />}
      <div role="status">
        {check.data !== undefined && (
          <dl className={classes.facts}>
            {check.data.checks.map(({ name, ok, detail }) => (
              <div key={name}>
                <dt>
                  <Mark tone={ok ? 'good' : 'bad'}>{name}</Mark>
                </dt>
                <dd>{withReadableTimes(detail)}</dd>
              </div>
            ))}
          </dl>
        )}
      </div>
    </Panel>
  );
}
