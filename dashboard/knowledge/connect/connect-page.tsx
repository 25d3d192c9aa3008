import { Button, NativeSelect } from '@mantine/core'
import { IconBooks } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { baseChoicesQuery, type Named } from '../../lib/choices.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { Page } from '../../shell/page.tsx'
import { EmptyState, Loaded, SkeletonRows } from '../../shell/states.tsx'
import { useMessages } from '../../messages/messages.ts'
import { Connect } from './connect.tsx'
import { connectMessages } from './messages.ts'

const route = getRouteApi('/$organization/connect')

/** The page for any knowledge base, which the first steps lead to. */
export function ConnectPage() {
  const messages = useMessages(connectMessages)
  const bases = useQuery(baseChoicesQuery(useWorkspace()))
  return (
    <Page guide="agents" title={messages.title} description={messages.about}>
      <Loaded query={bases} skeleton={<SkeletonRows rows={3} />}>
        {([first, ...others]) => (first === undefined ? <NoBases /> : <ConnectAny bases={[first, ...others]} />)}
      </Loaded>
    </Page>
  )
}

function ConnectAny({ bases }: { bases: readonly [Named, ...Named[]] }) {
  const messages = useMessages(connectMessages)
  const { tab, q } = route.useSearch()
  const navigate = route.useNavigate()
  const [chosen, setChosen] = useState(bases[0].id)
  const base = bases.find(({ id }) => id === chosen) ?? bases[0]
  return (
    <>
      {bases.length > 1 && (
        <NativeSelect
          label={messages.base}
          maw={400}
          value={base.id}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={bases.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      <Connect
        key={base.id}
        base={base}
        question={q}
        integration={tab}
        choose={(next) => void navigate({ search: (before) => ({ ...before, tab: next }), replace: true })}
      />
    </>
  )
}

function NoBases() {
  const messages = useMessages(connectMessages)
  const { organization } = useWorkspace()
  return (
    <EmptyState
      icon={IconBooks}
      title={messages.emptyTitle}
      action={
        <Button renderRoot={(props) => <Link {...props} to="/$organization/knowledge" params={{ organization: organization.slug }} />}>
          {messages.toKnowledge}
        </Button>
      }
    >
      {messages.emptyHelp}
    </EmptyState>
  )
}
