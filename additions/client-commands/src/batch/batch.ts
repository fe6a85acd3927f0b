import { clientOfEnvironment } from '@darkroom-service/addition-common/commands/api-client';
import { type BatchView, type Micros, parseMicros } from '@darkroom-service/contract';
import {
  CommandFault,
  inform,
  type OutputOptions,
  shellWord,
  show,
  usageFault,
  withNotes,
  withOutput,
} from '@darkroom-service/darkroom/kernel-cli';
import type { Command } from 'commander';
import { adviceOn } from './batch-faults.ts';
import { type BatchFolder, openBatchFolder } from './batch-folder.ts';
import { describeBatch } from './describe-batch.ts';
import { followBatch } from './follow-batch.ts';
import { batchPath, findOrPlaceBatch, type NewBatchOptions } from './place-batch.ts';

interface BatchOptions extends NewBatchOptions {
  readonly output: string;
  readonly wait: boolean;
  readonly cancel?: boolean;
}

const NOTES = [
  'Each line is an order, such as {"name":"hero","operation":"images","body":{"model_id":"sketch","prompt":"a fox"}}. Local files in its media fields are uploaded first.',
  'If the command is interrupted, run it again: it continues, and orders nothing twice. Without a file it continues what was ordered into the folder.',
];

/** Adds `darkroom batch`: places many orders at one price and saves their results. */
export function addBatchCommand(program: Command): void {
  const batch = withOutput(program.command('batch').description('order many at one price, and save the results'))
    .argument('[orders.jsonl]', 'a file with one order per line; - reads standard input')
    .requiredOption('-o, --output <folder>', 'save the results in this folder; no other file there is replaced')
    .option('--max-price <usd>', 'order without asking, if all orders together cost no more', readPrice)
    .option('--yes', 'order without asking, whatever it costs')
    .option('--max-parallel <n>', 'how many of the orders may run at once')
    .option('--metadata <pairs>', 'pairs of your own, such as job=42,shop=7')
    .option('--webhook-url <url>', 'is notified once, when the batch has ended')
    .option('--deliver-to <destination>', 'copy the outputs to this destination of your account')
    .option('--no-wait', 'return as soon as the batch is placed; run the command again to save the results')
    .option('--cancel', 'cancel what has not started of the batch in the folder')
    .action(async (file: string | undefined, options: BatchOptions) => {
      const folder = await openBatchFolder(options.output);
      try {
        if (options.cancel === true) await cancelBatch(folder, options);
        else await runBatch(folder, file ?? null, options);
      } finally {
        await folder.close();
      }
    });
  withNotes(batch, NOTES, 'darkroom batch orders.jsonl --max-price 20 -o out');
}

async function runBatch(folder: BatchFolder, file: string | null, options: BatchOptions): Promise<void> {
  const client = clientOfEnvironment();
  const batch = await findOrPlaceBatch(client, folder, file, options);
  if (!options.wait)
    return show(options, { json: batch, text: `${describeBatch(batch)}\n${adviceOn(batch.batch_id, folder.path)}` });
  inform(options, describeBatch(batch));
  await followBatch(client, batch, folder, options);
}

async function cancelBatch(folder: BatchFolder, options: OutputOptions): Promise<void> {
  const record = await folder.read();
  if (record === null) throw new CommandFault(`No batch was ordered into ${folder.path}.`);
  const command = `darkroom batch -o ${shellWord(folder.path)}`;
  if (record.batch_id === null)
    throw new CommandFault(
      `Whether the batch was placed is unknown. Find out with: ${command} --no-wait. Then cancel it.`,
    );
  const batch = await clientOfEnvironment().post<BatchView>(`${batchPath(record.batch_id)}/cancel`, null);
  show(options, { json: batch, text: `${describeBatch(batch)}\nSave what is made nevertheless: ${command}` });
}

function readPrice(text: string): Micros {
  const micros = parseMicros(text);
  if (micros === null || micros < 0)
    throw usageFault(`--max-price: expected US dollars such as 20 or 0.05, found '${text}'`);
  return micros;
}
