import { parseAmount } from '@groundwork/api/money'
import { Anchor, Group, Paper, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { money } from '../lib/formats.ts'
import { useMay, useWorkspace } from '../lib/workspace.ts'
import { useMessages } from '../messages/messages.ts'
import { Money } from '../shell/money.tsx'
import type { Overview } from './queries.ts'
import { homeMessages } from './messages.ts'

type Stage = NonNullable<Overview['pipeline']>[number]
type Status = Stage['status']

const statuses = ['draft', 'pending', 'completed'] as const satisfies readonly Status[]
const acceptedDays = 30

/**
 * Shows the value of drafts, pending proposals and recently accepted ones. Currencies are never added together.
 * @param since the first time of acceptance
 */
export function Pipeline({ pipeline, since }: { pipeline: readonly Stage[]; since: string | undefined }) {
  const { pipeline: words } = useMessages(homeMessages)
  return (
    <Paper component="section" withBorder p="md" className="home-pipeline" aria-labelledby="pipeline">
      <Group justify="space-between" gap="xs">
        <Title order={2} id="pipeline">
          {words.title}
        </Title>
        {pipeline.length > 0 && (
          <Text size="xs" c="dimmed">
            {words.lastDays(acceptedDays)}
          </Text>
        )}
      </Group>
      {pipeline.length === 0 ? (
        <NoProposals />
      ) : (
        currenciesOf(pipeline).map((currency) => <OfCurrency key={currency} currency={currency} pipeline={pipeline} since={since} />)
      )}
    </Paper>
  )
}

function NoProposals() {
  const { pipeline: words } = useMessages(homeMessages)
  const organization = useWorkspace().organization.slug
  return (
    <Text size="sm" c="dimmed" mt="xs" component="div">
      {words.none}{' '}
      {useMay('proposals:write') && (
        <Anchor
          inherit
          underline="always"
          renderRoot={(props) => <Link {...props} to="/$organization/proposals/new" params={{ organization }} />}
        >
          {words.create}
        </Anchor>
      )}
    </Text>
  )
}

/** The currency of most proposals comes first. */
function currenciesOf(pipeline: readonly Stage[]): string[] {
  const counts = new Map<string, number>()
  for (const { currency, count } of pipeline) counts.set(currency, (counts.get(currency) ?? 0) + count)
  return [...counts.keys()].toSorted((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0) || (one < other ? -1 : 1))
}

function OfCurrency({ currency, pipeline, since }: { currency: string; pipeline: readonly Stage[]; since: string | undefined }) {
  const { pipeline: words } = useMessages(homeMessages)
  const organization = useWorkspace().organization.slug
  const all = statuses.map(
    (status): Stage =>
      pipeline.find((stage) => stage.currency === currency && stage.status === status) ?? {
        status,
        currency,
        count: 0,
        totalAmount: '0.00',
      },
  )
  // The list has exactly the proposals of the sum. Its filters stay few if there is one currency.
  const listOf = (status: Status) => ({
    status,
    ...(pipeline.some((stage) => stage.status === status && stage.currency !== currency) && { currency }),
    ...(status === 'completed' && { completedAfter: since }),
  })
  const [draft = '', pending = '', completed = ''] = all.map(({ totalAmount }) => money(totalAmount, currency))
  return (
    <>
      <div className="home-bar" role="img" aria-label={words.chart(draft, pending, completed)}>
        {all
          .filter(({ totalAmount }) => parseAmount(totalAmount) > 0n)
          .map(({ status, totalAmount }) => (
            <span key={status} className={status} style={{ flexGrow: Number(parseAmount(totalAmount)) }} />
          ))}
      </div>
      <ul className="home-stages">
        {all.map(({ status, count, totalAmount }) => (
          <li key={status}>
            <Link to="/$organization/proposals" params={{ organization }} search={listOf(status)}>
              <span className={`home-key ${status}`}>{words.stages[status]}</span>{' '}
              <Text span fw={600} className="wrap">
                <Money amount={totalAmount} currency={currency} />
              </Text>{' '}
              <Text span size="xs" c="dimmed">
                {words.count(count)}
              </Text>
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
