import { Text } from '@mantine/core';
import { Mark, type Tone } from '../../../components/status-mark.tsx';
import { formatBytes } from '../../../format.ts';
import { localTexts } from '../../../texts/local.ts';
import classes from './local.module.css';
import type { LocalServer } from './use-local-models.ts';

const texts = localTexts.servers;
const TONES: Readonly<Record<LocalServer['state'], Tone>> = {
  ...{ stopped: 'quiet', starting: 'busy', ready: 'good', busy: 'busy', stopping: 'quiet', waiting: 'busy' },
  unavailable: 'bad',
};

/** What a server does now, with its memory, its step and its last output. */
export function ServerState({ name, server }: { readonly name: string; readonly server: LocalServer }) {
  const { state, reason, network, memory_bytes: memory, step, log } = server;
  const facts = [
    ...(memory === null ? [] : [`uses ${formatBytes(memory)}`]),
    ...(step === null ? [] : [`step ${step.done} of ${step.total}`]),
    ...(network === null ? [] : [texts.network[network]]),
    ...(reason === null ? [] : [reason]),
  ];
  return (
    <div className={classes.server}>
      <Mark tone={TONES[state]}>{texts.states[state]}</Mark>
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
