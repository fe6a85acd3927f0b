import type { DragEvent } from 'react';
import { typeOfTask } from '../api/follow-task.ts';
import type { MediaKind } from '../api/model.ts';

const TASK = 'application/x-darkroom-task';

/** Makes an element that shows a finished task draggable to media fields. */
export function dragTask(taskId: string) {
  return {
    draggable: true,
    onDragStart: ({ dataTransfer }: DragEvent) => {
      dataTransfer.setData(TASK, taskId);
      dataTransfer.effectAllowed = 'copy';
    },
  } as const;
}

/**
 * Returns the dropped reference for a media field: a task of this console, or a URL; null for a file or anything else.
 */
export function droppedSource({ dataTransfer }: DragEvent, kind: MediaKind): string | null {
  const taskId = dataTransfer.getData(TASK);
  if (taskId !== '') return typeOfTask(taskId) === kind ? `task:${taskId}` : null;
  if (dataTransfer.files.length > 0) return null;
  const address = dataTransfer
    .getData('text/uri-list')
    .split(/\r?\n/)
    .find((line) => /^https?:/.test(line));
  return address ?? null;
}
