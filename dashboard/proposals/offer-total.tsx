import { formatAmount } from '@groundwork/api/money'
import { Group, Text } from '@mantine/core'
import { useMessages } from '../messages/messages.ts'
import { shownAmount } from './line-editor.tsx'
import type { ProposalValues } from './proposal-body.ts'
import { totalsOfTyped, typedAmount } from './totals.ts'
import { proposalMessages } from './messages.ts'

/** Shows and announces the total of the values. */
export function OfferTotal({ values, currency }: { values: ProposalValues; currency: string }) {
  const { form: words } = useMessages(proposalMessages)
  const total = totalOf(values, currency)
  return (
    <Group justify="space-between" role="status" aria-live="polite">
      <Text fw={600}>{words.total}</Text>
      <Text fw={700} size="lg" className="total">
        {total === undefined ? words.incomplete : shownAmount(total, currency)}
      </Text>
    </Group>
  )
}

function totalOf(values: ProposalValues, currency: string): string | undefined {
  if (values.priced === 'lines') return totalsOfTyped({ ...values, currency })?.totalAmount
  const amount = typedAmount(values.totalAmount)
  return amount === undefined ? undefined : formatAmount(amount)
}
