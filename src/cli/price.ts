import type { Command } from 'commander';
import type { QuoteView } from '../wire/task.ts';
import { usageFault } from './command-fault.ts';
import { sortWords } from './model-fields.ts';
import { type OutputOptions, show, table, withNotes, withOutput } from './output.ts';
import { clientOfEnvironment, fieldsForModel } from './place-order.ts';

/** Adds `darkroom price`: shows what an order would cost. */
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
