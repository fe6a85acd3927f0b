import type { Command } from 'commander';
import { usageFault } from './command-fault.ts';
import { sortWords, typeFields } from './model-fields.ts';
import { clientOfEnvironment, type OrderOptions, placeOrder, withOrderOptions } from './place-order.ts';
import { type TaskShape, taskPath } from './task-shape.ts';

/** Adds `darkroom action`: orders a follow-up on an earlier image task. */
export function addActionCommand(program: Command): void {
  withOrderOptions(program.command('action').description('order a follow-up on an earlier image task'))
    .argument('<task_id>', 'the earlier task')
    .argument('<action>', 'such as upscale, variation or zoom_out (darkroom tasks show <task_id> lists them)')
    .addHelpText(
      'after',
      `
Every other option is a field of the action.

Example: darkroom action img_... upscale --index 2 -o large.png`,
    )
    .action(async (_taskId: string, _action: string, options: OrderOptions, command: Command) => {
      const { operands, fields } = sortWords(command.args);
      const [taskId, action] = operands;
      if (taskId === undefined || action === undefined || operands.length > 2) {
        throw usageFault(`expected a task's id and an action, found ${operands.length} words`);
      }
      const client = clientOfEnvironment();
      const parent = await client.get<TaskShape>(taskPath(taskId));
      const offered = parent.available_actions.find((available) => available.action === action);
      const body = { parent_task_id: taskId, action, ...typeFields(fields, offered?.parameters ?? {}) };
      await placeOrder(client, '/v1/images/actions', body, options);
    });
}
