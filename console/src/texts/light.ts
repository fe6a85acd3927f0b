import { locale } from './locale.ts';

/** Texts of the order form for several at once, and of the table of their results. */
export const lightTexts = {
  kinds: { words: { image: 'Images', video: 'Videos' } },
  prompts: {
    placeholder: {
      image: 'A lighthouse on a cliff at {dawn|dusk}',
      video: 'A small boat crosses a calm bay at {sunrise|noon}',
    },
  },
  seeds: {
    fewer: 'One seed less',
    fault: 'Seeds are whole numbers, separated by commas.',
  },
  axes: {
    yes: 'yes',
    no: 'no',
  },
  plan: {
    count: (count: number, kind: 'image' | 'video') =>
      `${count.toLocaleString(locale)} ${kind === 'image' ? (count === 1 ? 'image' : 'images') : count === 1 ? 'video' : 'videos'}`,
    tooMany: (count: number, most: number) =>
      `These are ${count.toLocaleString(locale)}; a table takes at most ${most}. Leave out prompts, models, seeds or values.`,
    leftOut: 'Not accepted by every model',
    value: (setting: string, value: string) => `does not accept ${setting.toLowerCase()} ${value}`,
  },
  price: {
    label: 'Price of everything',
  },
  table: {
    notOrdered: 'not ordered',
    seed: (seed: string) => `seed ${seed}`,
  },
  cell: {
    tag: 'Tags',
  },
  tools: {
    shows: { all: 'All', starred: 'Starred', kept: 'Not rejected' },
    keyList: [
      ['Arrows', 'move'],
      ['V', 'select'],
      ['S', 'star'],
      ['X', 'reject'],
      ['T', 'tag'],
      ['C', 'compare the selected'],
      ['M', 'more like this'],
      ['Space, Enter', 'enlarge'],
    ],
  },
  more: {
    title: 'More like this',
    way: 'How',
    seeds: 'Other seeds of this model',
    models: 'This seed on other models',
    variation: 'Variations by the model',
    count: 'How many',
    chooseModels: 'Other models',
    onlyFixed: 'Everything else stays as it was.',
  },
} as const;
