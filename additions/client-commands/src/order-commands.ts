import { clientOfEnvironment } from '@darkroom-service/addition-common/commands/api-client';
import type { QuoteView, TaskView } from '@darkroom-service/contract';
import {
  type OutputOptions,
  readPrompt,
  show,
  table,
  usageFault,
  withNotes,
  withOutput,
} from '@darkroom-service/darkroom/kernel-cli';
import type { Command } from 'commander';
import { taskPath } from './describe-task.ts';
import { sortWords, typeFields } from './model-fields.ts';
import { fieldsForModel, type OrderOptions, placeOrder, withOrderOptions } from './place-order.ts';

const KINDS = [
  { name: 'image', article: 'an image', path: '/v1/images', example: '-m sketch -o fox.png' },
  { name: 'video', article: 'a video', path: '/v1/videos', example: '-m sketch-motion -o fox.mp4' },
] as const;

const NOTES = [
  'Every other option is a field of the model, such as --aspect-ratio 16:9, --seed 7, --generate-audio=false or --image-urls photo.png. A local file, or - for standard input, is uploaded first; repeat the option for several files.',
  'All orders accept --metadata order=42,shop=7, --max-price 0.10, --end-user ann, --webhook-url https://… and --deliver-to archive (a destination, or a presigned URL); with a test key also --simulate outcome=timeout,seconds=3.',
];

/** Adds `darkroom image` and `darkroom video`. */
export function addGenerateCommands(program: Command): void {
  for (const kind of KINDS) {
    const command = withOrderOptions(program.command(kind.name).description(`order ${kind.article} and wait for it`))
      .argument('[prompt]', 'the prompt; - reads it from standard input; some models need none')
      .requiredOption('-m, --model <model_id>', 'the model (darkroom models lists them)')
      .action(async (_prompt: string | undefined, options: OrderOptions & { model: string }, command: Command) => {
        const words = sortWords(command.args);
        if (words.operands.length > 1) {
          throw usageFault(`Put the prompt in quotation marks: expected one argument, found ${words.operands.length}.`);
        }
        const client = clientOfEnvironment();
        const prompt = await readPrompt(words.operands[0]);
        const fields = await fieldsForModel(client, options.model, words.fields);
        const body = { model_id: options.model, ...(prompt === undefined ? {} : { prompt }), ...fields };
        await placeOrder(client, kind.path, body, options);
      });
    withNotes(command, NOTES, `darkroom ${kind.name} "a fox in the snow" ${kind.example}`);
  }
}

/** Adds `darkroom action`: orders a follow-up on an earlier image task. */
export function addActionCommand(program: Command): void {
  const action = withOrderOptions(program.command('action').description('order a follow-up on an earlier image task'))
    .argument('<task_id>', 'the earlier task')
    .argument('<action>', 'such as upscale, variation or zoom_out; darkroom tasks show <task_id> lists them')
    .action(async (_taskId: string, _action: string, options: OrderOptions, command: Command) => {
      const { operands, fields } = sortWords(command.args);
      const [taskId, name] = operands;
      if (taskId === undefined || name === undefined || operands.length > 2) {
        throw usageFault(`Expected the id of a task and an action, found ${operands.length} arguments.`);
      }
      const client = clientOfEnvironment();
      const parent = await client.get<TaskView>(taskPath(taskId));
      const offered = parent.available_actions.find((available) => available.action === name);
      const body = { parent_task_id: taskId, action: name, ...typeFields(fields, offered?.parameters ?? {}) };
      await placeOrder(client, '/v1/images/actions', body, options);
    });
  withNotes(
    action,
    ['Every other option is a field of the action.'],
    'darkroom action img_... upscale --index 2 -o large.png',
  );
}

/** Adds `darkroom price`: shows the price of an order. */
export function addPriceCommand(program: Command): void {
  const price = withOutput(program.command('price').description('show the price of an order'), 'the amount')
    .argument('<model_id>', 'the model')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (_modelId: string, options: OutputOptions, command: Command) => {
      const { operands, fields } = sortWords(command.args);
      const modelId = operands[0];
      if (modelId === undefined || operands.length > 1)
        throw usageFault(`Expected one model, found ${operands.length} arguments.`);
      const client = clientOfEnvironment();
      const body = { model_id: modelId, ...(await fieldsForModel(client, modelId, fields)) };
      const quote = await client.post<QuoteView>('/v1/prices', body);
      const most = quote.exact ? '' : ' at most; the media decide the exact price';
      const rows = quote.lines.map((line) => [line.description, line.quantity, line.unit_price, line.amount]);
      show(options, {
        json: quote,
        text: `${table(['FOR', 'QUANTITY', 'EACH', quote.currency], rows)}\n${quote.amount} ${quote.currency}${most}`,
        plain: quote.amount,
      });
    });
  withNotes(price, ['Every other option is a field of the model.'], 'darkroom price sketch --resolution 2K');
}
