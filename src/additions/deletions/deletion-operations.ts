import type { Operation } from '../../kernel-http.ts';

const NOT_FOUND = ['task_not_found', 'task_expired'] as const;

/** The operations of deletions, by method and path. */
export const DELETION_OPERATIONS: Readonly<Record<string, Operation>> = {
  ...ofTasks('image', 'Image'),
  ...ofTasks('video', 'Video'),
};

function ofTasks(type: string, Name: string): Readonly<Record<string, Operation>> {
  return {
    [`DELETE /v1/${type}s/{task_id}`]: {
      roles: 'order',
      id: `delete${Name}`,
      summary: `Delete a final ${type} task`,
      description:
        'Deletes the prompt, the inputs and the files at once, or with `after` later. The charge and the Idempotency-Key are kept.',
      errors: [...NOT_FOUND, 'not_final'],
    },
    [`POST /v1/${type}s/{task_id}/restore`]: {
      roles: 'order',
      id: `restore${Name}`,
      summary: 'Take a delayed deletion back',
      description:
        'Until `delete_at` of a deletion with `after`. The task has everything again that it had. Repeating the request is not an error.',
      errors: NOT_FOUND,
    },
  };
}
