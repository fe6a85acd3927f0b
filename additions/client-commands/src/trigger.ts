import { type ApiClient, clientOfEnvironment } from '@darkroom-service/addition-common/commands/api-client';
import type { TaskView } from '@darkroom-service/contract';
import {
  idempotencyHeaders,
  type OutputOptions,
  type RepeatableOptions,
  show,
  usageFault,
  withIdempotencyKey,
  withNotes,
  withOutput,
} from '@darkroom-service/darkroom/kernel-cli';
import { type Command, Option } from 'commander';
import { describeTask, taskPath } from './describe-task.ts';
import { waitUntilFinal } from './follow-task.ts';

type EventType = 'task.succeeded' | 'task.failed' | 'task.canceled';

interface TriggerOptions extends OutputOptions, RepeatableOptions {
  readonly model: string;
  readonly outcome: string;
  readonly webhookUrl?: string;
}

/** Simulated duration of an order that is to be canceled: long enough under any load. */
const CANCELED_AFTER_SECONDS = 3600;

/** Adds `darkroom trigger`: causes a webhook event by a simulated order with a test key. */
export function addTriggerCommand(program: Command): void {
  const trigger = withIdempotencyKey(
    withOutput(program.command('trigger').description('cause a webhook event, with a test key'), "the task's id"),
  )
    .argument('<type>', 'task.succeeded, task.failed or task.canceled')
    .option('-m, --model <model_id>', 'the model to order', 'sketch')
    .addOption(
      new Option('--outcome <code>', 'why task.failed fails')
        .choices(['upstream_error', 'content_policy'])
        .default('upstream_error'),
    )
    .option('--webhook-url <url>', 'also send the event to this URL')
    .action(async (type: string, options: TriggerOptions) => {
      if (!isEventType(type))
        throw usageFault(`Expected task.succeeded, task.failed or task.canceled, found '${type}'.`);
      const client = clientOfEnvironment();
      if (client.mode === 'live')
        throw usageFault('DARKROOM_API_KEY is a live key. darkroom trigger needs a test key, which costs nothing.');
      const task = await waitUntilFinal(client, await order(client, type, options), options);
      const text = `${describeTask(task)}\nIts event is task.${task.status}.`;
      show(options, { json: task, text, plain: task.task_id });
    });
  withNotes(
    trigger,
    [
      'The command orders a real task with the test key and a simulated end. Its event is a real one, and darkroom listen receives it.',
    ],
    'darkroom trigger task.failed',
  );
}

async function order(client: ApiClient, type: EventType, options: TriggerOptions): Promise<TaskView> {
  const model = await client.get<{ type: 'image' | 'video' }>(`/v1/models/${encodeURIComponent(options.model)}`);
  const body = {
    model_id: options.model,
    prompt: `a sample for ${type}`,
    simulate: simulationOf(type, options.outcome),
    ...(options.webhookUrl === undefined ? {} : { webhook_url: options.webhookUrl }),
  };
  const task = await client.post<TaskView>(`/v1/${model.type}s`, body, { headers: idempotencyHeaders(options) });
  if (type !== 'task.canceled') return task;
  return await client.post<TaskView>(`${taskPath(task.task_id)}/cancel`, null);
}

function simulationOf(type: EventType, outcome: string): object {
  if (type === 'task.canceled') return { seconds: CANCELED_AFTER_SECONDS };
  return { outcome: type === 'task.failed' ? outcome : 'succeeded' };
}

function isEventType(text: string): text is EventType {
  return ['task.succeeded', 'task.failed', 'task.canceled'].includes(text);
}
