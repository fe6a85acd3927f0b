import type { Command } from 'commander';
import { usageFault } from './command-fault.ts';
import { sortWords } from './model-fields.ts';
import { withNotes } from './output.ts';
import { clientOfEnvironment, fieldsForModel, type OrderOptions, placeOrder, withOrderOptions } from './place-order.ts';
import { readPrompt } from './standard-input.ts';

const KINDS = [
  { name: 'image', article: 'an image', path: '/v1/images', example: '-m sketch -o fox.png' },
  { name: 'video', article: 'a video', path: '/v1/videos', example: '-m sketch-motion -o fox.mp4' },
] as const;

const NOTES = [
  'Every other option is a field of the model, such as --aspect-ratio 16:9, --seed 7, --generate-audio=false or --image-urls photo.png. A local file, or - for standard input, is uploaded first; repeat the option for several files.',
  'All orders accept --metadata order=42,shop=7, --max-price 0.10, --end-user ann and --webhook-url https://…; with a test key also --simulate outcome=timeout,seconds=3.',
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
