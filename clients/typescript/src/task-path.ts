/** Returns the path of a task. Its id says whether it is an image or a video. */
export function taskPath(taskId: string): string {
  return `/v1/${taskId.startsWith('vid_') ? 'videos' : 'images'}/${encodeURIComponent(taskId)}`;
}
