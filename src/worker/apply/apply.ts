import type { Action } from '../decide/action.ts';
import type { TaskEvent } from '../decide/event.ts';
import { prepareTask } from '../prepare-task.ts';
import { backToQueue, takeNextRoute } from '../rerouting/next-route.ts';
import { parkOrder } from '../rerouting/park-order.ts';
import type { Attempt } from './attempt.ts';
import { callEngine } from './call-engine.ts';
import { checkEngine } from './check-engine.ts';
import { claimSlot } from './claim-slot.ts';
import { findTrace } from './find-trace.ts';
import { checkLate, checkLateAgain, expectNothing, reportLate } from './late-result.ts';
import { collect, deliver, storeAnswer, writeOperation } from './store-answer.ts';
import { defer, fetchFirst, releaseLease, settle, takeBack } from './write-task.ts';

/**
 * Runs an action: calls the engine, copies files, writes. Every write is fenced by the claim.
 * @returns the resulting event; null if nothing is left to do under this claim
 * @throws LostClaim if the claim is no longer ours
 */
export async function apply(attempt: Attempt, action: Action, event: TaskEvent): Promise<TaskEvent | null> {
  const { work, task } = attempt;
  switch (action.type) {
    case 'prepare':
      return await prepare(attempt);
    case 'claim_slot':
      return await claimSlot(attempt);
    case 'call_engine':
      return await callEngine(attempt);
    case 'find_trace':
      return await findTrace(attempt);
    case 'take_back':
      return await takeBack(attempt, action);
    case 'save_answer':
      return await storeAnswer(attempt, action);
    case 'store_operation':
      return await writeOperation(attempt, action);
    case 'check':
      return await checkEngine(attempt);
    case 'deliver':
      return await deliver(attempt, action);
    case 'collect':
      return await collect(attempt, action);
    case 'check_late':
      return await checkLate(attempt);
    case 'settle':
      await settle(attempt, action, event);
      return null;
    case 'defer':
      await defer(attempt, action);
      return null;
    case 'let_go':
      await releaseLease(attempt, action);
      return null;
    case 'take_next_route':
      await takeNextRoute(work.services, task, action.next);
      return null;
    case 'back_to_queue':
      await backToQueue(work.services, task, null);
      return null;
    case 'park':
      await parkOrder(work.services, task, action.afterMs);
      return null;
    case 'send_back_to_fetch':
      await fetchFirst(attempt);
      return null;
    case 'report_late':
      await reportLate(attempt, action.message);
      return null;
    case 'check_late_again':
      await checkLateAgain(attempt, action.afterMs);
      return null;
    case 'expect_nothing':
      await expectNothing(attempt);
      return null;
    case 'break_off':
      throw attempt.fault;
    case 'stop':
      return null;
  }
}

async function prepare(attempt: Attempt): Promise<TaskEvent> {
  const { work, task, held } = attempt;
  const preparation = await prepareTask(work, task, held.signal);
  if ('request' in preparation) attempt.task = { ...task, request_json: JSON.stringify(preparation.request) };
  return { type: 'prepared', preparation };
}
