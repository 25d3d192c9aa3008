import { Button, Center } from '@mantine/core'
import { IconMoodSad } from '@tabler/icons-react'
import { Page } from './page.tsx'
import { EmptyState } from './states.tsx'

interface FailureProps {
  title: string
  help: string
  action: string
  onClick: () => void
  busy?: boolean
}

/** Takes the place of a page that cannot be shown. */
export function Failure({ title, help, action, onClick, busy = false }: FailureProps) {
  return (
    <Center>
      <Page title={title}>
        <EmptyState
          icon={IconMoodSad}
          title={help}
          action={
            <Button onClick={onClick} loading={busy}>
              {action}
            </Button>
          }
        >
          {null}
        </EmptyState>
      </Page>
    </Center>
  )
}
