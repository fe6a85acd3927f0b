import { type Micros, parseMicros } from '../base/money.ts';
import type { TaskView } from '../wire/task.ts';
import { callForData } from './call-api.ts';
import type { ToolContext } from './tool-context.ts';

interface TaskPage {
  readonly items: readonly Pick<TaskView, 'task_id' | 'cost'>[];
  readonly has_more: boolean;
}

/** Adds up what the orders of the conversation cost: charged if they succeeded, held while they run, nothing otherwise. */
export async function spentInConversation(context: ToolContext): Promise<Micros> {
  const sums = await Promise.all(['images', 'videos'].map((type) => spentOn(context, type)));
  return sums.reduce((sum, amount) => sum + amount, 0);
}

async function spentOn({ call, conversation }: ToolContext, type: string): Promise<Micros> {
  let sum = 0;
  let after = '';
  for (;;) {
    const query = `end_user=${encodeURIComponent(conversation.id ?? '')}&limit=100${after}`;
    const page = await callForData<TaskPage>(call, { method: 'GET', path: `/v1/${type}?${query}` });
    for (const { cost } of page.items) sum += parseMicros(cost.amount) ?? 0;
    const last = page.items.at(-1);
    if (!page.has_more || last === undefined) return sum;
    after = `&after=${last.task_id}`;
  }
}
