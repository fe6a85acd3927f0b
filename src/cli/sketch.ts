import type { Command } from 'commander';
import { usageFault } from './command-fault.ts';
import { type OutputOptions, show, withNotes, withOutput } from './output.ts';

/** Adds `darkroom sketch explain`: shows what the built-in illustrator understands of a prompt. It calls no service. */
export function addSketchCommand(program: Command): void {
  const sketch = program.command('sketch').description('the built-in illustrator');
  const explain = withOutput(
    sketch.command('explain').description('show how the illustrator understands a prompt'),
    'the words it does not know',
  )
    .argument('<prompt...>', 'the prompt')
    .action(async (words: readonly string[], options: OutputOptions) => {
      const prompt = words.join(' ').trim();
      if (prompt === '') throw usageFault('The prompt is empty.');
      // Every command loads this file, so it must not load the illustrator at once.
      const { readPrompt } = await import('@darkroom-service/illustrator/prompt');
      const { lines, ...reading } = readPrompt(prompt);
      const nothing = 'The illustrator knows none of these words. It paints an abstract picture.';
      show(options, {
        json: { prompt, ...reading, explanation: lines },
        text: lines.length === 0 ? nothing : lines.join('\n'),
        plain: reading.unknown.join('\n'),
      });
    });
  withNotes(explain, [], 'darkroom sketch explain "three red boats on a lake at dusk, watercolour"');
}
