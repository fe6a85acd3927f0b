import type { QuoteView as Quote } from '@darkroom-service/contract/task';
import { Popover, Table, Text, UnstyledButton } from '@mantine/core';
import { useSession } from '../../api/session.ts';
import { formatMoney } from '../../components/money.tsx';
import { Small } from '../../components/words.ts';
import { studioTexts } from '../../texts/studio.ts';
import classes from './studio.module.css';

const texts = studioTexts.price;

/** The current price with its lines on demand. Keeps its space while it is calculated. */
export function PriceTag({ quote, pending }: { readonly quote: Quote | undefined; readonly pending: boolean }) {
  const { mode } = useSession();
  if (quote === undefined)
    return (
      <span className={classes.price} data-pending>
        {pending ? <span className="visually-hidden">{texts.pending}</span> : texts.none}
      </span>
    );
  return (
    <Popover position="top-start" width={320}>
      <Popover.Target>
        <UnstyledButton className={classes.price} data-pending={pending || undefined} data-mode={mode}>
          <span className="visually-hidden">{texts.lines}: </span>
          {!quote.exact && <span className={classes.atMost}>{texts.atMost}</span>}{' '}
          <span className="figures" data-testid="price">
            {formatMoney(quote.amount)}
          </span>{' '}
          {mode === 'test' && (
            <span className={classes.atMost} data-testid="price-money">
              {texts.playMoney}
            </span>
          )}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Text fw={600} size="sm" mb="xs">
          {texts.lines}
        </Text>
        <Table verticalSpacing={4} fz="sm" withRowBorders={false}>
          <Table.Tbody>
            {quote.lines.map((line) => (
              <Table.Tr key={line.description}>
                <Table.Td px={0}>{line.description}</Table.Td>
                <Table.Td ta="right" className="figures" c="dimmed">
                  {line.quantity} × {formatMoney(line.unit_price)}
                </Table.Td>
                <Table.Td ta="right" px={0} className="figures">
                  {formatMoney(line.amount)}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        {!quote.exact && <Small mt="xs">{texts.inexact}</Small>}
        {mode === 'test' && <Small mt="xs">{texts.test}</Small>}
      </Popover.Dropdown>
    </Popover>
  );
}
