import { TagsInput, type TagsInputProps } from '@mantine/core';
import { isMark, type Tags } from '../../api/marks.ts';
import { useApi } from '../../api/use-api.ts';

const LISTED = 100;
/** Maximum number of tags besides the star and the rejection, which are tags too. */
const MOST_TAGS = 18;

/** A field for the tags of orders, without the star and the rejection. It suggests tags of other orders. */
export function TagsField({ tags, ...props }: Omit<TagsInputProps, 'value' | 'data'> & { readonly tags: Tags }) {
  const { data } = useApi('GET /v1/tags', { query: { limit: LISTED } });
  return (
    <TagsInput
      placeholder="A tag, then Enter"
      data={(data?.items ?? []).map(({ tag }) => tag).filter((tag) => !isMark(tag))}
      value={[...tags]}
      acceptValueOnBlur
      maxTags={Math.max(MOST_TAGS, tags.length)}
      maxLength={40}
      {...props}
    />
  );
}
