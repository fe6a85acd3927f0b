import type { Command } from 'commander';
import { usageFault } from './command-fault.ts';
import { sortWords } from './model-fields.ts';
import { clientOfEnvironment, fieldsForModel, type OrderOptions, placeOrder, withOrderOptions } from './place-order.ts';

const KINDS = [
  { name: 'image', article: 'an image', path: '/v1/images', example: 'fox.png' },
  { name: 'video', article: 'a video', path: '/v1/videos', example: 'fox.mp4' },
] as const;

/** Adds `darkroom image` and `darkroom video`. */
export function addGenerateCommands(program: Command): void {
  for (const kind of KINDS) {
    withOrderOptions(program.command(kind.name).description(`order ${kind.article} and wait for it`))
      .argument('[prompt]', 'what to make; a model that works from a picture may need none')
      .requiredOption('-m, --model <model_id>', 'the model (darkroom models lists them)')
      .addHelpText(
        'after',
        `
Every other option is a field of the model, such as --aspect-ratio 16:9, --seed 7, --generate-audio=false or
--image-urls photo.png (a file of this machine is uploaded first; repeat the option for several). Also --metadata
order=42,shop=7, --max-price 0.10, --end-user ann, and with a test key --simulate outcome=timeout,seconds=3.

Example: darkroom ${kind.name} "a fox in the snow" -m sketch${kind.name === 'video' ? '-motion' : ''} -o ${kind.example}`,
      )
      .action(async (_prompt: string | undefined, options: OrderOptions & { model: string }, command: Command) => {
        const words = sortWords(command.args);
        if (words.operands.length > 1) {
          throw usageFault(`expected one prompt in quotation marks, found ${words.operands.length} words apart`);
        }
        const client = clientOfEnvironment();
        const prompt = words.operands[0];
        const fields = await fieldsForModel(client, options.model, words.fields);
        const body = { model_id: options.model, ...(prompt === undefined ? {} : { prompt }), ...fields };
        await placeOrder(client, kind.path, body, options);
      });
  }
}
