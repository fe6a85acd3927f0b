import type { Act } from '@darkroom-service/darkroom/kernel';
import {
  type LocalData,
  type OutputOptions,
  parseDuration,
  type RepeatableOptions,
  show,
  usageFault,
  withLocalData,
  writeOnce,
} from '@darkroom-service/darkroom/kernel-cli';
import { loopbackUrl } from '@darkroom-service/media';
import { LONGEST_SILENCE_SECONDS } from './alert-words.ts';
import { acknowledgeAlert, silenceAlert } from './answer-alert.ts';
import { getAlert } from './list-alerts.ts';

type AnswerOptions = OutputOptions & RepeatableOptions;

export async function acknowledge(alertId: string, options: AnswerOptions): Promise<void> {
  const asked = { command: 'alerts acknowledge', alertId };
  await answer(alertId, options, asked, (data, by) => acknowledgeAlert(partsOf(data), by, alertId));
}

export async function silence(alertId: string, options: AnswerOptions & { readonly for: string }): Promise<void> {
  const seconds = Math.round(parseDuration(options.for, '--for') / 1000);
  if (seconds > LONGEST_SILENCE_SECONDS) throw usageFault(`--for: expected at most 30d, found '${options.for}'`);
  const asked = { command: 'alerts silence', alertId, seconds };
  await answer(alertId, options, asked, (data, by) => silenceAlert(partsOf(data), by, alertId, seconds));
}

function partsOf({ accounts, database }: LocalData) {
  return { accounts, store: database };
}

async function answer(
  alertId: string,
  options: AnswerOptions,
  asked: object,
  write: (data: LocalData, by: Act) => Promise<void>,
): Promise<void> {
  await writeOnce('refuse', options, { asked, make: write, again: async () => {} });
  const alert = await withLocalData('refuse', ({ config, database }) =>
    getAlert(database.read, alertId, config.publicUrl ?? loopbackUrl(config.host, config.port)),
  );
  const { acknowledged, silenced } = alert;
  const marks = [
    ...(acknowledged === null ? [] : [`acknowledged at ${acknowledged.at}`]),
    ...(silenced === null ? [] : [`silenced until ${silenced.until}`]),
  ];
  show(options, { json: alert, text: [`${alert.alert_id}  ${alert.summary}`, ...marks].join('\n  ') });
}
