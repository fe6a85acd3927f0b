import type { TaskView as Task } from '@darkroom-service/contract/task';

/** What the tabs of a browser tell each other about the tasks of one key. */
type TaskMessage = { readonly owner: string } & (
  | { readonly task: Task }
  /** The unfinished tasks that a tab shows. */
  | { readonly tab: string; readonly shows: readonly string[] }
  /** From a tab that has begun to follow tasks for all of them. */
  | { readonly asksWhatIsShown: true }
);

const channel = new BroadcastChannel('darkroom.tasks');

/** Sends a message to all other tabs. */
export function tellTabs(message: TaskMessage): void {
  channel.postMessage(message);
}

export function onTabMessage(listener: (message: TaskMessage) => void): () => void {
  const receive = ({ data }: MessageEvent<TaskMessage>) => listener(data);
  channel.addEventListener('message', receive);
  return () => channel.removeEventListener('message', receive);
}
