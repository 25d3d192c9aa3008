import { Button, Group, Text } from '@mantine/core'
import { IconBooks, IconMessageSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { baseChoicesQuery, type Named } from '../lib/choices.ts'
import { fieldErrors } from '../lib/field-errors.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { Page } from '../shell/page.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../shell/states.tsx'
import { useMessages } from '../messages/messages.ts'
import { ApiCall } from './api-call.tsx'
import { askedOf, bodyOf } from './asked.ts'
import { changesQuery } from './changes.ts'
import { answerQuery } from './queries.ts'
import { QuestionForm } from './question-form.tsx'
import { Results } from './results.tsx'
import { WrittenAnswer } from './written-answer.tsx'
import { playgroundMessages } from './messages.ts'

const route = getRouteApi('/$organization/playground')
/** The maximum number of knowledge bases per search. */
const maxBases = 20

export function PlaygroundPage() {
  const messages = useMessages(playgroundMessages)
  const bases = useQuery(baseChoicesQuery(useWorkspace()))
  return (
    <Page guide="retrieval" title={messages.title} description={messages.about}>
      <Loaded query={bases} skeleton={<SkeletonRows rows={3} />}>
        {(all) => (all.length === 0 ? <NoBases /> : <Playground bases={all} />)}
      </Loaded>
    </Page>
  )
}

function NoBases() {
  const messages = useMessages(playgroundMessages)
  const { organization } = useWorkspace()
  return (
    <EmptyState
      icon={IconBooks}
      title={messages.noBasesTitle}
      action={
        <Button renderRoot={(props) => <Link {...props} to="/$organization/knowledge" params={{ organization: organization.slug }} />}>
          {messages.toKnowledge}
        </Button>
      }
    >
      {messages.noBasesHelp}
    </EmptyState>
  )
}

function Playground({ bases }: { bases: readonly Named[] }) {
  const messages = useMessages(playgroundMessages)
  const asked = route.useSearch()
  const navigate = route.useNavigate()
  const baseIds = asked.bases ?? bases.slice(0, maxBases).map(({ id }) => id)
  const answer = useQuery(answerQuery(useWorkspace(), baseIds, asked))
  const ask = (next: Record<string, unknown>): void => {
    const search = askedOf(next)
    if (JSON.stringify(search) === JSON.stringify(asked)) void answer.refetch()
    else void navigate({ search })
  }
  return (
    <>
      <QuestionForm bases={bases} asked={asked} ask={ask} busy={answer.isFetching} error={answer.error} />
      {asked.q === undefined ? (
        <EmptyState icon={IconMessageSearch} title={messages.startTitle}>
          {messages.startHelp}
        </EmptyState>
      ) : (
        <>
          {baseIds.length === 1 && baseIds[0] !== undefined && (
            <WrittenAnswer key={JSON.stringify([baseIds, asked])} baseId={baseIds[0]} asked={asked} />
          )}
          <ChangedSince askedAt={answer.data?.askedAt} baseIds={baseIds} search={() => void answer.refetch()} busy={answer.isFetching} />
          {/* An error of the question is shown at its field. */}
          {fieldErrors(answer.error)['query'] === undefined && <Results query={answer} asked={asked} ask={ask} bases={bases} />}
          <ApiCall baseIds={baseIds} body={bodyOf(asked)} question={asked.q} />
        </>
      )}
    </>
  )
}

interface ChangedSinceProps {
  /** The time of the search whose passages are shown. */
  askedAt: number | undefined
  baseIds: readonly string[]
  search: () => void
  busy: boolean
}

/** Offers to search again, because each search is in the log: the page does not repeat one by itself. */
function ChangedSince({ askedAt, baseIds, search, busy }: ChangedSinceProps) {
  const messages = useMessages(playgroundMessages)
  const { data: changes } = useQuery(changesQuery(useWorkspace().organization.id))
  const hasChanged = askedAt !== undefined && baseIds.some((id) => (changes[id] ?? 0) >= askedAt)
  return (
    <div role="status" style={{ display: 'contents' }}>
      {hasChanged && (
        <Group gap="sm">
          <Text size="sm">{baseIds.length === 1 ? messages.changed : messages.oneChanged}</Text>
          <Button size="compact-sm" mih={32} variant="default" onClick={search} loading={busy}>
            {messages.searchAgain}
          </Button>
        </Group>
      )}
    </div>
  )
}
