import { Container } from '@mantine/core'
import { IconBuilding } from '@tabler/icons-react'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'
import { Page } from './page.tsx'
import { EmptyState } from './states.tsx'

export function NoOrganization() {
  const words = useWords(sharedWords)
  return (
    <Container component="main" py="xl">
      <Page title={words.product}>
        <EmptyState icon={IconBuilding} title={words.noOrganization}>
          {words.noOrganizationHelp}
        </EmptyState>
      </Page>
    </Container>
  )
}
