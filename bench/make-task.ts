/** The fields of a task that the benchmarks read. */
export interface MadeTask {
  readonly task_id: string;
  readonly status: string;
  readonly created_at: string;
  readonly started_at: string;
  readonly completed_at: string;
  readonly outputs: readonly { readonly width: number; readonly height: number; readonly duration_seconds: number }[];
}

/** Orders and waits for the end. @throws Error unless it succeeds. */
export async function makeTask(url: string, key: string, path: string, body: object): Promise<MadeTask> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: 'wait=60' };
  let task = await dataOf(await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) }));
  while (task.status === 'queued' || task.status === 'processing') {
    task = await dataOf(await fetch(`${url}${path}/${task.task_id}`, { headers }));
  }
  if (task.status !== 'succeeded') throw new Error(`the task ${task.task_id} ended ${task.status}`);
  return task;
}

async function dataOf(response: Response): Promise<MadeTask> {
  const body = await response.text();
  if (!response.ok) throw new Error(`expected a task, found ${response.status}: ${body.slice(0, 500)}`);
  return (JSON.parse(body) as { data: MadeTask }).data;
}
