import { Button, Container } from '@mantine/core'
import { IconBuilding } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'
import { Page } from './page.tsx'
import { EmptyState } from './states.tsx'

export function NoOrganization() {
  const words = useWords(sharedWords)
  return (
    <Container component="main" py="xl">
      <Page title={words.product}>
        <EmptyState
          icon={IconBuilding}
          title={words.noOrganization}
          action={<Button renderRoot={(props) => <Link {...props} to="/organizations/new" />}>{words.newOrganization}</Button>}
        >
          {words.noOrganizationHelp}
        </EmptyState>
      </Page>
    </Container>
  )
}
