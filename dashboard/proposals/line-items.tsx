import type { Proposal } from '@groundwork/api'
import { Group, Stack, Text } from '@mantine/core'
import { money } from '../lib/formats.ts'
import { DataTable, type Column } from '../shell/data-table.tsx'
import { Money } from '../shell/money.tsx'
import { useMessages } from '../messages/messages.ts'
import { proposalMessages } from './messages.ts'
import { taxText } from './totals.ts'

type Line = Proposal['items'][number] & { index: number }

/** The lines of a proposal, and its totals. */
export function LineItems({ proposal }: { proposal: Proposal }) {
  const messages = useMessages(proposalMessages)
  const { form } = messages
  const { items, currency, pricesIncludeTax } = proposal
  const amount = (key: 'unitPrice' | 'discount', header: string): Column<Line> => ({
    key,
    header,
    cell: (line) => <Money amount={line[key]} currency={currency} />,
    align: 'right',
  })
  const columns: Column<Line>[] = [
    { key: 'description', header: form.description, cell: (line) => <Description line={line} />, width: 220 },
    { key: 'quantity', header: form.quantity, cell: (line) => <Quantity line={line} />, align: 'right' },
    amount('unitPrice', form.unitPrice),
    amount('discount', form.discount),
    { key: 'taxes', header: form.taxes, cell: ({ taxes }) => <span className="line-taxes">{taxText(taxes)}</span>, align: 'right' },
    {
      key: 'total',
      header: form.lineTotal,
      // The column adds up to the subtotal, or to the total if prices include tax or there is no subtotal.
      cell: ({ net, total }) => <Money amount={pricesIncludeTax ? total : (net ?? total)} currency={currency} />,
      align: 'right',
    },
  ]
  return (
    <>
      <DataTable
        label={messages.lineItems}
        columns={columns}
        rows={items.map((item, index) => ({ ...item, index }))}
        idOf={({ index }) => String(index)}
        nameOf={({ description }) => description}
      />
      <Totals proposal={proposal} />
    </>
  )
}

function Description({ line: { description, optional, preselected, group } }: { line: Line }) {
  const messages = useMessages(proposalMessages)
  const option = preselected ? messages.preselectedLine : messages.optionalLine
  const note = [optional ? option : null, group === null ? null : messages.groupOf(group)].filter((part) => part !== null).join(' · ')
  return (
    <>
      {description}
      {note !== '' && (
        <Text size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </>
  )
}

function Quantity({ line: { quantity, quantityRange } }: { line: Line }) {
  const messages = useMessages(proposalMessages)
  return (
    <>
      {quantity}
      {quantityRange !== null && (
        <Text size="xs" c="dimmed">
          {messages.quantities(quantityRange.min, quantityRange.max)}
        </Text>
      )}
    </>
  )
}

function Totals({ proposal }: { proposal: Proposal }) {
  const messages = useMessages(proposalMessages)
  const { currency, subtotal, discountTotal, discountPercent, taxes, totalAmount, pricesIncludeTax } = proposal
  const hasDetails = subtotal !== null && subtotal !== totalAmount
  return (
    <Stack gap={4} px="xs">
      {hasDetails && <Row label={messages.subtotal} amount={subtotal} currency={currency} />}
      {discountTotal !== null && discountTotal !== '0.00' && (
        <Row
          label={discountPercent === null ? messages.discountTotal : `${messages.discountTotal} ${discountPercent} %`}
          amount={`-${discountTotal}`}
          currency={currency}
        />
      )}
      {taxes?.map(({ name, rate, base, amount }) => (
        <Row
          key={`${name ?? ''} ${rate}`}
          label={`${messages.tax(name, rate)} ${messages.taxOn(money(base, currency))}`}
          amount={amount}
          currency={currency}
        />
      ))}
      <Row label={messages.form.total} amount={totalAmount} currency={currency} isTotal />
      {pricesIncludeTax && (
        <Text size="xs" c="dimmed">
          {messages.pricesIncludeTax}
        </Text>
      )}
    </Stack>
  )
}

function Row({ label, amount, currency, isTotal = false }: { label: string; amount: string; currency: string; isTotal?: boolean }) {
  const weight = isTotal ? 700 : 400
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm" fw={weight} className="wrap">
        {label}
      </Text>
      <Text size="sm" fw={weight} className="one-line">
        <Money amount={amount} currency={currency} />
      </Text>
    </Group>
  )
}
