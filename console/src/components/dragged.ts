import type { DragEvent } from 'react';
import type { MediaKind } from '../api/model.ts';
import { SERVICE_URL } from '../api/service-url.ts';
import { typeOfTask } from '../api/task-cache.ts';

const TASK = 'application/x-darkroom-task';

/** Makes an element that shows a finished task draggable to media fields. */
export function dragTask(taskId: string) {
  return {
    draggable: true,
    onDragStart: ({ dataTransfer }: DragEvent) => {
      dataTransfer.setData(TASK, taskId);
      dataTransfer.effectAllowed = 'copyMove';
    },
  } as const;
}

/**
 * A dropped reference, or the reason why it is refused: a task of another type, a page of the console, or neither file
 * nor link.
 */
export type Dropped = { readonly source: string } | { readonly fault: 'otherType' | 'consolePage' | 'nothing' };

/** Keeps a link element from being dragged as a link. */
export const NOT_DRAGGABLE = { draggable: false } as const;

export function isTask({ dataTransfer }: { readonly dataTransfer: DataTransfer | null }): boolean {
  return dataTransfer?.types.includes(TASK) === true;
}

/** Returns the dropped task of this console; null if something else was dropped. */
export function draggedTask({ dataTransfer }: DragEvent): string | null {
  return dataTransfer.getData(TASK) || null;
}

/** Returns the reference dropped on a media field: a task of this console or a URL. */
export function droppedReference({ dataTransfer }: DragEvent, kind: MediaKind): Dropped {
  const taskId = dataTransfer.getData(TASK);
  if (taskId !== '') return taskReference(taskId, kind);
  const address = dataTransfer
    .getData('text/uri-list')
    .split(/\r?\n/)
    .find((line) => /^https?:/.test(line));
  if (address === undefined) return { fault: 'nothing' };
  const { origin, pathname } = new URL(address);
  if (origin + pathname !== SERVICE_URL) return { source: address };
  const linked = /\b(?:img|vid)_\w+/.exec(address)?.[0];
  return linked === undefined ? { fault: 'consolePage' } : taskReference(linked, kind);
}

function taskReference(taskId: string, kind: MediaKind): Dropped {
  return typeOfTask(taskId) === kind ? { source: `task:${taskId}` } : { fault: 'otherType' };
}
