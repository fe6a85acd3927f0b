import { Text } from '@mantine/core';

/** Who a row is about. */
export function PersonName({ name, email }: { readonly name: string; readonly email: string | null }) {
  return (
    <div>
      <Text size="sm" fw={550}>
        {name}
      </Text>
      {email !== null && email !== name && (
        <Text size="xs" c="dimmed">
          {email}
        </Text>
      )}
    </div>
  );
}
