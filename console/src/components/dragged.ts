import type { DragEvent } from 'react';
import { typeOfTask } from '../api/follow-task.ts';
import type { MediaKind } from '../api/model.ts';

const TASK = 'application/x-darkroom-task';

/** For what shows a finished task: lets it be dragged to where pictures or films are taken. */
export function dragTask(taskId: string) {
  return {
    draggable: true,
    onDragStart: ({ dataTransfer }: DragEvent) => {
      dataTransfer.setData(TASK, taskId);
      dataTransfer.effectAllowed = 'copy';
    },
  } as const;
}

/** What was dropped, as a media field names it: a task of this console, or an address; null where it is a file or something else. */
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
