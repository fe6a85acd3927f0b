import type { Command } from 'commander';
import type { TaskView } from '../wire/task.ts';
import { usageFault } from './command-fault.ts';
import { taskPath } from './describe-task.ts';
import { sortWords, typeFields } from './model-fields.ts';
import { withNotes } from './output.ts';
import { clientOfEnvironment, type OrderOptions, placeOrder, withOrderOptions } from './place-order.ts';

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
