import { cutText, parseMicros } from '@darkroom-service/contract';
import { type OutputOptions, show, usageFault } from '@darkroom-service/darkroom/kernel-cli';
import { modelIdsOf } from '../catalog-entries.ts';
import { openLocalModels } from './local-models.ts';

const AMOUNT = /^\d{1,6}(\.\d{1,6})?$/;

/** Stores the price of a pulled model beside it. Accepted orders keep theirs. */
export async function setPrice(name: string, amount: string, options: OutputOptions): Promise<void> {
  if (!AMOUNT.test(amount) || parseMicros(amount) === null)
    throw usageFault(`Expected an amount in US dollars such as 0.01, found "${cutText(amount, 40)}".`);
  const { store } = await openLocalModels();
  const lock = store.lock();
  try {
    const record = await store.record(name);
    if (record === null) throw usageFault(`${name} is not pulled, so it has no price. Pull it first.`);
    await store.writeRecord({ ...record, price: amount });
    const unit = record.type === 'video' ? 'second of video' : 'picture or grid';
    const ids = modelIdsOf({ name, type: record.type, edits: record.edits });
    show(options, {
      json: { name, price: amount, model_ids: ids },
      text: `${ids.join(' and ')}: ${amount} USD for one ${unit}. A running service takes it over within seconds; an entry in your own catalog directory takes precedence.`,
    });
  } finally {
    lock.release();
  }
}
