import type { TaskView } from '@darkroom-service/contract';

/** Returns the URL path of a task. The id determines the type. */
export function taskPath(taskId: string): string {
  return `/v1/${taskId.startsWith('vid_') ? 'videos' : 'images'}/${encodeURIComponent(taskId)}`;
}

export function isFinal(task: Pick<TaskView, 'status'>): boolean {
  return task.status === 'succeeded' || task.status === 'failed' || task.status === 'canceled';
}

/** Describes a task in a few lines for people. */
export function describeTask(task: TaskView): string {
  const made = task.action === null ? task.model_id : `${task.model_id} ${task.action}`;
  const lines = [
    `${task.task_id}  ${task.status}  ${made}  ${task.cost.amount} ${task.cost.currency} ${task.cost.state}`,
  ];
  if (typeof task.input.prompt === 'string') lines.push(`  prompt: ${task.input.prompt}`);
  if (!isFinal(task)) lines.push(`  ${describeProgress(task)}`);
  for (const output of task.outputs) {
    const seconds = output.duration_seconds === null ? '' : `, ${output.duration_seconds} s`;
    lines.push(
      `  ${output.width}x${output.height} ${output.content_type}${seconds}, ${output.bytes} bytes`,
      `  ${output.url}`,
    );
  }
  if (task.error !== null) lines.push(`  ${task.error.code}: ${task.error.message}`);
  if (task.available_actions.length > 0) {
    lines.push(`  actions: ${task.available_actions.map(({ action, price }) => `${action} (${price})`).join(', ')}`);
  }
  return lines.join('\n');
}

export function describeProgress(task: TaskView): string {
  const position =
    task.status === 'queued' && task.queue_position !== null ? `, number ${task.queue_position} in line` : '';
  const rest = task.estimated_seconds === null ? '' : `, about ${Math.ceil(task.estimated_seconds)} s to go`;
  return `${task.status}${position}${rest}`;
}
