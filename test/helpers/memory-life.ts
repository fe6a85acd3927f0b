import type { TaskStep } from '../../src/record/task.ts';
import { DELIVERED } from '../../src/record/task-json.ts';
import type { TaskRecord } from '../../src/record/task-record.ts';
import { LostClaim } from '../../src/tasks/move-task.ts';
import type { Ending } from '../../src/tasks/settle-task.ts';
import type { Action } from '../../src/worker/decide/action.ts';
import { followTask, type TaskLife } from '../../src/worker/decide/decide.ts';
import type { TaskEvent } from '../../src/worker/decide/event.ts';
import type { Facts } from '../../src/worker/decide/facts.ts';
import type { Release } from '../../src/worker/rerouting/release.ts';
import { AS_ORDERED, claimedTask, HOSTED, NOW } from './any-situation.ts';
import { emptyMemory } from './process-memory.ts';
import { afterCheck, type Behaviour, DELIVERY, isStored, isVerdict, unreadable } from './upstream-behaviour.ts';

/**
 * One task in memory, done as the worker does it, with a place to break off before and after each write and each call.
 */

/** The process is killed: what it knew is lost. */
export class Killed extends Error {}

export class MemoryWorld {
  row: TaskRecord = claimedTask('waiting', { fence: 0, claimable: 1, price: 5 });
  now = NOW;
  readonly settlements: Ending[] = [];
  /** The step before the settlement. */
  settledAt: TaskStep | null = null;
  /** What each call to `start` came to, at the upstream. */
  readonly submissions: ('no' | 'yes' | 'unknown')[] = [];
  /** The engines that make the task, once for each order that they accepted. */
  readonly made: string[] = [];
  /** How often a free engine got the order again, because it had lost it or may have. */
  offeredAgain = 0;
  /** Whether a result that came inside an answer was read after its row said where it is. */
  readLater = false;
  readonly behaviour: Behaviour;
  /** What the process knows and a kill destroys. */
  #memory = emptyMemory();
  #places = 0;
  #mishaps: Behaviour['mishaps'];
  #calls = { checks: 0, readings: 0 };
  #depth = 0;

  constructor(behaviour: Behaviour) {
    this.behaviour = behaviour;
    this.#mishaps = behaviour.mishaps;
  }

  get balance(): number {
    return this.settlements.reduce(
      (sum, ending) => sum + this.row.price - (ending.status === 'succeeded' ? ending.charge.amount : 0),
      -this.row.price,
    );
  }

  /** Goes on with a lease that was kept for a check, or claims the task, and works on it until something happens. */
  async claimAndWork(): Promise<void> {
    if (this.row.step === 'final') return;
    this.row = {
      ...this.row,
      fence: this.#memory.restsAt === this.row.fence ? this.row.fence : this.row.fence + 1,
      step: this.row.step === 'waiting' && this.row.claimable === 1 ? 'preparing' : this.row.step,
    };
    const claim: Claim = { task: this.row };
    this.#depth++;
    try {
      await this.#follow(claim, { type: 'claimed' });
    } catch (error) {
      if (error instanceof Killed) {
        this.#memory = emptyMemory();
        return;
      }
      const cause = error instanceof LostClaim ? 'claim_lost' : 'storage';
      for (const couldNotSettle of [false, true]) {
        try {
          return void (await this.#follow(claim, { type: 'broke_off', cause, couldNotSettle }));
        } catch (fault) {
          if (fault instanceof Killed) this.#memory = emptyMemory();
        }
      }
    } finally {
      this.#depth--;
    }
  }

  /** The service runs on undisturbed. */
  async settleDown(): Promise<void> {
    this.#mishaps = [];
    for (let rounds = 0; rounds < 40 && this.row.step !== 'final'; rounds++) {
      this.now += 600_000;
      await this.claimAndWork();
    }
  }

  async #follow(claim: Claim, first: TaskEvent): Promise<void> {
    const life: TaskLife = {
      get task() {
        return claim.task;
      },
      gatherFacts: async () => this.#facts(claim),
      apply: (action, event) => this.#apply(claim, action, event),
    };
    await followTask(life, first);
  }

  #facts(claim: Claim): Facts {
    const { tried = [] } = claim.task.route;
    const { isRepeatable, isFree, idempotency } = this.behaviour;
    return {
      now: this.now,
      chance: 0.5,
      engine: { isRepeatable, isFree: isRepeatable || isFree, idempotency },
      isCancelWanted: false,
      isResubmission: claim.isResubmission === true,
      isTest: false,
      shut: { engine: null, route: null },
      isExcluded: false,
      nextRoute: () =>
        tried.length > 0
          ? null
          : { route: { engine: 'beta', model: null, parameters: null, fixed: {}, tried: [ALPHA] }, queue: 'beta:live' },
      isSuspended: false,
      isMemoryFull: false,
      hasAnswer: this.#memory.answer !== null,
      wasNotSent: this.#memory.confirmedUnsent.has(claim.task),
      awaitsCallback: false,
      typicalSeconds: null,
      settings: { softDeadlineMs: 600_000, routePatienceMs: 45_000, upstreamWaitMs: 300_000 },
    };
  }

  async #apply(claim: Claim, action: Action, event: TaskEvent): Promise<TaskEvent | null> {
    const { task } = claim;
    const memory = this.#memory;
    switch (action.type) {
      case 'prepare':
        await this.#place();
        return { type: 'prepared', preparation: { ready: true } };
      case 'claim_slot':
        memory.confirmedUnsent.record(task);
        await this.#move(claim, 'submitting');
        return { type: 'slot_claimed' };
      case 'call_engine':
        claim.isResubmission = event.type === 'searched';
        return await this.#start(claim);
      case 'find_trace':
        await this.#place();
        if (this.behaviour.idempotency === 'findable' && this.made.includes(task.route.engine))
          memory.answer ??= { kind: 'operation' };
        return memory.answer === null ? { type: 'searched', found: 'nothing' } : await this.#save(claim);
      case 'take_back':
        if (event.type === 'claimed') memory.confirmedUnsent.record(task);
        await this.#move(claim, 'deferred');
        return { type: 'claimed' };
      case 'check':
        return await this.#check(claim);
      case 'deliver':
        await this.#collect(claim);
        return null;
      case 'store_delivery':
        await this.#move(claim, 'running', { operation_json: `${DELIVERED}{}}`, attempts: 0 });
        return event;
      case 'settle':
        await this.#settle(claim, action.ending, action.outputs !== null);
        return null;
      case 'release':
        await this.#release(claim, action);
        return null;
      case 'reroute': {
        const step = task.step === 'waiting' || task.step === 'preparing' ? 'waiting' : 'deferred';
        await this.#move(claim, step, { route: action.next.route, attempts: 0 });
        return null;
      }
      case 'wait_for_check':
        memory.restsAt = task.fence;
        return null;
      case 'stop':
        return null;
      default:
        throw new Error(`the action ${action.type} is not expected here`);
    }
  }

  async #release(claim: Claim, how: Release): Promise<void> {
    const { route } = claim.task;
    if (how.step === 'same') return await this.#write(claim, () => ({ attempts: how.attempts }));
    if (how.step === 'waiting') return await this.#move(claim, 'waiting');
    const isLost = how.why === 'lost';
    const lost = { operation_json: null, route: { ...route, losses: (route.losses ?? 0) + 1 } };
    await this.#move(claim, 'deferred', { attempts: how.attempts, ...(isLost ? lost : {}) });
    if (isLost) this.offeredAgain++;
  }

  async #start(claim: Claim): Promise<TaskEvent | null> {
    const { task, isResubmission = false } = claim;
    await this.#place();
    this.#memory.confirmedUnsent.forget(task.id);
    const { starts, idempotency, refusesWhatItHas } = this.behaviour;
    const scripted = starts[Math.min(this.submissions.length, starts.length - 1)] ?? 'operation';
    const engine = task.route.engine;
    const isKnown = this.made.includes(engine) && (idempotency === 'replays' || idempotency === 'refuses_duplicates');
    // An upstream that keeps its word gives no verdict about an order that it has; it may still be away.
    const answer = isKnown && isVerdict(scripted) && !refusesWhatItHas ? 'operation' : scripted;
    const took = typeof answer === 'string' ? 'yes' : answer.took;
    this.submissions.push(took);
    // Without an answer, every other order has arrived.
    if (!isKnown && (took === 'yes' || (took === 'unknown' && this.submissions.length % 2 === 0)))
      this.made.push(engine);
    await this.#place();
    if (typeof answer !== 'string') {
      if (took === 'no' && !isResubmission) this.#memory.confirmedUnsent.record(task);
      return { type: 'start_failed', fault: { ...answer, message: 'no', retryAfterMs: null } };
    }
    this.#memory.answer = { kind: answer === 'result' ? 'delivery' : 'operation' };
    return await this.#save(claim);
  }

  async #save(claim: Claim): Promise<TaskEvent | null> {
    const { task } = claim;
    const { answer } = this.#memory;
    for (let tries = 0; ; tries++) {
      claim.task = task;
      try {
        if (answer?.kind === 'operation') await this.#move(claim, 'running', { operation_json: '{}', attempts: 0 });
        else await this.#collect(claim);
        this.#memory.answer = null;
        return answer?.kind === 'operation' ? { type: 'stored', checkAfterMs: 0 } : null;
      } catch (error) {
        if (error instanceof Killed || error instanceof LostClaim || tries >= 2) throw error;
      }
    }
  }

  async #collect(claim: Claim): Promise<void> {
    await this.#place();
    if (this.#calls.readings++ < this.behaviour.unreadable) return await this.#follow(claim, unreadable());
    if (isStored(claim.task)) this.readLater = true;
    const refusal = this.behaviour.isResultRefused ? 'refused' : null;
    await this.#follow(claim, { type: 'collected', delivery: DELIVERY, outputs: [], verdict: AS_ORDERED, refusal });
  }

  async #check({ task }: Claim): Promise<TaskEvent> {
    await this.#place();
    if (isStored(task)) return { type: 'checked', checked: { status: 'succeeded', delivery: HOSTED } };
    const { checks } = this.behaviour;
    const answer = checks[Math.min(this.#calls.checks++, checks.length - 1)] ?? 'succeeded';
    await this.#place();
    return afterCheck(answer);
  }

  async #settle(claim: Claim, ending: Ending, mustBeOurs: boolean): Promise<void> {
    try {
      await this.#write(claim, () => {
        this.settlements.push(ending);
        this.settledAt = claim.task.step;
        return { step: 'final', status: ending.status, fence: claim.task.fence + 1 };
      });
    } catch (error) {
      if (error instanceof LostClaim && !mustBeOurs) return;
      throw error;
    }
  }

  async #move(claim: Claim, step: TaskStep, changes: Partial<TaskRecord> = {}): Promise<void> {
    await this.#write(claim, () => ({ ...changes, step }));
    claim.task = { ...claim.task, ...changes, step };
  }

  /** One commit, fenced. It may fail before it, or after it unconfirmed. @throws LostClaim */
  async #write(claim: Claim, change: () => Partial<TaskRecord>): Promise<void> {
    await this.#place();
    if (this.row.fence !== claim.task.fence || this.row.step === 'final') throw new LostClaim(claim.task.id);
    this.row = { ...this.row, ...change() };
    await this.#place();
  }

  /** A place to break off. */
  async #place(): Promise<void> {
    const [next, ...others] = this.#mishaps;
    if (next === undefined || this.#places++ < next.after) return;
    this.#mishaps = others;
    this.#places = 0;
    if (next.mishap === 'killed') throw new Killed();
    if (next.mishap === 'write fails') throw new Error('the write failed');
    // Another claim works on the task while this one still believes that it has it; what this process knows, the other
    // does not.
    if (this.#depth > 2) return;
    const own = this.#memory;
    this.#memory = emptyMemory();
    await this.claimAndWork();
    this.#memory = own;
  }
}

interface Claim {
  task: TaskRecord;
  isResubmission?: boolean;
}

const ALPHA = { engine: 'alpha', model: null, reason: 'no' };
