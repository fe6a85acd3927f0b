/** Texts of the operators' list of orders, and of one order. */
export const orderTexts = {
  search: 'Order, customer, account, key, request, metadata, words',
  states: { all: 'All', open: 'Open', failed: 'Failed', unknown: 'Unknown' },
  titles: { all: 'Orders', open: 'Open orders', failed: 'Failed orders', unknown: 'Unknown outcomes' },
  hints: {
    all: 'Of all keys, the newest first. Only the key that ordered sees prompts and results.',
    open: 'Of all keys, the oldest first, each with the reason why it is not done.',
    failed: 'The newest first, with the reason as the engine gave it. None of them was charged.',
    unknown: 'The newest first. Compare each with the bill of the upstream.',
  },
  empty: {
    all: 'No order yet.',
    open: 'No order is waiting or in progress.',
    failed: 'No order has failed.',
    unknown: 'No order has an unknown outcome.',
  },
  noneFound: {
    all: 'No order matches.',
    open: 'No open order matches.',
    failed: 'No failed order matches.',
    unknown: 'No order of unknown outcome matches.',
  },
  foundBy: {
    task: () => 'The order with this id.',
    request: () => 'The orders that this request placed or named.',
    end_user: (text: string) => `Orders of the customer ${text}.`,
    account: (text: string) => `Orders of accounts named ${text}.`,
    key: (text: string) => `Orders of keys named ${text}.`,
    text: (text: string) => `Orders with the words ${text}.`,
  },
  searchOn: (since: string) => `Searched back to ${since}. Search further`,
  heads: { whose: 'Whose', when: 'When' },
  forAll: {
    buttons: { ask: 'Ask about all', cancel: 'Cancel all', give_up: 'Give up all' },
    titles: {
      ask: 'Ask the upstreams about all of them?',
      cancel: 'Cancel all of them?',
      give_up: 'Give up all of them?',
    },
    count: (orders: number) =>
      orders === 0
        ? 'This would change no order.'
        : orders === 1
          ? 'This changes 1 order.'
          : `This changes ${orders} orders.`,
    explained: {
      ask: 'Only orders that an upstream has, or may have. Each is asked about at most every ten seconds.',
      cancel: 'As if their customers had canceled them. Orders that cannot be stopped any more go on.',
      give_up:
        'Only orders that an upstream has, or may have. They end with an unknown outcome, and their prices are released. They are never sent again.',
    },
    deeds: {
      ask: (orders: number) => `Ask about ${orders}`,
      cancel: (orders: number) => `Cancel ${orders}`,
      give_up: (orders: number) => `Give up ${orders}`,
    },
    done: {
      ask: (orders: number) => `Being asked about: ${orders}.`,
      cancel: (orders: number) => `Being canceled: ${orders}.`,
      give_up: (orders: number) => `Being given up: ${orders}.`,
    },
  },
  account: {
    types: { words: { all: 'All', image: 'Images', video: 'Videos' } },
    costs: { held: 'held', charged: 'charged', released: 'released', refunded: 'given back' },
    facts: {
      prompt: 'Prompt',
      by: 'Ordered by',
      model: 'Model',
      input: 'Settings',
      cost: 'Cost',
      customer: 'Customer',
      metadata: 'Metadata',
      ordered: 'Ordered',
      ended: 'Ended',
    },
  },
  one: 'One order',
  missing: 'Order not found',
  copy: (id: string) => `Copy ${id}`,
  nameOf: (account: string, model: string, id: string) => `${account}, ${model}, ${id}`,
  modes: { live: 'Live', test: 'Test', admin: 'Admin' },
  facts: {
    account: 'Account',
    key: 'Key',
    customer: 'Customer',
    metadata: 'Metadata',
    mode: 'Mode',
    model: 'Model',
    route: 'Route',
    step: 'Step',
    worker: 'Worker',
    attempts: 'Retries',
    price: 'Price',
    charged: 'Charged',
    refunded: 'Refunded',
    next: 'Next check',
    deadline: 'Deadline',
    operation: 'Upstream job',
  },
  line: {
    asked: (engine: string, said: string | null) =>
      said === null ? `${engine} was asked` : `${engine} was asked and said ${said}`,
    ended: {
      succeeded: (amount: string) => `Succeeded; ${amount} charged`,
      failed: (amount: string) => `Failed; ${amount} charged`,
      canceled: (amount: string) => `Canceled; ${amount} charged`,
    },
    delivery: {
      delivered: (output: number, to: string) => `Output ${output} delivered to ${to}`,
      pending: (output: number, to: string) => `Output ${output} is being delivered to ${to}`,
      failed: (output: number, to: string) => `Output ${output} could not be delivered to ${to}`,
    },
    tries: (attempts: number, reason: string) => `${attempts === 1 ? '1 attempt' : `${attempts} attempts`}: ${reason}`,
    acts: {
      'task.ask': 'An operator had the upstream asked',
      'task.cancel': 'An operator canceled it',
      'task.give_up': 'An operator gave it up',
      'task.refund': 'An operator refunded it',
    },
    answer: (status: number | null, code: string | null) =>
      status === null ? 'left before the answer' : code === null ? String(status) : `${status} ${code}`,
  },
} as const;
