import { Text, Title, VisuallyHidden } from '@mantine/core'
import { Link, type LinkProps } from '@tanstack/react-router'
import { number } from '../lib/formats.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { useWords } from '../words/words.ts'
import type { Overview } from './queries.ts'
import { homeWords } from './words.ts'

interface Total {
  to: NonNullable<LinkProps['to']>
  count: number
  says: (count: number) => string
  /** Empty where there is nothing more to say. */
  detail: string
}

/** How much there is of what the role sees, each with the way there. */
export function Totals({ totals }: { totals: Overview['totals'] }) {
  const { totals: words } = useWords(homeWords)
  const { organization } = useWorkspace()
  return (
    <section aria-labelledby="totals">
      <VisuallyHidden>
        <Title order={2} id="totals">
          {words.title}
        </Title>
      </VisuallyHidden>
      <ul className="home-totals">
        {useTotals(totals).map(({ to, count, says, detail }) => (
          <li key={says(2)}>
            <Link to={to} params={{ organization: organization.slug }}>
              <Text span fz={24} fw={600} lh={1.2}>
                {number(count)}
              </Text>
              <Text span size="sm">
                {says(count)}
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
  const { totals: words } = useWords(homeWords)
  const all: Total[] = []
  if (bases !== null) all.push({ to: '/$organization/knowledge', count: bases, says: words.bases, detail: '' })
  if (sources !== null) {
    const { count, processing, chunks } = sources
    const detail = processing > 0 ? words.processing(processing) : words.chunks(chunks)
    all.push({ to: '/$organization/knowledge', count, says: words.sources, detail })
  }
  if (contacts !== null) all.push({ to: '/$organization/contacts', count: contacts, says: words.contacts, detail: '' })
  if (proposals !== null) {
    const count = Object.values(proposals).reduce((sum, one) => sum + one, 0)
    all.push({ to: '/$organization/proposals', count, says: words.proposals, detail: words.pending(proposals.pending) })
  }
  return all
}
