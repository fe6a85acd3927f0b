import { whenRun, withNotes, withOutput } from '@darkroom-service/darkroom/kernel-cli';
import type { Command } from 'commander';

/** Adds `darkroom listen`: receives the webhook events of this key's tasks without a public URL. */
export function addListenCommand(program: Command): void {
  const listen = withOutput(
    program.command('listen').description("receive the webhook events of this key's tasks here"),
  )
    .option('--forward-to <url>', 'send each event to this URL, signed like a webhook')
    .option(
      '--replay <time|task_id>',
      'first repeat the events of tasks ordered within this time, such as 1h, or of one task',
    )
    .option('--no-wait', 'end after the replay')
    .option('--print-secret', 'print the secret that signs the events, and end')
    .action(whenRun(async () => (await import('./listen-for-events.ts')).listen));
  withNotes(
    listen,
    [
      'Your server needs no public address, and the orders need no webhook_url. With --json, each event is one line. Press Ctrl-C to end.',
      'The command sees the tasks that DARKROOM_API_KEY ordered, because a key reads only its own tasks. A webhook comes for the tasks of every key of the account. So set the key that your application orders with, and start the command once for each key.',
    ],
    'darkroom listen --forward-to http://localhost:3000/hooks/darkroom',
    'darkroom listen --forward-to http://localhost:3000/hooks/darkroom --replay 1h --no-wait',
  );
}
