import { Alert, Button, Group, Progress, Text } from '@mantine/core';
import { perform } from '../../../api/deeds.ts';
import type { DataOf } from '../../../api/operations.ts';
import { useDeed } from '../../../api/use-deed.ts';
import { ErrorNote } from '../../../components/error-note.tsx';
import { Mark, type Tone } from '../../../components/status-mark.tsx';
import { formatBytes, formatSeconds } from '../../../format.ts';
import classes from './local.module.css';

export type LocalMachine = DataOf<'GET /admin/v1/local/models'>;
export type LocalModel = LocalMachine['items'][number];
type LocalServer = NonNullable<LocalModel['server']>;

export const FAILED = 'The request failed';
const UNKNOWN = 'not known';
const STATES = {
  not_pulled: ['quiet', 'Not pulled'],
  pulling: ['busy', 'Pulling'],
  pulled: ['good', 'Pulled'],
} as const;
const WORK = { planning: 'Asking the hub', downloading: 'Downloading', copying: 'Copying', checking: 'Checking' };

/** A model that can be pulled or is: its facts, and what can be done with it. */
export function ModelCard({
  model,
  onPull,
  onRemove,
}: {
  readonly model: LocalModel;
  readonly onPull: () => void;
  readonly onRemove: () => void;
}) {
  const { name, title, state, failure, pull, server } = model;
  const cancelOf = (one: string) => `Stop pulling ${one}`;
  const cancel = useDeed(() =>
    perform('POST /admin/v1/local/models/{name}/cancel', { path: { name } }, cancelOf(name)),
  );
  const [tone, word] = STATES[state];
  const isPulled = model.pulled_at !== null;
  return (
    <section className={classes.model} aria-label={title}>
      <div className={classes.head}>
        <div>
          <h2 className={classes.title}>{title}</h2>
          <Mark tone={tone}>{word}</Mark>
        </div>
        <Group gap="xs">
          {pull !== null ? (
            <Button
              variant="default"
              loading={cancel.isPending}
              aria-label={cancelOf(title)}
              onClick={() => cancel.mutate()}
            >
              Stop
            </Button>
          ) : (
            <>
              {isPulled && (
                <Button variant="default" aria-label={`Remove ${title}`} onClick={onRemove}>
                  Remove
                </Button>
              )}
              <Button variant={isPulled ? 'default' : 'filled'} aria-label={`Pull ${title}`} onClick={onPull}>
                {isPulled ? 'Pull again' : 'Pull'}
              </Button>
            </>
          )}
        </Group>
      </div>
      <ErrorNote title={FAILED} error={cancel.error} />
      {pull !== null && <PullProgress title={title} pull={pull} />}
      {failure !== null && pull === null && (
        <Alert color="red" variant="light" title="The pull has ended" role="alert">
          <Text size="sm">{failure.message}</Text>
          {failure.unverified.map(({ file, facts }) => (
            <Text key={file} size="sm" c="dimmed">
              {file}: {facts.join(', ')}
            </Text>
          ))}
        </Alert>
      )}
      <dl className={classes.facts}>
        <Fact label="Size" value={sizeOf(model)} />
        <Fact label="Memory needed" value={model.memory_bytes === null ? UNKNOWN : formatBytes(model.memory_bytes)} />
        <Fact label="Licence" value={model.licence.id} />
        <Fact label="Engine" value={model.build ?? 'your own sd-server'} />
        {model.model_ids.length > 0 && <Fact label="Models" value={model.model_ids.join(', ')} />}
      </dl>
      {model.time !== null && (
        <Text size="sm" c="dimmed">
          {model.time}
        </Text>
      )}
      {server !== null && <ServerState name={name} server={server} />}
    </section>
  );
}

/** Returns the size in words. */
export function sizeOf({ bytes, is_exact: isExact }: Pick<LocalModel, 'bytes' | 'is_exact'>): string {
  if (bytes === null) return UNKNOWN;
  return isExact ? formatBytes(bytes) : `about ${formatBytes(bytes)}`;
}

function Fact({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** How far a pull has come, with its speed and the time left. */
function PullProgress({ title, pull }: { readonly title: string; readonly pull: NonNullable<LocalModel['pull']> }) {
  const { work, file, done_bytes: done, total_bytes: total, bytes_per_second: speed, seconds_left: left } = pull;
  const percent = total === null || total === 0 ? 0 : (done / total) * 100;
  const facts = [
    WORK[work],
    ...(file === null ? [] : [file]),
    ...(total === null ? [] : [`${formatBytes(done)} / ${formatBytes(total)}`]),
    ...(speed === null || speed < 1 ? [] : [`${formatBytes(speed)} per second`]),
    ...(left === null ? [] : [`${formatSeconds(left)} left`]),
  ];
  return (
    <div className={classes.progress}>
      <Progress value={percent} animated aria-label={`Progress of ${title}`} />
      <Text size="sm" c="dimmed" className="figures">
        {facts.join(' · ')}
      </Text>
    </div>
  );
}

const SERVER_STATES: Readonly<Record<LocalServer['state'], readonly [Tone, string]>> = {
  stopped: ['quiet', 'Not running'],
  starting: ['busy', 'Loading'],
  ready: ['good', 'Ready'],
  busy: ['busy', 'Working'],
  stopping: ['quiet', 'Ending'],
  waiting: ['busy', 'Waiting for memory'],
  unavailable: ['bad', 'Cannot be used'],
};

/** What a server does now, with its memory, its step and its last output. */
export function ServerState({ name, server }: { readonly name: string; readonly server: LocalServer }) {
  const { state, reason, network, memory_bytes: memory, step, log } = server;
  const [tone, word] = SERVER_STATES[state];
  const facts = [
    ...(memory === null ? [] : [`uses ${formatBytes(memory)}`]),
    ...(step === null ? [] : [`step ${step.done} of ${step.total}`]),
    ...(network === null ? [] : [`network ${network}`]),
    ...(reason === null ? [] : [reason]),
  ];
  return (
    <div className={classes.server}>
      <Mark tone={tone}>{word}</Mark>
      {facts.length > 0 && (
        <Text size="sm" c="dimmed">
          {facts.join(' · ')}
        </Text>
      )}
      {log.length > 0 && (
        <details>
          <summary aria-label={`Output of ${name}`}>Output</summary>
          <pre className={classes.log}>{log.join('\n')}</pre>
        </details>
      )}
    </div>
  );
}
