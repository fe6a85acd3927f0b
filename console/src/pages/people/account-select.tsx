import { Select, type SelectProps } from '@mantine/core';
import { useApi } from '../../api/use-api.ts';

/** A choice among all accounts of the service. */
export function AccountSelect(props: Omit<SelectProps, 'data' | 'searchable'>) {
  const accounts = useApi('GET /admin/v1/accounts', {}).data?.items ?? [];
  return (
    <Select {...props} searchable data={accounts.map(({ account_id: value, name: label }) => ({ value, label }))} />
  );
}
