import type { Command } from 'commander';
import { readPrompt } from '../illustrator/prompt/read-prompt.ts';
import { usageFault } from './command-fault.ts';
import { type OutputOptions, show, withOutput } from './output.ts';

/** Adds `darkroom sketch explain`: shows what the built-in illustrator understands of a prompt. It calls no service. */
export function addSketchCommand(program: Command): void {
  const sketch = program.command('sketch').description('the built-in illustrator');
  withOutput(
    sketch.command('explain').description('say what the illustrator understands of a prompt'),
    'the words it does not know',
  )
    .argument('<prompt...>', 'the prompt')
    .addHelpText('after', '\nExample: darkroom sketch explain "three red boats on a lake at dusk, watercolour"')
    .action((words: readonly string[], options: OutputOptions) => {
      const prompt = words.join(' ').trim();
      if (prompt === '') throw usageFault('expected a prompt, found an empty one');
      const { lines, ...reading } = readPrompt(prompt);
      const nothing = 'Nothing is known of this: it becomes an abstract picture in colours of its own.';
      show(options, {
        json: { prompt, ...reading, explanation: lines },
        text: lines.length === 0 ? nothing : lines.join('\n'),
        plain: reading.unknown.join('\n'),
      });
    });
}
