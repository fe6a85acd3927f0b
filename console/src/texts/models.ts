/** Texts of a model's own page. */
export const modelTexts = {
  kinds: { image: 'Images', video: 'Videos' },
  examples: {
    title: 'Examples',
    untitled: 'Without a prompt',
  },
  prices: {
    title: 'Prices',
    units(from: number, to: number | undefined) {
      if (to === undefined) return from === 2 ? 'each further one' : `from number ${from} on`;
      if (from === 1) return to === 1 ? 'the first one' : `the first ${to}`;
      return from === to ? `number ${from}` : `numbers ${from} to ${to}`;
    },
    per: {
      request: 'order',
      image: 'image',
      clip: 'video',
      output_second: 'second of video',
      input_video_second: 'second of input video',
      input_audio_second: 'second of input sound',
      input_plus_output_second: 'second of input and output',
      input_image: 'input image',
      output_megapixel: 'megapixel of output',
      input_megapixel: 'megapixel of input',
    } as Readonly<Record<string, string>>,
    formulas: {
      openai_image_tokens: 'token of the image, counted from its size',
      prompt_tokens: 'token of the prompt',
      input_image_tokens: 'token of an input image',
      output_image_tokens: 'token of the image',
      video_tokens: 'token of video',
    },
  },
  limits: {
    title: 'What it accepts',
    heads: { field: 'Field', accepts: 'Accepts', default: 'Default' },
    required: (fields: string) => `Required: ${fields}.`,
    or: ' or ',
    and: ' and ',
    none: 'none',
    anything: 'any value',
    yes: 'yes',
    no: 'no',
    given: 'given',
    notGiven: 'not given',
    not: (values: string) => `not ${values}`,
    atLeast: (value: string) => `at least ${value}`,
    atMost: (value: string) => `at most ${value}`,
    above: (value: string) => `above ${value}`,
    below: (value: string) => `below ${value}`,
    upTo: (most: string, unit: string) => `up to ${most} ${unit}`,
    media: {
      image: (most: number) => (most === 1 ? '1 image' : `up to ${most} images`),
      video: (most: number) => (most === 1 ? '1 video' : `up to ${most} videos`),
      audio: (most: number) => (most === 1 ? '1 sound file' : `up to ${most} sound files`),
    },
    rules: 'Rules and notes',
  },
} as const;
