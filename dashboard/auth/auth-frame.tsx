import { Container, Paper, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Page } from '../shell/page.tsx'
import { sharedWords } from '../words/shared.ts'
import { useWords } from '../words/words.ts'

/** The layout of pages with a single form, outside of organizations. */
export function AuthFrame({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) {
  const words = useWords(sharedWords)
  return (
    <Container component="main" id="content" size={460} py={{ base: 'xl', sm: 64 }}>
      <Text fw={700} mb="lg" c="var(--mantine-primary-color-light-color)">
        {words.product}
      </Text>
      <Page title={title} description={about}>
        <Paper withBorder p={{ base: 'md', sm: 'lg' }}>
          {children}
        </Paper>
      </Page>
    </Container>
  )
}
