import { Button, Container } from '@mantine/core'
import { IconBuilding } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { sharedMessages } from '../messages/shared.ts'
import { useMessages } from '../messages/messages.ts'
import { Page } from './page.tsx'
import { EmptyState } from './states.tsx'

export function NoOrganization() {
  const messages = useMessages(sharedMessages)
  return (
    <Container component="main" py="xl">
      <Page title={messages.product}>
        <EmptyState
          icon={IconBuilding}
          title={messages.noOrganization}
          action={<Button renderRoot={(props) => <Link {...props} to="/organizations/new" />}>{messages.newOrganization}</Button>}
        >
          {messages.noOrganizationHelp}
        </EmptyState>
      </Page>
    </Container>
  )
}
