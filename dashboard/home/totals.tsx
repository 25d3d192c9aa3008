import { Text, Title, VisuallyHidden } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { number } from '../lib/formats.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { useMessages } from '../messages/messages.ts'
import type { Overview } from './queries.ts'
import { homeMessages } from './messages.ts'

interface Total {
  to: NonNullable<LinkProps['to']>
  count: number
  label: (count: number) => string
  /** An empty string for no detail. */
  detail: string
}

/** Shows the number of records by type, each with a link to its list. Omits types that the role may not see. */
export function Totals({ totals }: { totals: Overview['totals'] }) {
  const { totals: words } = useMessages(homeMessages)
  const { organization } = useWorkspace()
  return (
    <section aria-labelledby="totals">
      <VisuallyHidden>
        <Title order={2} id="totals">
          {words.title}
        </Title>
      </VisuallyHidden>
      <ul className="home-totals">
        {useTotals(totals).map(({ to, count, label, detail }) => (
          <li key={label(2)}>
            <Link to={to} params={{ organization: organization.slug }}>
              <Text span fz={24} fw={600} lh={1.2}>
                {number(count)}
              </Text>
              <Text span size="sm">
                {label(count)}
              </Text>
              <Text span size="xs" c="dimmed">
                {detail}
              </Text>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function useTotals({ bases, sources, contacts, proposals }: Overview['totals']): Total[] {
  const { totals: words } = useMessages(homeMessages)
  const shown: Total[] = []
  if (bases !== null) shown.push({ to: '/$organization/knowledge', count: bases, label: words.bases, detail: '' })
  if (sources !== null) {
    const { count, processing, chunks } = sources
    const detail = processing > 0 ? words.processing(processing) : words.chunks(chunks)
    shown.push({ to: '/$organization/knowledge', count, label: words.sources, detail })
  }
  if (contacts !== null) shown.push({ to: '/$organization/contacts', count: contacts, label: words.contacts, detail: '' })
  if (proposals !== null) {
    const count = Object.values(proposals).reduce((sum, ofStatus) => sum + ofStatus, 0)
    shown.push({ to: '/$organization/proposals', count, label: words.proposals, detail: words.pending(proposals.pending) })
  }
  return shown
}
